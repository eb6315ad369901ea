import { isObject } from '../model/json.ts'
import type { ImportTarget } from './target.ts'

/** A target that takes the records of another organisation and makes them the target's own; a record of any third organisation is an error. */
export function createMovedTarget(target: ImportTarget, organisationId: string): ImportTarget {
  const checkOrganisation = (input: unknown) =>
    isObject(input) && (input.managedBy ?? organisationId) !== organisationId
      ? [
          {
            field: 'managedBy',
            message: `must be ${organisationId}.`,
            code: 'not_allowed' as const,
          },
        ]
      : []
  return {
    ...target,
    check(input, before) {
      const errors = checkOrganisation(input)
      return errors.length > 0 ? { errors } : target.check(omitOrganisation(input), before)
    },
    merge(before, patch) {
      const errors = checkOrganisation(patch)
      return errors.length > 0 ? { errors } : target.merge(before, omitOrganisation(patch))
    },
  }
}

function omitOrganisation(input: unknown): unknown {
  if (!isObject(input)) return input
  const { managedBy: _, ...rest } = input
  return rest
}
