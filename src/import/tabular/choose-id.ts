import { isIdLike, plain, systemOf, usualName } from './called.ts'
import type { ColumnFacts } from './column-facts.ts'
import type { Mapping } from './mapping.ts'
import { isOfRest } from './rest.ts'
import type { Survey } from './survey.ts'

/** What a record's id is, or is made of, and what is to be said of it. */
export type ChosenId = { id: Mapping['id']; decisions: string[] }

/** Systems that number the rows of each file anew: such a number is nobody's id. */
const counting: Readonly<Record<string, readonly string[]>> = { 'Microsoft Forms': ['id'] }

/** The columns that say nothing of a record: they number the rows of a file, or tell why a row was not imported. */
export function countersAmong(headings: readonly string[]): string[] {
  const numbered = counting[systemOf(headings) ?? ''] ?? []
  return headings.filter((heading) => numbered.includes(plain(heading)) || isOfRest(heading))
}

/** What is known beside the file: the column that is said, and what its rows are. */
type Known = {
  said: string | undefined
  areAnswers: boolean
  arePeople: boolean
  /** Whether columns tell a record from the others. */
  tells: (columns: readonly string[]) => boolean
  /** Whether all rows are bookings of one event: the next sheet may number other people the same. */
  isPerEvent: boolean
}

/**
 * What makes a record the same in the next file: the column that is said, or one of ids, each of
 * them once and in every row, but for a few that people have twice; else what tells the rows from
 * each other, which for answers to a form is when they were given.
 */
export function chosenId(
  headings: readonly string[],
  survey: Survey,
  idPlace: string | undefined,
  { said, areAnswers, arePeople, tells, isPerEvent }: Known,
): ChosenId {
  if (isPerEvent) {
    const { id } = chosenId(headings, survey, idPlace, {
      ...{ said, areAnswers, arePeople, tells, isPerEvent: false },
    })
    const named = id.columns.map((heading) => `"${heading}"`).join(' and ')
    return {
      id: { ...id, isMade: true },
      decisions: [`A booking is known by its event and its ${named}.`],
    }
  }
  if (said !== undefined) return { id: { columns: [said], isMade: false }, decisions: [] }
  const counters = countersAmong(headings)
  const ids = uniqueColumns(headings, survey).filter(
    (heading) => heading === idPlace || (!areAnswers && isIdLike(heading) && tells([heading])),
  )
  const own = ids.find((heading) => heading === idPlace) ?? ids[0]
  if (own !== undefined) {
    const decisions = [`A record's id is its "${own}", which is in every row and never twice.`]
    return { id: { columns: [own], isMade: false }, decisions }
  }
  const nearly = wholeColumns(headings, survey, ({ isNearlyUnique }) => isNearlyUnique)
  const doubled =
    nearly.find((heading) => heading === idPlace) ?? (arePeople ? nearly.find(isIdLike) : undefined)
  if (doubled !== undefined) {
    const decisions = [
      `A record's id is its "${doubled}", which is in every row and hardly ever twice: a row with the id of an earlier one is a fault.`,
    ]
    return { id: { columns: [doubled], isMade: false }, decisions }
  }
  const key = survey.keys.find(
    (columns) =>
      tells(columns) &&
      !columns.some((heading) => counters.includes(heading)) &&
      // Who answers a form twice has two answers.
      (!areAnswers || columns.some((heading) => usualName(heading) === 'Created')),
  )
  if (key) return { id: { columns: [...key], isMade: true }, decisions: [madeOf(key)] }
  return {
    id: wholeRow(headings, survey),
    decisions: [
      'No columns tell every record from the others, so an id is made of the whole row: a row that changes will be a new record. Choose a column for it, if one is unique.',
    ],
  }
}

/** The columns that could be ids: in every row, and never twice. */
export const uniqueColumns = (headings: readonly string[], survey: Survey): string[] =>
  wholeColumns(headings, survey, ({ isUnique }) => isUnique)

function wholeColumns(
  headings: readonly string[],
  survey: Survey,
  fits: (facts: ColumnFacts) => boolean,
): string[] {
  const counters = countersAmong(headings)
  return headings.filter((heading) => {
    const facts = survey.columns.get(heading)
    const isWhole = facts !== undefined && fits(facts) && facts.filled === survey.rows
    return isWhole && facts.longest <= 255 && !counters.includes(heading)
  })
}

/** An id that is made of all that a row holds. */
export const wholeRow = (headings: readonly string[], survey: Survey): Mapping['id'] => ({
  columns: headings.filter((heading) => (survey.columns.get(heading)?.filled ?? 0) > 0),
  isMade: true,
})

function madeOf(key: readonly string[]): string {
  const named = key.map((heading) => `"${heading}"`).join(' and ')
  const email = key.length === 1 && key.some((heading) => usualName(heading) === 'Email')
  const change = email
    ? 'Who changes their address will be a new record.'
    : 'Who changes these will be a new record.'
  return `No column holds ids, so one is made of ${named}. ${change}`
}
