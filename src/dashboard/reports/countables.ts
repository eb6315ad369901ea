import { collectionTitle, recordNoun } from '../../model/collection.ts'
import { referencesToPeople } from '../../model/properties/people-references.ts'
import { pagesOf } from '../collections/collections.ts'
import type { FilterProperty, ListFilter } from '../filters/filter.ts'

/** Something that reports count: the records of a collection, or some of them. */
export type Countable = {
  /** The name in a report's address. */
  name: string
  collection: string
  singular: string
  plural: string
  /** The names of the usual grouping and date. Records of people have none with a fixed name. */
  by?: string
  date?: string
}

/** Everything that reports count, in the order of the choice. */
export const countables: readonly [Countable, ...Countable[]] = [
  countRecords('members'),
  countRecords('volunteers'),
  countRecords('partners'),
  {
    ...countRecords('bookings'),
    name: 'attendances',
    singular: 'attendance',
    plural: 'attendances',
  },
  countRecords('bookings'),
  countRecords('events'),
  countRecords('survey-responses'),
  countRecords('case-notes'),
  countRecords('grant-applications'),
  countRecords('disbursements'),
  countRecords('funds'),
  countRecords('forms'),
]

function countRecords(name: string): Countable {
  return {
    name,
    collection: name,
    singular: recordNoun(name),
    plural: collectionTitle(name),
    ...pagesOf(name).report,
  }
}

/** The filters of a list with the bookings of a report on attendances. */
export function conditionsOf(
  { name }: Countable,
  properties: readonly FilterProperty[],
): ListFilter[] {
  if (name !== 'attendances') return []
  return properties
    .filter((property) => property.name === 'came')
    .map((property) => ({ property, values: ['true'] }))
}

/** The filters of a list with the records that refer to no person. */
export const withoutPersonOf = (
  { collection }: Countable,
  properties: readonly FilterProperty[],
): ListFilter[] => {
  const paths = referencesToPeople(collection).map(({ path }) => path)
  return properties
    .filter(({ name }) => paths.includes(name))
    .map((property) => ({ property, values: [''] }))
}

/** Bookings that attendances leave out, in words, and the filters of their list. */
export type LeftOut = { words: string; filters: readonly ListFilter[] }

/** The bookings of people who did not come, which attendances leave out. */
export function leftOutOf({ name }: Countable, properties: readonly FilterProperty[]): LeftOut[] {
  const status = properties.find((property) => property.name === 'orgStatus')
  if (name !== 'attendances' || !status) return []
  return [
    { words: 'of people who did not come', filters: [{ property: status, values: ['absent'] }] },
  ]
}

/** The reference of the records to people, if they have a single one that the user sees; people's own records have none. */
export function personReferenceOf(
  { collection }: Countable,
  properties: readonly FilterProperty[],
): { path: string; to: string } | undefined {
  const [reference, ...others] = referencesToPeople(collection)
  const isVisible = properties.some(({ name }) => name === reference?.path)
  return isVisible && others.length === 0 ? reference : undefined
}
