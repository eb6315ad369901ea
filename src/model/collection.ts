import { formatCount } from '../platform/pluralise.ts'
import { ApiError } from './api-error.ts'
import type { RecordProperties } from './record-properties.ts'
import type { ValidationError } from './validation-error.ts'

/** A collection: its names in paths, envelopes and documents, and its types. */
export type Collection = {
  /** The path segment; also the name in the store and of import files. */
  name: string
  /** The keys of the list envelope and the single envelope. */
  plural: string
  singular: string
  /** The property that holds a record's id. */
  id: string
  /** The type of a complete record. */
  record: RecordProperties
  /** The type of a record in lists, if it differs. */
  item?: RecordProperties | undefined
  /** The properties that `prepare` derives from other properties and from the stored record. */
  counted?: readonly string[]
  /** Derives properties of an input record before its validation. */
  prepare?: (
    input: Record<string, unknown>,
    before?: Readonly<Record<string, unknown>>,
  ) => Record<string, unknown>
  /** Finds the errors that the types of single properties cannot see. */
  findErrors?: (record: Readonly<Record<string, unknown>>) => ValidationError[]
}

/** The names of all collections, in the order in which files are imported. */
export const collectionNames = [
  'members',
  'volunteers',
  'partners',
  'events',
  'bookings',
  'forms',
  'survey-responses',
  'case-notes',
  'funds',
  'grant-applications',
  'disbursements',
]

/** A name such as `survey-responses` in words. */
export const collectionTitle = (name: string) =>
  name === 'disbursements' ? 'grant payments' : name.replaceAll('-', ' ')

/** The name of a collection at the start of a line: "Survey responses". */
export const collectionLabel = (name: string) => capitalise(collectionTitle(name))

/** The name of one record of a collection: "survey response". */
export const recordNoun = (name: string) => collectionTitle(name).replace(/s$/, '')

/** A name such as `survey-responses` for identifiers: `SurveyResponses`. */
export const collectionIdentifier = (name: string) => name.split('-').map(capitalise).join('')

/** The name of one record of a collection for identifiers: `SurveyResponse`. */
export const recordIdentifier = (name: string) => collectionIdentifier(name).replace(/s$/, '')

const capitalise = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)

/** A number of records in words: "1 case note", "1,000 bookings". */
export const formatRecordCount = (count: number, collection: string): string =>
  formatCount(count, recordNoun(collection), collectionTitle(collection))

/** The start of a sentence about one record: "An event", "A survey response". */
export const oneRecord = (singular: string) => capitalise(withArticle(singularTitle(singular)))

/** A noun with its indefinite article: "an event", "a case note". */
export const withArticle = (noun: string) => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`

/** A name such as `surveyResponse` in words. */
export const singularTitle = (singular: string) =>
  singular.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

/** The 404 for an unknown id: "There is no survey response with this responseId." */
export const notFound = ({ singular, id }: Pick<Collection, 'singular' | 'id'>) =>
  new ApiError('NOT_FOUND', `There is no ${singularTitle(singular)} with this ${id}.`)
