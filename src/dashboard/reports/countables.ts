import type { FilterProperty, ListFilter } from '../records/list/list-filters.ts'

/** Something that reports count: the records of a collection, or some of them. */
export type Countable = {
  /** The name in a report's address. */
  name: string
  collection: string
  singular: string
  plural: string
  /** The names of the usual grouping and date. Records of people have none with a fixed name. */
  by?: string
  date?: string
}

/** Everything that reports count, in the order of the choice. */
export const countables: readonly [Countable, ...Countable[]] = [
  define('members', 'member'),
  define('volunteers', 'volunteer'),
  define('partners', 'partner'),
  {
    ...define('attendances', 'attendance', { by: 'event.tags', date: 'date' }),
    collection: 'bookings',
  },
  define('bookings', 'booking', { by: 'event.tags', date: 'date' }),
  define('events', 'event', { by: 'tags', date: 'start' }),
  define('survey-responses', 'form response', { by: 'form.name', date: 'date' }),
  define('case-notes', 'note', { by: 'tags', date: 'date' }),
  define('grant-applications', 'grant application', { by: 'status', date: 'dates.submitted' }),
  define('disbursements', 'payment', { by: 'status', date: 'dates.scheduled' }),
  define('funds', 'fund', { by: 'isOpenCall', date: 'dates.start' }),
  define('forms', 'form', { by: 'type', date: 'created' }),
]

function define(
  name: string,
  singular: string,
  usual: Pick<Countable, 'by' | 'date'> = {},
): Countable {
  return { name, collection: name, singular, plural: `${singular}s`, ...usual }
}

/** Returns the conditions that make a record count: an attendance is a booking of a person who came, up to today. */
export function conditionsOf(
  { name }: Countable,
  properties: readonly FilterProperty[],
  today: string,
): ListFilter[] {
  if (name !== 'attendances') return []
  const find = (wanted: string) => properties.filter((property) => property.name === wanted)
  return [
    ...find('attending').map((property) => ({ property, values: ['true'] })),
    ...find('date').map((property) => ({ property, values: [], to: today })),
  ]
}
