/** What a credential may do (additions 4): read everything, create members, write everything. */
export const rights = ['read', 'create-members', 'write'] as const

export type Right = (typeof rights)[number]

/** What a key may do unless told otherwise, as the contract has it. */
export const usualRights: readonly Right[] = ['read', 'create-members']

/** What is wrong with rights for a key, in words; undefined when nothing is. */
export function faultOfRights(given: readonly string[]): string | undefined {
  if (given.length === 0 || given.some((right) => !rights.some((known) => known === right)))
    return `must be one or more of ${rights.join(', ')}.`
  return undefined
}

/** Rights as they are kept, in their order. Who may write everything may create members. */
export const rightsText = (given: readonly string[]) =>
  rights
    .filter(
      (right) => given.includes(right) || (right === 'create-members' && given.includes('write')),
    )
    .join(',')
