import { type SQL, sql } from 'drizzle-orm/sql'
import type { Scope } from '../statement.ts'
import { indexField, type Leaf } from './plan.ts'
import { applyFunction, patternAt } from './term-functions.ts'
import { testText, undecidedOperators } from './term-operators.ts'
import type { TermRange } from './term-ranges.ts'

/*
 * Selects the terms of a filter's comparisons. All their ranges are one parameter, a JSON list, so the SQL is the
 * same for every filter and stays below D1's 100 parameters. `price ge 5 and town eq 'Leeds'` is
 *   [[0, "price", 5, "", false, true, false], [1, "town", "Leeds"], [-1, "", {"hex": ""}]]
 * Each item is a row of `term_ranges`: [leaf, field, low, high, above, below, long, operator, pattern,
 * field_function], without the last three if the range alone decides, and [leaf, field, low] for one value.
 */

/** The number of the collection's own term, which every record has. Those of a plan's leaves start at 0. */
export const collectionLeaf = -1

/**
 * SQL for the table `matched_terms` (leaf, id, value, count, last, certain): the terms of each leaf, and the
 * collection's own. That comes last, so it is missing if there are more than `maxTerms`. `certain` is false
 * where only the document decides.
 */
export function selectTerms(scope: Scope, leaves: readonly Leaf[], maxTerms: number): SQL {
  const ranges = JSON.stringify([
    ...leaves.flatMap(({ field, ranges }, leaf) =>
      ranges.map((range) => encodeRange(leaf, indexField(field), range)),
    ),
    [collectionLeaf, '', { hex: '' }],
  ])
  return sql`term_ranges AS MATERIALIZED (
      SELECT
        item.value ->> 0 AS leaf,
        item.value ->> 1 AS field,
        ${sql.raw(rangeEnd(2, lowest))} AS low,
        ${sql.raw(`iif(json_array_length(item.value) = 3, ${rangeEnd(2, lowest)}, ${rangeEnd(3, highest)})`)} AS high,
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

/** SQL for bounds beyond all values of the index: below all numbers, above all blobs. */
const [lowest, highest] = ['-9e999', "x'FF'"]

/** SQL for an end of the range `item`, or `bound` if the range is open there. */
const rangeEnd = (index: number, bound: string) => `CASE json_type(item.value, '$[${index}]')
  WHEN 'null' THEN ${bound}
  WHEN 'object' THEN unhex(item.value ->> '$[${index}].hex')
  ELSE item.value ->> ${index} END`

/** SQL that tests a term, with the columns of `term_ranges`. One without an operator passes by its range. */
const isCertain = testText(
  'operator',
  { text: 'text', pattern: 'pattern', isBeginning: 'long' },
  'operator IS NULL',
)
