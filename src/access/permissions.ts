/** The permissions of a credential (additions 4). */
export const permissions = ['read', 'create-members', 'write'] as const

export type Permission = (typeof permissions)[number]

/** The contract's default permissions of a new key. */
export const defaultPermissions: readonly Permission[] = ['read', 'create-members']

/** Returns the error message for invalid permissions; undefined for valid ones. */
export function validatePermissions(names: readonly string[]): string | undefined {
  if (names.length === 0 || names.some((name) => !permissions.some((known) => known === name)))
    return `must be one or more of ${permissions.join(', ')}.`
  return undefined
}

/** Formats permissions for the database, in a fixed order. `write` includes `create-members`. */
export const formatPermissions = (names: readonly string[]) =>
  permissions
    .filter(
      (name) => names.includes(name) || (name === 'create-members' && names.includes('write')),
    )
    .join(',')
