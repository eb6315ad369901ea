/** The permissions that a key can have. */
export const permissions = [
  'read',
  'create-members',
  'write',
  'assistant',
  'manage-webhooks',
] as const

export type KeyPermission = (typeof permissions)[number]

/**
 * `take-registers` is part of `write`, and all that a steward may do. `see-member-fields` is only a part
 * of others: who creates members needs the definitions of their fields.
 */
export type Permission = KeyPermission | 'take-registers' | 'see-member-fields'

/** The permissions that include another one. */
const including: Partial<Record<Permission, readonly Permission[]>> = {
  'take-registers': ['write'],
  'see-member-fields': ['read', 'create-members'],
}

/** The permissions that satisfy a requirement: each that includes it, and itself. */
export const sufficientPermissions = (needed: Permission): Permission[] => [
  ...(including[needed] ?? []),
  needed,
]

/** The permissions to read and write everything, which no assistant has. */
export const fullPermissions: readonly KeyPermission[] = ['read', 'create-members', 'write']

/** The permissions to add and remove webhooks over the API. A webhook tells only what its key may read. */
export const webhookPermissions: readonly KeyPermission[] = ['read', 'manage-webhooks']

/** The contract's default permissions of a new key. */
export const defaultPermissions: readonly KeyPermission[] = ['read', 'create-members']

/** The permissions of an assistant's key, which never writes. */
export const assistantPermissions: readonly KeyPermission[] = ['read', 'assistant']

/** The error message for invalid permissions; undefined for valid ones. */
export function validatePermissions(names: readonly string[]): string | undefined {
  if (names.length === 0 || names.some((name) => !permissions.some((known) => known === name)))
    return `must be one or more of ${permissions.join(', ')}.`
  if (names.includes('assistant') && formatPermissions(names) !== assistantPermissions.join(','))
    return `must be ${assistantPermissions.join(' and ')} for an assistant: its key cannot write.`
  if (names.includes('manage-webhooks') && !names.includes('read'))
    return 'must include read with manage-webhooks: a webhook reports only records that its key may read.'
  return undefined
}

/** Formats permissions for the database, in a fixed order. `write` includes `create-members`. */
export const formatPermissions = (names: readonly string[]) =>
  permissions
    .filter(
      (name) => names.includes(name) || (name === 'create-members' && names.includes('write')),
    )
    .join(',')
