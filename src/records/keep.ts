import type { Unique } from '../store/owners.ts'
import { putRecords, putUnique, type Written } from '../store/put.ts'
import { valuesOf } from './person.ts'
import type { Rules } from './rules.ts'

/** Where an operator's records go. */
export type Destination = { db: D1Database; geography: D1Database; organisationId: string }

/**
 * Keeps checked records of one collection, with ids all different; all or none. New ones go to the
 * end, in the order given, known ones are replaced where they are. None is kept where another record,
 * but for `holders`, has one of their unique values: these are given.
 */
export async function keepRecords(
  { db, geography, organisationId }: Destination,
  rules: Rules,
  checked: readonly Written[],
  holders: readonly string[] = [],
): Promise<Unique[]> {
  const { collection, place } = rules
  const records = place ? await place(geography, checked) : checked
  const unique = uniqueOf(rules, records)
  if (unique.length > 0) {
    return putUnique(db, { organisationId, collection }, records, unique, holders)
  }
  await putRecords(db, organisationId, collection, records)
  return []
}

/** The values of records in the fields where no two may be alike. */
export function uniqueOf(rules: Rules, written: readonly Written[]): Unique[] {
  if (rules.unique.length === 0) return []
  return written.flatMap(({ document }) => {
    const values = valuesOf(document)
    return rules.unique
      .filter((field) => Object.hasOwn(values, field))
      .map((field) => ({ field, value: String(values[field]) }))
  })
}
