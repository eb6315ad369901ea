import { limitsOf } from './limits.ts'

/** What a key may do and is held to, as it is kept, in one line. */
export function inBrief({ rights, limits }: { rights: string; limits: string | null }): string {
  const { collections, privateNotes, from, without } = limitsOf(limits)
  return [
    rights.replaceAll(',', ', ').replaceAll('-', ' '),
    collections && `only ${collections.join(', ').replaceAll('-', ' ')}`,
    privateNotes === false && 'no private notes',
    without && `without ${without.join(', ')}`,
    from && `from ${from.join(', ')}`,
  ]
    .filter(Boolean)
    .join('; ')
}
