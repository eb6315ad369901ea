import * as z from 'zod'
import type { WriteCounts } from '../../records/write.ts'
import type { Store } from '../../store/store.ts'

const counted = {
  created: z.int().meta({ description: 'The number of new records.', examples: [2] }),
  updated: z.int().meta({ description: 'The number of changed records.', examples: [1] }),
  unchanged: z
    .int()
    .meta({ description: 'The number of records that stayed the same.', examples: [247] }),
}

const accepted = {
  accepted: z.int().meta({
    description: 'The number of accepted records, if the key does not have the `read` permission.',
    examples: [250],
  }),
}

export const countsType = (others: z.ZodRawShape = {}) =>
  z.union([z.strictObject({ ...counted, ...others }), z.strictObject({ ...accepted, ...others })])

/** The counts, or only their sum to callers who cannot read: `unchanged` would confirm a guess. */
export const shownCounts = (counts: WriteCounts, { canRead }: Store) =>
  canRead ? counts : { accepted: counts.created + counts.updated + counts.unchanged }
