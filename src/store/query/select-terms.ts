import { type SQL, sql } from 'drizzle-orm/sql'
import type { Scope } from '../statement.ts'
import { indexField, type Leaf } from './plan.ts'
import { applyFunction, patternAt } from './term-functions.ts'
import { testText, undecidedOperators } from './term-operators.ts'
import type { TermRange } from './term-ranges.ts'

/**
 * SQL for `matched_terms`: the terms of each leaf, by its number, and the collection's own
 * term as leaf -1. That comes last, so it is missing if there are more than `maxTerms`.
 */
export function selectTerms(scope: Scope, leaves: readonly Leaf[], maxTerms: number): SQL {
  const ranges = JSON.stringify([
    ...leaves.flatMap(({ field, ranges }, leaf) =>
      ranges.map((range) => encodeRange(leaf, indexField(field), range)),
    ),
    [-1, '', { hex: '' }],
  ])
  return sql`term_ranges AS MATERIALIZED (
      SELECT
        item.value ->> 0 AS leaf,
        item.value ->> 1 AS field,
        ${sql.raw(end(2, '-9e999'))} AS low,
        ${sql.raw(`iif(json_array_length(item.value) = 3, ${end(2, '-9e999')}, ${end(3, "x'FF'")})`)} AS high,
        coalesce(item.value ->> 4, false) AS above,
        coalesce(item.value ->> 5, false) AS below,
        coalesce(item.value ->> 6, false) AS long,
        item.value ->> 7 AS operator,
        ${sql.raw(patternAt('item.value', '$[8]'))} AS pattern,
        item.value ->> 9 AS field_function
      FROM json_each(${ranges}) AS item
    ),
    matched_terms AS MATERIALIZED (
      SELECT leaf, id, value, count, last, certain FROM (
        SELECT *, ${sql.raw(isCertain)} AS certain FROM (
          SELECT
            term_ranges.*, terms.id, terms.value, terms.count, terms.last,
            iif(operator IS NULL, NULL, ${sql.raw(applyFunction('field_function', 'value'))}) AS text
          FROM term_ranges CROSS JOIN terms
            ON organisation_id = ${scope.organisationId} AND collection = ${scope.collection}
            AND terms.field = term_ranges.field AND value >= low AND value <= high
            AND (value > low OR NOT above) AND (value < high OR NOT below)
            AND (NOT long OR length(value) <> 1)
          LIMIT ${maxTerms}
        )
      )
      WHERE certain OR long AND operator IN (${sql.raw(undecidedOperators)})
    )`
}

const encodeRange = (
  leaf: number,
  field: string,
  { low, high, isAbove = false, isBelow = false, isLong = false, test }: TermRange,
) =>
  high !== null && high === low && !isAbove && !isBelow && !test
    ? [leaf, field, low]
    : [
        ...[leaf, field, low, high, isAbove, isBelow, isLong],
        ...(test ? [test.operator, test.pattern, test.fieldFunction] : []),
      ]

/** SQL for an end of the range `item`. An equal `high` is left out. */
const end = (index: number, open: string) => `CASE json_type(item.value, '$[${index}]')
  WHEN 'null' THEN ${open}
  WHEN 'object' THEN unhex(item.value ->> '$[${index}].hex')
  ELSE item.value ->> ${index} END`

/** SQL that tests a term. One without an operator passes by its range. */
const isCertain = testText(
  'operator',
  { text: 'text', pattern: 'pattern', isLong: 'long' },
  'operator IS NULL',
)
