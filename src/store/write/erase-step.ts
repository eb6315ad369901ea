import { sql } from 'drizzle-orm'
import type { Reference } from '../../model/references.ts'
import { ordinals } from '../bitmap/bits.ts'
import type { Body, Row } from '../statement.ts'
import { hasTerm } from './referrers.ts'

/** The changes of one step of an erasure. */
export type EraseStep = {
  /** The records that may reference the person, as rows of `records` by reference. */
  rows: readonly (readonly number[])[]
  /** The ordinal of the last record by reference: later steps start behind it. */
  lastOrdinals: readonly number[]
  /** Whether no more records follow. */
  isLast: boolean
}

// A step is one transaction, and all other requests wait for it.
const maxRecords = 500
const maxBytes = 250_000

/** Returns SQL for the records of the next step behind the given ordinals, and one more. */
export const candidates = (
  organisationId: string,
  naming: readonly Reference[],
  id: string,
  lastOrdinals: readonly number[] = [],
): Body => ({
  columns: ['reference', 'row', 'ordinal', 'bytes'],
  rows: sql.join(
    naming.map((reference, at) => {
      const ordinal = sql.raw(String(lastOrdinals[at] ?? 0))
      // The index has only the beginning of a long id, so a candidate may reference another record.
      return sql`SELECT * FROM (
        SELECT ${sql.raw(String(at))} AS reference, records.row, records.ordinal,
          octet_length(records.document) AS bytes
        FROM terms
        CROSS JOIN bitmaps ON bitmaps.term_id = terms.id AND bitmaps.block >= ${ordinal} / 496
        CROSS JOIN json_each('[' || ${sql.raw(ordinals)} || ']') AS item
        CROSS JOIN records ON records.organisation_id = terms.organisation_id
          AND records.collection = terms.collection AND records.ordinal = item.value
        WHERE ${hasTerm(organisationId, reference, id)} AND item.value > ${ordinal}
        LIMIT ${sql.raw(String(maxRecords + 1))}
      )`
    }),
    sql` UNION ALL `,
  ),
})

/**
 * Returns the step that changes as many candidates as other requests can wait for, at least one.
 */
export function stepOf(
  found: readonly Row[],
  naming: readonly Reference[],
  before: readonly number[] = [],
): EraseStep {
  let bytes = 0
  const taken = found.slice(0, maxRecords).filter((row, at) => {
    bytes += Number(row.bytes)
    return at === 0 || bytes <= maxBytes
  })
  const own = naming.map((_, at) => taken.filter(({ reference }) => reference === at))
  return {
    rows: own.map((rows) => rows.map(({ row }) => Number(row))),
    lastOrdinals: own.map((rows, at) => Number(rows.at(-1)?.ordinal ?? before[at] ?? 0)),
    isLast: taken.length === found.length,
  }
}
