import { valueAt } from './json.ts'

/** A property that holds the id or ids of records in another collection. */
export type Reference = {
  /** The collection with the property. */
  from: string
  /** The dotted path of the property. */
  path: string
  /** The collection of the referenced records. */
  to: string
  /** The name of the referenced record in queries, such as `event` in `event.tags`; lists of people have none. */
  name?: string
  /** The name of the referenced record on pages, if it is not `name` in words. */
  label?: string
  /** Whether the property may be empty: deleting the referenced record clears it. */
  optional?: true
}

/** A reference that queries can follow. */
export type NamedReference = Reference & { name: string }

const linkedPeople = (from: string): Reference[] =>
  (['members', 'partners', 'volunteers'] as const).map((to) => ({
    from,
    path: `linkedEntities.${to.slice(0, -1)}Ids`,
    to,
    optional: true,
  }))

/** Every reference between collections. `$cascade` also deletes the records with a required reference to a deleted one. */
export const references: readonly Reference[] = [
  { from: 'bookings', path: 'eventId', to: 'events', name: 'event' },
  {
    from: 'bookings',
    path: 'childEventId',
    to: 'events',
    name: 'childEvent',
    label: 'Series date',
  },
  { from: 'bookings', path: 'memberId', to: 'members', name: 'member', optional: true },
  { from: 'survey-responses', path: 'surveyId', to: 'forms', name: 'form' },
  ...linkedPeople('survey-responses'),
  ...linkedPeople('case-notes'),
  { from: 'grant-applications', path: 'fundId', to: 'funds', name: 'fund' },
  { from: 'disbursements', path: 'grantId', to: 'grant-applications', name: 'application' },
  { from: 'disbursements', path: 'fundId', to: 'funds', name: 'fund' },
]

/** The references of a collection that queries can follow. */
export const namedReferences = (collection: string): NamedReference[] =>
  references.flatMap((reference) =>
    reference.from === collection && reference.name !== undefined
      ? [{ ...reference, name: reference.name }]
      : [],
  )

export const referringProperties = (collection: string): string[] =>
  references.filter(({ from }) => from === collection).map(({ path }) => path.replace(/\..*/, ''))

/** The ids that a record holds in a reference, each with its path. */
export function referencedIds(
  { path }: Reference,
  record: Readonly<Record<string, unknown>>,
): { path: string; id: string }[] {
  const value = valueAt(record, path.split('.'))
  if (typeof value === 'string') return [{ path, id: value }]
  if (!Array.isArray(value)) return []
  return value.map((id, index) => ({ path: `${path}.${index}`, id: String(id) }))
}

/**
 * Whether a record refers to other people too, besides the person `id` in this reference. False for
 * a reference to a single record.
 */
export function refersToOthers(
  { path }: Pick<Reference, 'path'>,
  record: Readonly<Record<string, unknown>>,
  id: string,
): boolean {
  const [parent = '', ownList] = path.split('.')
  if (ownList === undefined) return false
  return Object.entries(record[parent] as Record<string, string[]>).some(([list, ids]) =>
    ids.some((it) => it !== '' && (list !== ownList || it !== id)),
  )
}
