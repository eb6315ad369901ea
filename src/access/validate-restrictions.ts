import { type Collection, collectionNames } from '../model/collection.ts'
import type { Kind, Schema } from '../model/properties/schema.ts'
import { messages, type ValidationError } from '../model/validation-error.ts'
import { fieldCategories, isFieldCategory } from './field-categories.ts'
import { canBeHidden } from './hidden-properties.ts'
import { validateNetwork } from './networks.ts'
import { maxOrigins, validateOrigin } from './origins.ts'
import type { Restrictions } from './restrictions.ts'

/** The collections and schemas of an organisation. */
export type RecordTypes = {
  collections: readonly Collection[]
  schemas: Partial<Record<Kind, Schema>>
}

/** Validates the restrictions of a key. An unknown field name is an error, because a typo would leave the field visible. */
export const validateRestrictions = (
  { collections = [], allowFrom = [], hideFields = [], origins = [] }: Restrictions,
  types: RecordTypes,
): ValidationError[] =>
  [
    ...collections.map((name) => ({
      field: 'collections',
      code: 'not_allowed' as const,
      message: withName(
        name,
        collectionNames.includes(name) ? undefined : messages.oneOf(collectionNames),
      ),
    })),
    ...allowFrom.map((network) => ({
      field: 'allowFrom',
      code: 'invalid_format' as const,
      message: withName(network, validateNetwork(network)),
    })),
    ...hideFields.map((name) => ({
      field: 'hideFields',
      code: 'unknown_field' as const,
      message: withName(name, validateName(name, types)),
    })),
    ...origins.slice(0, maxOrigins).map((origin) => ({
      field: 'origins',
      code: 'invalid_format' as const,
      message: withName(origin, validateOrigin(origin)),
    })),
    {
      field: 'origins',
      code: 'too_long' as const,
      message: origins.length > maxOrigins ? `must be at most ${maxOrigins}.` : undefined,
    },
  ].flatMap(({ message, ...error }) => (message === undefined ? [] : [{ ...error, message }]))

const withName = (name: string, error: string | undefined) => error && `${name} ${error}`

function validateName(name: string, { collections, schemas }: RecordTypes): string | undefined {
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
