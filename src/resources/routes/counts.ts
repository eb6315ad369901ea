import * as z from 'zod'
import type { Counts } from '../../records/write.ts'
import type { Store } from '../../store/store.ts'

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

/** Returns the counts as the credential may see them: without the permission to read only their sum, because `unchanged` confirms a guess. */
export const shownCounts = (counts: Counts, { canRead }: Store) =>
  canRead ? counts : { accepted: counts.created + counts.updated + counts.unchanged }
