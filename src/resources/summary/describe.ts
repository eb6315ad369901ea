import type { AccessPolicy } from '../../access/access-policy.ts'
import {
  collectionLabel,
  formatRecordCount,
  oneRecord,
  recordNoun,
} from '../../model/collection.ts'
import { englishDates } from '../../model/dates.ts'
import { measureRules } from '../../model/summary/measure-names.ts'
import { formatNumber } from '../../platform/format-number.ts'
import { joinNames } from '../../platform/join-names.ts'
import { formatCount } from '../../platform/pluralise.ts'
import type { Summary } from '../../store/summary/read-summary.ts'
import type { ShownFigures } from './hide-small.ts'
import type { SummaryRequest } from './summary-request.ts'

type Described = {
  summary: Summary
  shown: ShownFigures
  /** The number of groups, also of those beyond the limit. */
  groupCount: number
  today: string
}

/** Says in sentences what a summary counted, over what, and what it left out. */
export function describeSummary(
  policy: AccessPolicy,
  collection: string,
  request: SummaryRequest,
  described: Described,
): string {
  return [
    describeTotal(collection, request, described),
    ...describeGroups(collection, request, described),
    ...describePeople(collection, request, described),
    ...describeMeasures(request, described),
    ...(policy.hiddenRecords(collection).length > 0
      ? ['Records that are hidden from these credentials are not counted.']
      : []),
  ].join(' ')
}

function describeTotal(
  collection: string,
  { words }: SummaryRequest,
  { shown: { total }, summary: { withoutPerson } }: Described,
): string {
  const where = words.length > 0 ? `, where ${words.join(' and ')}` : ''
  if (!total) return `${collectionLabel(collection)}${where}.`
  const count = formatRecordCount(Number(total.get('count')?.value ?? 0), collection)
  const people = total.get('people')?.value
  const isKnown = typeof people === 'number' && withoutPerson !== undefined
  return `${describeRecordCount(count, isKnown ? people : undefined)}${where}.`
}

/** A number of records in words, with the number of different people if it is known. */
export const describeRecordCount = (records: string, people: number | undefined): string =>
  people === undefined
    ? records
    : `${records} of ${formatCount(people, 'person', 'different people')}`

function describeGroups(
  collection: string,
  { by, limit }: SummaryRequest,
  { summary, shown, groupCount }: Described,
): string[] {
  if (by.length === 0) return []
  const names = joinNames(by.map(({ text }) => text))
  const { withoutGroup } = shown
  const missing = withoutGroup ? Number(withoutGroup.get('count')?.value ?? 0) : undefined
  const records =
    missing === undefined
      ? `${collectionLabel(collection)}`
      : formatRecordCount(missing, collection)
  const isOne = missing === 1
  return [
    `Grouped by ${names}.`,
    ...(missing === 0 ? [] : [`${records} without a value ${isOne ? 'is' : 'are'} in no group.`]),
    ...(summary.overlaps
      ? [
          `${oneRecord(recordNoun(collection))} with several values is in several groups, so the groups do not add up to the total.`,
        ]
      : []),
    ...(groupCount > limit
      ? [`The first ${formatNumber(limit)} of ${formatNumber(groupCount)} groups are listed.`]
      : []),
  ]
}

function describePeople(
  collection: string,
  { hideBelow = 0 }: SummaryRequest,
  { summary: { withoutPerson = 0 } }: Described,
): string[] {
  if (withoutPerson === 0) return []
  const records =
    withoutPerson < hideBelow
      ? collectionLabel(collection)
      : formatRecordCount(withoutPerson, collection)
  return [describeWithoutPerson(records, withoutPerson === 1 && hideBelow <= 1)]
}

export const describeWithoutPerson = (records: string, isOne: boolean): string =>
  `${records} without a person ${isOne ? 'is' : 'are'} not counted among the people.`

function describeMeasures(
  { by, measures, isCompared, hideBelow }: SummaryRequest,
  { today }: Described,
): string[] {
  return [
    ...(by.some(({ bucket, ageOn }) => bucket === 'age' && ageOn === undefined)
      ? [`Ages are those on ${englishDates.formatDay(today)}.`]
      : []),
    ...(measures.some(({ measure }) => measure === 'share')
      ? ['A share is that of yes among the records with yes or no.']
      : []),
    ...(measures.some(({ measure }) => measure === 'shareOfPeople')
      ? ['A share of people is that of yes among those with yes or no.']
      : []),
    ...(measures.some(({ measure }) => measureRules[measure].readsDates)
      ? [
          'First and last records are by date, and of the people with at least two that have a number.',
        ]
      : []),
    ...(isCompared
      ? ['`previous` has the same figures a year earlier, with ages of that time.']
      : []),
    ...(hideBelow === undefined
      ? []
      : [
          `Groups with a number from 1 to ${hideBelow - 1} are hidden, and others from which it could be computed.`,
        ]),
  ]
}
