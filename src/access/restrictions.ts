import * as z from 'zod'
import {
  type Collection,
  collectionLabel,
  collectionNames,
  collectionTitle,
} from '../model/collection.ts'
import type { Kind, Schema } from '../model/properties/schema.ts'
import { type ErrorCode, messages } from '../model/validation-error.ts'
import { joinNames } from '../platform/join-names.ts'
import { categoryLabels, fieldCategories, isFieldCategory } from './field-categories.ts'
import { canBeHidden } from './hidden-properties.ts'
import { validateNetwork } from './networks.ts'
import { maxOrigins, validateOrigin } from './origins.ts'

/**
 * The schema of a key's restrictions; an absent one restricts nothing. `listOf` builds the schema of a list of
 * names, which are of `values` if given.
 */
export const restrictionsType = (
  listOf: (values?: readonly string[]) => z.ZodType<readonly string[]>,
) =>
  z.strictObject({
    collections: listOf(collectionNames)
      .optional()
      .meta({ description: 'The only visible collections.', examples: [['members']] }),
    privateNotes: z
      .literal(false, 'must be false.')
      .optional()
      .meta({ description: '`false` if private case notes are hidden.' }),
    allowFrom: listOf()
      .optional()
      .meta({
        description: 'The networks that the key works from.',
        examples: [['203.0.113.0/24']],
      }),
    hideFields: listOf()
      .optional()
      .meta({
        description: 'The hidden fields: ids, paths and categories.',
        examples: [['email']],
      }),
    origins: listOf()
      .optional()
      .meta({
        description: 'The web origins that may use the key from their pages; by default none.',
        examples: [['https://www.example.org']],
      }),
  })

const anyRestrictions = restrictionsType(() => z.array(z.string()).readonly())

export type Restrictions = Readonly<z.output<typeof anyRestrictions>>

export type RestrictionName = keyof Restrictions

export const restrictionNames: readonly RestrictionName[] = anyRestrictions.keyof().options

/** The collections and schemas of an organisation. */
export type RecordTypes = {
  collections: readonly Collection[]
  schemas: Partial<Record<Kind, Schema>>
}

/** What a key can read, for sentences about it. */
type Reader = {
  restrictions: Restrictions
  canRead: boolean
  collections: readonly string[]
  /** The labels of the hidden fields of a collection. */
  hiddenLabels: (collection: string) => readonly string[]
}

/** A field of the key form: checkboxes of its options, or without them any other names, one per line. */
export type RestrictionField = {
  name: string
  label: string
  /** What the summary of errors calls it. */
  summaryLabel?: string
  help?: string
  options?: readonly { value: string; label: string }[]
}

type RestrictionBase = {
  /** Whether it limits where the key can be used, instead of what it can see. */
  limitsUse?: true
  /** Its part of the line that summarises a key's access. */
  summary: (restrictions: Restrictions) => string | false | undefined
  sentences: (reader: Reader) => readonly string[]
}

/** A restriction that lists names. */
export type ListRestriction = RestrictionBase & {
  maxNames?: number
  /** The code of errors of names. */
  code: ErrorCode
  /** The error of a name, if any. */
  validate: (name: string, types: RecordTypes) => string | undefined
  /** The fields of the key form. An error is shown at the last one. */
  fields: readonly RestrictionField[]
  /** The option of the command line; `none` lifts the restriction. */
  option: { argument: string; none: string; description: string }
}

/** A restriction that is on or off. */
type SwitchRestriction = RestrictionBase & {
  /** The checkbox of the key form, in the group of another field. */
  checkbox: { group: string; label: string }
  /** The options of the command line that lift and set the restriction. */
  option: { lift: string; set: string }
}

/** The restrictions in the order of their options. Their effects are in `restriction-effects.ts`. */
export const restrictionTable: Readonly<
  Record<RestrictionName, ListRestriction | SwitchRestriction>
> = {
  collections: {
    code: 'not_allowed',
    validate: (name) =>
      collectionNames.includes(name) ? undefined : messages.oneOf(collectionNames),
    summary: ({ collections }) => collections && `only ${collections.join(', ')}`,
    // Other sentences name the collections.
    sentences: () => [],
    fields: [
      {
        name: 'collections',
        label: 'Kinds of records (tick none to allow all)',
        summaryLabel: 'Kinds of records:',
        options: collectionNames.map((value) => ({ value, label: collectionLabel(value) })),
      },
    ],
    option: {
      argument: 'names',
      none: 'all',
      description: 'restrict the key to these collections, or "all"',
    },
  },
  privateNotes: {
    summary: ({ privateNotes }) => privateNotes === false && 'no private notes',
    sentences: ({ restrictions: { privateNotes }, canRead, collections }) =>
      canRead && privateNotes === false && collections.includes('case-notes')
        ? ['Private case notes are not there for it.']
        : [],
    checkbox: { group: 'hiddenCategories', label: 'private case notes' },
    option: {
      lift: 'show private case notes to the key (the default)',
      set: 'hide private case notes from the key',
    },
  },
  allowFrom: {
    limitsUse: true,
    code: 'invalid_format',
    validate: validateNetwork,
    summary: ({ allowFrom }) => allowFrom && `from ${allowFrom.join(', ')}`,
    sentences: ({ restrictions: { allowFrom } }) => [
      allowFrom
        ? `It can be used from ${joinNames(allowFrom)} only.`
        : 'It can be used from anywhere.',
    ],
    fields: [
      {
        name: 'allowFrom',
        label: 'Allowed IP addresses or networks, one per line (leave empty to allow all)',
        summaryLabel: 'Allowed IP addresses or networks:',
        help: 'For example “203.0.113.7”, “203.0.113.0/24” or “2001:db8::/32”.',
      },
    ],
    option: {
      argument: 'networks',
      none: 'anywhere',
      description: 'accept the key only from these addresses or networks, or from "anywhere"',
    },
  },
  hideFields: {
    code: 'unknown_field',
    validate: validateHiddenField,
    summary: ({ hideFields }) => hideFields && `without ${hideFields.join(', ')}`,
    sentences: ({ canRead, collections, hiddenLabels }) =>
      (canRead ? collections : []).flatMap((name) => {
        const labels = hiddenLabels(name)
        return labels.length > 0
          ? [`Of ${collectionTitle(name)}, it does not see ${joinNames(labels)}.`]
          : []
      }),
    fields: [
      {
        name: 'hiddenCategories',
        label: 'Hidden fields',
        options: fieldCategories.map((value) => ({ value, label: categoryLabels[value] })),
      },
      {
        name: 'hiddenFields',
        label: 'Other hidden fields, one per line',
        summaryLabel: 'Other hidden fields:',
        help: 'The id of a field of people, such as “demographics.ethnicity”, or the path of a property, such as “venue.postcode”.',
      },
    ],
    option: {
      argument: 'fields',
      none: 'nothing',
      description: 'hide fields from the key, by category, id or path, or "nothing"',
    },
  },
  origins: {
    limitsUse: true,
    maxNames: maxOrigins,
    code: 'invalid_format',
    validate: validateOrigin,
    summary: ({ origins }) => origins && `in pages of ${origins.join(', ')}`,
    sentences: ({ restrictions: { origins } }) =>
      origins
        ? [
            `Web pages of ${joinNames(origins)} can use it, so everybody who opens them can copy it.`,
          ]
        : [],
    fields: [
      {
        name: 'origins',
        label: 'Web pages that may use it, one origin per line (leave empty to allow none)',
        summaryLabel: 'Web pages that may use it:',
        help: 'For example “https://www.example.org”. Everybody who opens such a page can copy the key: let it only create members, or read no personal data.',
      },
    ],
    option: {
      argument: 'origins',
      none: 'none',
      description:
        'let web pages of these origins use the key, such as https://www.example.org, or "none"',
    },
  },
}

/** The order of restrictions in sentences and forms: first what the key can see, then where it can be used. */
export const restrictionsInWords = [
  ...restrictionNames.filter((name) => !restrictionTable[name].limitsUse),
  ...restrictionNames.filter((name) => restrictionTable[name].limitsUse),
]

/** The restrictions of a new assistant's key: an assistant sees free text and private notes only if somebody allows it. */
export const assistantRestrictions = {
  privateNotes: false,
  hideFields: ['free text'],
} as const satisfies Restrictions

/** Builds restrictions from the value of each. */
export const buildRestrictions = (
  toValue: (name: RestrictionName) => Restrictions[RestrictionName],
): Restrictions =>
  anyRestrictions.parse(Object.fromEntries(restrictionNames.map((name) => [name, toValue(name)])))

/** The names that a restriction lists; none for a switch. */
export function listedNames(values: Restrictions, name: RestrictionName): readonly string[] {
  const value = values[name]
  return value === undefined || value === false ? [] : value
}

/** Serialises restrictions for the database. Equal restrictions have equal text; empty ones become null. */
export function serialiseRestrictions(values: Restrictions): string | null {
  const text = JSON.stringify(
    buildRestrictions((name) =>
      values[name] === false ? false : sorted(listedNames(values, name)),
    ),
  )
  return text === '{}' ? null : text
}

const sorted = (names: readonly string[]) =>
  names.length > 0 ? [...new Set(names)].toSorted() : undefined

function validateHiddenField(
  name: string,
  { collections, schemas }: RecordTypes,
): string | undefined {
  const fields = Object.values(schemas).flatMap(({ fields }) => fields)
  if (isFieldCategory(name)) return undefined
  if (fields.some(({ id }) => id === name || id.startsWith(`${name}.`))) return undefined
  const records = collections.map(({ record }) => record)
  const hideable = canBeHidden(name, records)
  if (hideable === 'no') return 'cannot be hidden, because every record requires it.'
  return hideable === 'unknown'
    ? `must be a kind (${fieldCategories.join(', ')}), the id of a field of people, or the path of a property of records.`
    : undefined
}
