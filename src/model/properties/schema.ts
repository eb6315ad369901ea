import type { Option } from '../value-types.ts'
import type { fieldTypeNames } from './field-types.ts'

/** The collections of people. */
export const kindNames = ['members', 'volunteers', 'partners'] as const

/** A kind of people: the name of their collection. */
export type Kind = (typeof kindNames)[number]

/** How the contract treats a kind of people. */
type KindDefinition = {
  /** The key of the single envelope, the property with the id, and the name of a schema that has none. */
  singular: string
  id: string
  schemaName: string
  /** The link from a person to the schema. */
  schemaRelation: 'schema' | 'self'
  /** The permission that reads the schema. */
  schemaPermission: 'read' | 'see-member-fields'
  /** Whether lists have a total. */
  isCounted: boolean
  /** Whether lists have the filter `postcode`. */
  hasPostcodeFilter: boolean
  /** The part of a request for one person that names the organisation. */
  organisation: 'record' | 'query'
}

const ofOthers = {
  schemaRelation: 'self',
  schemaPermission: 'read',
  isCounted: true,
  hasPostcodeFilter: true,
  organisation: 'query',
} as const

export const kinds = {
  members: {
    singular: 'member',
    id: 'memberId',
    schemaName: 'Member Schema',
    schemaRelation: 'schema',
    schemaPermission: 'see-member-fields',
    isCounted: false,
    hasPostcodeFilter: false,
    organisation: 'record',
  },
  volunteers: {
    ...ofOthers,
    singular: 'volunteer',
    id: 'volunteerId',
    schemaName: 'Volunteer Schema',
  },
  partners: {
    ...ofOthers,
    singular: 'partner',
    id: 'partnerId',
    schemaName: 'Partner Schema',
  },
} as const satisfies Record<Kind, KindDefinition>

export const isKind = (name: string): name is Kind => Object.hasOwn(kinds, name)

const ids: string[] = Object.values(kinds).map(({ id }) => id)

/** Ids that no field may have, because they have another meaning in queries, bodies and responses. */
export const reservedFieldIds: readonly string[] = [
  ...ids,
  'fields',
  'schemaInfo',
  'organisationId',
  'limit',
  'offset',
]

/** A field definition with its options, if any. */
export type Field = {
  id: string
  name: string
  label: string
  type: (typeof fieldTypeNames)[number]
  order: number
  options?: Option[] | undefined
}

/** A stored schema: its name and its fields in display order. */
export type Schema = { name: string; fields: Field[] }

/** Parses a stored schema. Returns an empty schema for undefined. */
export const parseStoredSchema = (text: string | undefined): Schema =>
  text === undefined ? { name: '', fields: [] } : JSON.parse(text)

/** The stored values of a person by field id. */
export type Values = Record<string, unknown>

/*
 * The internal keys of a person's document. Responses never show them, and they begin with `$`,
 * unlike the ids of fields.
 */
export const internalKeys = {
  /** The postcodes and outward codes without spaces, for the `postcode` filter of volunteers and partners. */
  postcode: '$postcode',
  /** The prefix of a key for filters: a field's id follows, and the value is its postcode without spaces. */
  postcodePrefix: '$postcode.',
  /** The edition of the postcode directory that the person's areas come from. */
  edition: '$edition',
  /** The date of the answer that filled a field, or the time when the field was cleared, by field id. */
  answerDates: '$answered',
} as const

export const isInternalKey = (key: string) => key.startsWith('$')
