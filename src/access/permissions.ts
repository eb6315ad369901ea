/** The permissions that a key can have (additions 4). */
export const permissions = ['read', 'create-members', 'write'] as const

export type KeyPermission = (typeof permissions)[number]

/** `take-registers` is part of `write`, and all that a steward may do. */
export type Permission = KeyPermission | 'take-registers'

/** The permissions that include another one. */
const including: Partial<Record<Permission, Permission>> = { 'take-registers': 'write' }

/** Returns the permissions that satisfy a requirement: itself, and one that includes it. */
export const sufficientPermissions = (needed: Permission): Permission[] => {
  const other = including[needed]
  return other ? [other, needed] : [needed]
}

/** The contract's default permissions of a new key. */
export const defaultPermissions: readonly KeyPermission[] = ['read', 'create-members']

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
