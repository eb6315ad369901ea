import { type SQL, sql } from 'drizzle-orm/sql'
import type { Scope } from '../statement.ts'
import { collectionTerm } from './bits.ts'

/** A range of time: from ≤ t < to, in the format of stored times. */
export type TimeRange = { from?: string | undefined; to?: string | undefined }

/** Records with numbers that grow over time, such as versions or ordinals. */
type Numbered = { number: SQL; time: SQL; among: SQL; last: SQL }

/**
 * SQL for the one-row table `changed_between`: records changed in this range have versions
 * above `after` and up to `upto`.
 */
export const changedBetween = ({ organisationId }: Scope, range: TimeRange): SQL =>
  between('changed_between', range, {
    number: sql`version`,
    time: sql`changed`,
    among: sql`organisation_id = ${organisationId}`,
    last: sql`(SELECT version FROM organisations WHERE id = ${organisationId})`,
  })

/**
 * SQL for the one-row table `created_between`: records created in this range have ordinals
 * above `after` and up to `upto`.
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
 * SQL for a binary search: `reached` in the row of step 0 is the greatest number before
 * `time`. The first step is a power of two beyond the last number, estimated from its digits at 10
 * / 3 bits each.
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
