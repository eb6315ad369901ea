import { isObject } from '../model/is-object.ts'
import type { Target } from './target.ts'

/** A target that takes the records of another organisation and makes them the target's own; a record of any third organisation is an error. */
export function movedTarget(target: Target, organisationId: string): Target {
  const errorsOf = (given: unknown) =>
    isObject(given) && (given.managedBy ?? organisationId) !== organisationId
      ? [{ field: 'managedBy', reason: `must be ${organisationId}.` }]
      : []
  return {
    ...target,
    check(given, before) {
      const faults = errorsOf(given)
      return faults.length > 0 ? { faults } : target.check(withoutOrganisation(given), before)
    },
    merge(before, patch) {
      const faults = errorsOf(patch)
      return faults.length > 0 ? { faults } : target.merge(before, withoutOrganisation(patch))
    },
  }
}

function withoutOrganisation(given: unknown): unknown {
  if (!isObject(given)) return given
  const { managedBy: _, ...rest } = given
  return rest
}
