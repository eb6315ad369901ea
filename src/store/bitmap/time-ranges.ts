import { type SQL, sql } from 'drizzle-orm'
import type { Scope } from '../statement.ts'
import { collectionTerm } from './bits.ts'

/** A range of time: from ≤ t < to, in the format of stored times. */
export type TimeRange = { from?: string | undefined; to?: string | undefined }

/** Records with numbers that grow with time, such as versions or ordinals. */
type Numbered = { number: SQL; time: SQL; among: SQL; last: SQL }

/**
 * Returns SQL for the table `changed_between` of one row: the versions of records changed in this
 * range are above `after`, up to `upto`.
 */
export const changedBetween = ({ organisationId }: Scope, range: TimeRange): SQL =>
  between('changed_between', range, {
    number: sql`version`,
    time: sql`changed`,
    among: sql`organisation_id = ${organisationId}`,
    last: sql`(SELECT version FROM organisations WHERE id = ${organisationId})`,
  })

/**
 * Returns SQL for the table `created_between` of one row: the ordinals of records created in this
 * range are above `after`, up to `upto`.
 */
export const createdBetween = (scope: Scope, range: TimeRange): SQL =>
  between('created_between', range, {
    number: sql`ordinal`,
    time: sql`created`,
    among: sql`organisation_id = ${scope.organisationId} AND collection = ${scope.collection}`,
    last: sql`(SELECT last FROM terms WHERE ${collectionTerm(scope)})`,
  })

function between(name: string, { from, to }: TimeRange, numbered: Numbered): SQL {
  const ends = [
    { end: sql.raw(`${name}_from`), time: from, open: sql`0` },
    { end: sql.raw(`${name}_to`), time: to, open: numbered.last },
  ]
  const searched = ends.flatMap(({ end, time }) =>
    time === undefined ? [] : [sql`${search(end, time, numbered)},`],
  )
  const [after, upto] = ends.map(({ end, time, open }) =>
    time === undefined ? open : sql`(SELECT reached FROM ${end} WHERE step = 0)`,
  )
  return sql`${sql.join(searched, sql` `)} ${sql.raw(name)} AS MATERIALIZED (
    SELECT ${after} AS after, ${upto} AS upto
  )`
}

/**
 * Returns SQL for a binary search: the row of step 0 has the greatest number that was `reached`
 * before `time`. The first step is a power of two beyond the last number: each digit takes 10 / 3
 * bits.
 */
const search = (name: SQL, time: string, { number, time: column, among, last }: Numbered) => sql`
  ${name} (reached, step) AS (
    SELECT 0, 1 << (length(${last}) * 10 / 3 + 1)
    UNION ALL
    SELECT
      reached + iif((
        SELECT ${column} < ${time} FROM records
        WHERE ${among} AND ${number} >= reached + step ORDER BY ${number} LIMIT 1
      ), step, 0),
      step / 2
    FROM ${name} WHERE step > 0
  )`
