/** What a credential may do (additions 4): read everything, create members, write everything. */
export const rights = ['read', 'create-members', 'write'] as const

export type Right = (typeof rights)[number]

/** What a key may do unless told otherwise, as the contract has it. */
export const usualRights: readonly Right[] = ['read', 'create-members']

/** What is wrong with rights for a key, in words; undefined when nothing is. */
export function faultOfRights(given: readonly string[]): string | undefined {
  if (given.length === 0 || given.some((right) => !rights.some((known) => known === right)))
    return `must be one or more of ${rights.join(', ')}.`
  const missing = usualRights.filter((right) => !given.includes(right))
  // Who replaces a record is shown it, and may create any.
  if (given.includes('write') && missing.length > 0)
    return `must have ${missing.join(' and ')} for write.`
  return undefined
}

/** Rights as they are kept, in their order. */
export const rightsText = (given: readonly string[]) =>
  rights.filter((right) => given.includes(right)).join(',')
