import { sql } from 'drizzle-orm/sql'
import { integer } from '../columns.ts'
import { OrdinalSet } from './ordinal-set.ts'
import { isLeaf, type Leaf, type Plan } from './plan.ts'
import type { QueryReader } from './query-reader.ts'
import type { Blocks } from './read-blocks.ts'
import { jsonPath } from './sort-keys.ts'
import { applyFunction, patternAt } from './term-functions.ts'
import { testText } from './term-operators.ts'

/*
 * Evaluates a plan, the tree of a filter's `and`, `or` and `not`, on sets of records. Its leaves are single
 * comparisons, and the index has given the records of each: for `town eq 'Leeds' or not (visits gt 5)`, the union
 * of one set with the complement of another.
 *
 * The index has only the first 256 bytes of a long text, so it cannot decide `contains(notes, 'x')` for a record
 * with longer notes. Therefore each result is two sets: the records that pass for certain, and all that may
 * pass. `not` swaps them. The query then reads the documents in between.
 */

/** The records that pass. Both are the same set if the index decides, because the sets of many leaves take memory. */
export type Matches = { certain: OrdinalSet; possible: OrdinalSet }

export const exactly = (set: OrdinalSet): Matches => ({ certain: set, possible: set })

/** The matches of each leaf, by its number. */
export function matchLeaves({ terms, first, width }: Blocks, leafCount: number): Matches[] {
  const undecided = new Set(terms.filter(({ isCertain }) => !isCertain).map(({ leaf }) => leaf))
  const matches = Array.from({ length: leafCount }, (_, leaf) => {
    const possible = new OrdinalSet(first, width)
    return { possible, certain: undecided.has(leaf) ? new OrdinalSet(first, width) : possible }
  })
  for (const { leaf, isCertain, words } of terms) {
    const { certain, possible } = matches[leaf] ?? {}
    possible?.addWords(words)
    if (isCertain && certain !== possible) certain?.addWords(words)
  }
  return matches
}

/** The matches of a plan, from those of its leaves. May contain ordinals that no record has, as a complement does. */
export function evaluate(
  plan: Plan,
  matchesOf: (leaf: Leaf) => Matches,
  everything: OrdinalSet,
): Matches {
  const evaluatePart = (part: Plan): Matches => {
    if (isLeaf(part)) return matchesOf(part)
    if ('and' in part) return part.and.map(evaluatePart).reduce(intersect, exactly(everything))
    if ('or' in part) return part.or.map(evaluatePart).reduce(unite, exactly(everything.invert()))
    return invert(evaluatePart(part.not))
  }
  return evaluatePart(plan)
}

export const intersect = (one: Matches, other: Matches) => combine('intersect', one, other)

const unite = (one: Matches, other: Matches) => combine('unite', one, other)

function combine(operation: 'intersect' | 'unite', one: Matches, other: Matches): Matches {
  const certain = one.certain[operation](other.certain)
  const isDecided = one.certain === one.possible && other.certain === other.possible
  return { certain, possible: isDecided ? certain : one.possible[operation](other.possible) }
}

function invert({ certain, possible }: Matches): Matches {
  const inverted = possible.invert()
  return { certain: inverted, possible: certain === possible ? inverted : certain.invert() }
}

/** The matches of each leaf after comparing the long texts of the records with these ordinals: exact for these records. */
export async function testLongTexts(
  reader: QueryReader,
  leaves: readonly Leaf[],
  matches: readonly Matches[],
  ordinals: readonly number[],
  { first, width }: Blocks,
): Promise<Matches[]> {
  const rows = await reader.select(passingRows(reader, leaves, ordinals))
  const tested = new OrdinalSet(first, width)
  for (const ordinal of ordinals) tested.add(ordinal)
  const results = matches.map((found) => ({ ...found, passing: new OrdinalSet(first, width) }))
  for (const { leaf, ordinal } of rows) results[leaf]?.passing.add(ordinal)
  return results.map(({ certain, possible, passing }) => {
    const decided = certain.unite(passing)
    return { certain: decided, possible: possible.subtract(tested.subtract(decided)) }
  })
}

/** A row for each pair of a leaf, by its number, and one of these records that has a long text which passes the leaf's test. */
function passingRows({ scope }: QueryReader, leaves: readonly Leaf[], ordinals: readonly number[]) {
  const tests = leaves.flatMap(({ field, longTest }, leaf) => {
    if (!longTest) return []
    return [{ leaf, path: jsonPath(field), ...longTest }]
  })
  const text = applyFunction(`test.value ->> 'fieldFunction'`, 'element.atom')
  const pattern = patternAt('test.value', '$.patterns[0]')
  // Only the operator `in` has several patterns, and it has no function.
  const isAnyPattern = `element.atom IN (SELECT value FROM json_each(test.value, '$.patterns'))`
  // `element` comes from the document, so its text is whole. Only the index shortens texts.
  const passes = testText(
    `test.value ->> 'operator'`,
    { text, pattern, isBeginning: 'false' },
    isAnyPattern,
  )
  const columns = {
    leaf: integer(sql`test.value ->> 'leaf'`),
    ordinal: integer(sql`records.ordinal`),
  }
  const from = sql`
    FROM json_each(${JSON.stringify(ordinals)}) AS item
    CROSS JOIN records ON records.ordinal = item.value
      AND organisation_id = ${scope.organisationId} AND records.collection = ${scope.collection}
    CROSS JOIN json_each(${JSON.stringify(tests)}) AS test
    WHERE EXISTS (
      SELECT 1 FROM json_each(records.document, test.value ->> 'path') AS element
      WHERE element.type = 'text' AND octet_length(element.atom) > 256
        AND ${sql.raw(passes)}
    )`
  return { columns, from }
}
