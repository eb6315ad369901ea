/** The permissions of a credential (additions 4). */
export const permissions = ['read', 'create-members', 'write'] as const

export type Permission = (typeof permissions)[number]

/** The permissions of a new key, as in the contract. */
export const defaultPermissions: readonly Permission[] = ['read', 'create-members']

/** Returns the error message for invalid permissions; undefined for valid ones. */
export function validatePermissions(given: readonly string[]): string | undefined {
  if (given.length === 0 || given.some((right) => !permissions.some((known) => known === right)))
    return `must be one or more of ${permissions.join(', ')}.`
  return undefined
}

/** Formats permissions for the database, in a fixed order. `write` includes `create-members`. */
export const formatPermissions = (given: readonly string[]) =>
  permissions
    .filter(
      (right) => given.includes(right) || (right === 'create-members' && given.includes('write')),
    )
    .join(',')
