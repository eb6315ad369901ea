import { type Collection, collectionNames } from '../model/collection.ts'
import type { Kind, Schema } from '../model/properties/schema.ts'
import { messages, type ValidationError } from '../model/validation-error.ts'
import { fieldCategories, isFieldCategory } from './field-categories.ts'
import { canBeHidden } from './hidden-properties.ts'
import { validateNetwork } from './networks.ts'
import type { Restrictions } from './restrictions.ts'

/** The collections and schemas of an organisation. */
export type RecordTypes = {
  collections: readonly Collection[]
  schemas: Partial<Record<Kind, Schema>>
}

/** Validates the restrictions of a key. An unknown field name is an error: a typo must not hide nothing. */
export const validateRestrictions = (
  { collections = [], allowFrom = [], hideFields = [] }: Restrictions,
  types: RecordTypes,
): ValidationError[] =>
  [
    ...collections.map((name) => ({
      field: 'collections',
      code: 'not_allowed' as const,
      message: named(
        name,
        collectionNames.includes(name) ? undefined : messages.oneOf(collectionNames),
      ),
    })),
    ...allowFrom.map((network) => ({
      field: 'allowFrom',
      code: 'invalid_format' as const,
      message: named(network, validateNetwork(network)),
    })),
    ...hideFields.map((name) => ({
      field: 'hideFields',
      code: 'unknown_field' as const,
      message: named(name, faultOfName(name, types)),
    })),
  ].flatMap(({ message, ...error }) => (message === undefined ? [] : [{ ...error, message }]))

const named = (name: string, fault: string | undefined) => fault && `${name} ${fault}`

function faultOfName(name: string, { collections, schemas }: RecordTypes): string | undefined {
  const fields = Object.values(schemas).flatMap(({ fields }) => fields)
  if (isFieldCategory(name)) return undefined
  if (fields.some(({ id }) => id === name || id.startsWith(`${name}.`))) return undefined
  const records = collections.map(({ record }) => record)
  const found = canBeHidden(name, records)
  if (found === 'no') return 'is what no record can be without.'
  return found === 'unknown'
    ? `must be a kind (${fieldCategories.join(', ')}), the id of a field of people, or the path of a property of records.`
    : undefined
}
