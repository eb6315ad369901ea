import { valueAt } from './value-at.ts'

/** A property that names a record of another collection by its id, or several by theirs. */
export type Reference = {
  /** The collection, and the dotted path of the property in its records. */
  from: string
  path: string
  to: string
  /** Whether the property may be empty: it is emptied when the record it names is deleted. */
  optional?: true
}

const linked = (from: string): Reference[] =>
  (['members', 'partners', 'volunteers'] as const).map((to) => ({
    from,
    path: `linkedEntities.${to.slice(0, -1)}Ids`,
    to,
    optional: true,
  }))

/** Every reference that must lead somewhere (additions 1). A record makes no sense without those it names by one that is not optional, and is deleted with them. */
export const references: readonly Reference[] = [
  { from: 'bookings', path: 'eventId', to: 'events' },
  { from: 'bookings', path: 'childEventId', to: 'events' },
  { from: 'bookings', path: 'memberId', to: 'members', optional: true },
  { from: 'survey-responses', path: 'surveyId', to: 'forms' },
  ...linked('survey-responses'),
  ...linked('case-notes'),
  { from: 'grant-applications', path: 'fundId', to: 'funds' },
  { from: 'disbursements', path: 'grantId', to: 'grant-applications' },
  { from: 'disbursements', path: 'fundId', to: 'funds' },
]

/** Returns the properties of a collection's records that hold references. */
export const referringProperties = (collection: string): string[] =>
  references.filter(({ from }) => from === collection).map(({ path }) => path.replace(/\..*/, ''))

/** What a record names by a reference: the ids, each with its own path. */
export function referencedIds(
  { path }: Reference,
  record: Readonly<Record<string, unknown>>,
): { path: string; id: string }[] {
  const value = valueAt(record, path.split('.'))
  if (typeof value === 'string') return [{ path, id: value }]
  if (!Array.isArray(value)) return []
  return value.map((id, place) => ({ path: `${path}.${place}`, id: String(id) }))
}

/** Whether a record names anybody but `id` in the lists that a reference to people is one of; a single name is of one person. */
export function hasReferences(
  { path }: Reference,
  record: Readonly<Record<string, unknown>>,
  id: string,
): boolean {
  const [lists = '', own] = path.split('.')
  if (own === undefined) return false
  return Object.entries(record[lists] as Record<string, string[]>).some(([list, ids]) =>
    ids.some((it) => it !== '' && (list !== own || it !== id)),
  )
}
