/** What a credential may do (additions 4): read everything, create members, write everything. */
export const permissions = ['read', 'create-members', 'write'] as const

export type Permission = (typeof permissions)[number]

/** What a key may do unless told otherwise, as the contract has it. */
export const defaultPermissions: readonly Permission[] = ['read', 'create-members']

/** What is wrong with rights for a key, in words; undefined when nothing is. */
export function validatePermissions(given: readonly string[]): string | undefined {
  if (given.length === 0 || given.some((right) => !permissions.some((known) => known === right)))
    return `must be one or more of ${permissions.join(', ')}.`
  return undefined
}

/** Rights as they are kept, in their order. Who may write everything may create members. */
export const formatPermissions = (given: readonly string[]) =>
  permissions
    .filter(
      (right) => given.includes(right) || (right === 'create-members' && given.includes('write')),
    )
    .join(',')
