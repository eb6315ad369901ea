import * as z from 'zod'
import type { Counts } from '../records/keeping.ts'
import type { Store } from '../store/store.ts'

const counted = {
  created: z.int().meta({ description: 'How many records were new.', examples: [2] }),
  updated: z.int().meta({ description: 'How many were changed.', examples: [1] }),
  unchanged: z.int().meta({ description: 'How many were so already.', examples: [247] }),
}

const accepted = {
  accepted: z.int().meta({
    description: 'How many records were accepted, for credentials without the right to read.',
    examples: [250],
  }),
}

/** The type of an answer that counts records, with other properties beside the counts. */
export const countsType = (others: z.ZodRawShape = {}) =>
  z.union([z.strictObject({ ...counted, ...others }), z.strictObject({ ...accepted, ...others })])

/** What is told of counts. Whether a record is as it was already would confirm a guess, so who may not read learns only the sum. */
export const shownCounts = (counts: Counts, { canRead }: Store) =>
  canRead ? counts : { accepted: counts.created + counts.updated + counts.unchanged }
