import { areaName } from '../../model/properties/area-fields.ts'
import { isBirthDate } from '../../model/properties/recognise.ts'
import { type BucketName, nextYear } from '../../model/summary/buckets.ts'
import { bucketGroup, type NamedGroup, plainGroup } from '../../model/summary/parse-summary.ts'
import { describeValue, type FilterProperty, type ListFilter } from '../filters/filter.ts'
import { valueKinds } from '../ui/value-kinds.ts'
import { describeAges, groupBirthDays } from './age-groups.ts'
import { type CalendarBucket, calendar } from './calendar.ts'

/** A way to group records: by the values of a property, or by a bucket of its dates. */
export type Grouping = {
  /** The name in a report's address, such as `event.start~month`. */
  name: string
  label: string
  /** The choice in the form, under the name of the record that a reference leads to. */
  choice: string
  section: string | undefined
  property: FilterProperty
  bucket?: BucketName
}

const calendarBuckets = Object.keys(calendar) as CalendarBucket[]

/** The ways to group by these properties, in their order. */
export const listGroupings = (properties: readonly FilterProperty[]): Grouping[] =>
  properties.flatMap((property): Grouping[] => {
    const { name, label, type, referenced } = property
    const { groups } = valueKinds[type]
    const section = referenced?.record
    const ownLabel = referenced?.label ?? label
    if (groups === 'none') return []
    if (groups === 'values') {
      const choice = shortLabel({ name, label: ownLabel })
      return [{ name, label: shortLabel(property), choice, section, property }]
    }
    const buckets = isBirthDate(property) ? (['age', ...calendarBuckets] as const) : calendarBuckets
    return buckets.map((bucket) => ({
      name: `${name}~${bucket}`,
      label: labelBucket(bucket, label),
      choice: labelBucket(bucket, ownLabel),
      section,
      property,
      bucket,
    }))
  })

/** The label of a bucket of a date: "Age group", "Month", "Month joined" or "Month (Event start)". */
function labelBucket(bucket: CalendarBucket | 'age', label: string): string {
  if (bucket === 'age') return 'Age group'
  const words = calendar[bucket].label
  if (label === 'Date') return words
  return /^\w+ed$/.test(label) ? `${words} ${label.toLowerCase()}` : `${words} (${label})`
}

/** The group of a summary. `ageOn` is the name of the date on which ages are counted. */
export const toNamedGroup = (
  { property: { name }, bucket }: Grouping,
  ageOn: string | undefined,
): NamedGroup => (bucket ? bucketGroup(bucket, name, { ageOn }) : plainGroup(name))

/** The name of a group, such as "Armley", "Mar 2026", "Jan to Mar 2026" or "No ward". Its key is its value in the summary, or '' for none. */
export function describeGroup({ property, bucket }: Grouping, key: string): string {
  if (key === '') return `No ${startLower(shortLabel(property))}`
  if (bucket === undefined) return describeValue(key, property)
  return bucket === 'age' ? describeAges(key) : calendar[bucket].describe(key)
}

/** The filter of the records in a group; undefined if no list has one, as for the days of the week. */
export function toGroupFilter(
  { property, bucket }: Grouping,
  key: string,
  today: string,
): ListFilter | undefined {
  if (key === '' || bucket === undefined) return { property, values: [key] }
  const days = bucket === 'age' ? groupBirthDays(key, today) : calendar[bucket].days?.(key)
  return days && { property, values: [], ...days }
}

/** The key of the same group a year later. Ages and values stay the same. */
export const nextYearKey = ({ bucket }: Grouping, key: string): string =>
  key === '' || bucket === undefined ? key : nextYear(bucket, key)

/** The label of a property, without the postcode field that an area comes from. */
const shortLabel = ({ name, label }: Pick<FilterProperty, 'name' | 'label'>) =>
  areaName(name) ?? label

/** Starts a label in lower case, except an abbreviation such as "GP surgery". */
export const startLower = (label: string) =>
  /^\p{Lu}\p{Ll}/u.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label
