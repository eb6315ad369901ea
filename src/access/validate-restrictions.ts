import type { ValidationError } from '../model/validation-error.ts'
import {
  type ListRestriction,
  listedNames,
  type RecordTypes,
  type Restrictions,
  restrictionNames,
  restrictionTable,
} from './restrictions.ts'

/** Validates the restrictions of a key. An unknown field name is an error, because a typo would leave the field visible. */
export const validateRestrictions = (values: Restrictions, types: RecordTypes): ValidationError[] =>
  restrictionNames.flatMap((field) => {
    const restriction = restrictionTable[field]
    return 'validate' in restriction
      ? validateNames(listedNames(values, field), restriction, types).map((error) => ({
          field,
          ...error,
        }))
      : []
  })

function validateNames(
  names: readonly string[],
  { validate, code, maxNames = names.length }: ListRestriction,
  types: RecordTypes,
): Omit<ValidationError, 'field'>[] {
  const errors = names.slice(0, maxNames).flatMap((name) => {
    const message = validate(name, types)
    return message === undefined ? [] : [{ code, message: `${name} ${message}` }]
  })
  return names.length > maxNames
    ? [...errors, { code: 'too_long', message: `must be at most ${maxNames}.` }]
    : errors
}
