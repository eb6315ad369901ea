import { putRecords, type Written } from '../store/put.ts'
import type { Rules } from './rules.ts'

/** Where an operator's records go. */
export type Destination = { db: D1Database; geography: D1Database; organisationId: string }

/** Keeps checked records of one collection, with ids all different; all or none. New ones go to the end, in the order given, known ones are replaced where they are. */
export async function keepRecords(
  { db, geography, organisationId }: Destination,
  { collection, place }: Rules,
  checked: readonly Written[],
): Promise<void> {
  const records = place ? await place(geography, checked) : checked
  await putRecords(db, organisationId, collection, records)
}
