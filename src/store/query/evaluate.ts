import { sql } from 'drizzle-orm/sql'
import { integer } from '../columns.ts'
import { OrdinalSet } from './ordinal-set.ts'
import { isLeaf, type Leaf, type Plan } from './plan.ts'
import type { QueryReader } from './query-reader.ts'
import type { Blocks } from './read-blocks.ts'
import { jsonPath } from './sort-keys.ts'
import { applyFunction, patternAt } from './term-functions.ts'
import { testText } from './term-operators.ts'

/**
 * The records that pass for certain, and the ones that may pass: the index has only the beginning of
 * long texts. Both are the same set if the index decides, because sets of many leaves take memory.
 */
export type Matches = { certain: OrdinalSet; possible: OrdinalSet }

/** The matches of each leaf. */
export function matchLeaves({ terms, first, width }: Blocks, leaves: number): Matches[] {
  const undecided = new Set(terms.filter(({ isCertain }) => !isCertain).map(({ leaf }) => leaf))
  const matches = Array.from({ length: leaves }, (_, leaf) => {
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

/** The matches of a plan, from those of its leaves. May contain bits of no record. */
export function evaluate(plan: Plan, leaves: readonly Matches[], everything: OrdinalSet): Matches {
  const rest = leaves.values()
  const nothing = everything.invert()
  const evaluatePart = (part: Plan): Matches => {
    if (isLeaf(part)) return rest.next().value ?? { certain: nothing, possible: nothing }
    if ('not' in part) {
      const { certain, possible } = evaluatePart(part.not)
      const inverted = possible.invert()
      return { certain: inverted, possible: certain === possible ? inverted : certain.invert() }
    }
    const isAnd = 'and' in part
    const initial = isAnd ? everything : nothing
    return (isAnd ? part.and : part.or)
      .map(evaluatePart)
      .reduce((one, other) => join(one, other, isAnd ? 'intersect' : 'unite'), {
        certain: initial,
        possible: initial,
      })
  }
  return evaluatePart(plan)
}

/** The matches within a set. */
export const limitTo = (matches: Matches, set: OrdinalSet): Matches =>
  join(matches, { certain: set, possible: set }, 'intersect')

function join(one: Matches, other: Matches, operation: 'intersect' | 'unite'): Matches {
  const certain = one.certain[operation](other.certain)
  const isDecided = one.certain === one.possible && other.certain === other.possible
  return { certain, possible: isDecided ? certain : one.possible[operation](other.possible) }
}

/** The matches of each leaf, exact for these ordinals: compares their long texts as a whole. */
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
  const passing = leaves.map(() => new OrdinalSet(first, width))
  for (const { leaf, ordinal } of rows) passing[leaf]?.add(ordinal)
  return matches.map(({ certain, possible }, leaf) => {
    const decided = certain.unite(passing[leaf] ?? tested)
    return { certain: decided, possible: possible.subtract(tested.subtract(decided)) }
  })
}

/** The leaves, by number, and the ordinals of the records with a long text that passes. */
function passingRows({ scope }: QueryReader, leaves: readonly Leaf[], ordinals: readonly number[]) {
  const tests = leaves.flatMap(({ field, longTest }, leaf) =>
    longTest
      ? [
          [
            leaf,
            jsonPath(field),
            longTest.operator,
            longTest.fieldFunction,
            longTest.patterns,
          ] as const,
        ]
      : [],
  )
  const text = applyFunction('test.value ->> 3', 'element.atom')
  const pattern = patternAt('test.value', '$[4][0]')
  const isOnePattern = `element.atom IN (SELECT value FROM json_each(test.value, '$[4]'))`
  const columns = { leaf: integer(sql`test.value ->> 0`), ordinal: integer(sql`records.ordinal`) }
  const from = sql`
    FROM json_each(${JSON.stringify(ordinals)}) AS item
    CROSS JOIN records ON records.ordinal = item.value
      AND organisation_id = ${scope.organisationId} AND records.collection = ${scope.collection}
    CROSS JOIN json_each(${JSON.stringify(tests)}) AS test
    WHERE EXISTS (
      SELECT 1 FROM json_each(records.document, test.value ->> 1) AS element
      WHERE element.type = 'text' AND octet_length(element.atom) > 256
        AND ${sql.raw(testText('test.value ->> 2', { text, pattern, isLong: 'false' }, isOnePattern))}
    )`
  return { columns, from }
}
