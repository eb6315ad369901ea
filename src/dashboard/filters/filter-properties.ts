import type { Context } from 'hono'
import { visibleDerived } from '../../access/query-fields.ts'
import { toLabel } from '../../model/properties/compile.ts'
import { namedReferences } from '../../model/references.ts'
import { isObjectList } from '../../model/value-types.ts'
import { showsAttendance } from '../../resources/routes/add-not-marked.ts'
import {
  type CollectionInfo,
  type DescribeCollection,
  describeCollection,
} from '../collection/collection-info.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { attendanceProperty } from './attendance.tsx'
import type { FilterProperty } from './filter.ts'

/**
 * The properties that filters of a list can name. Those of referenced records, such as
 * `event.tags` of bookings, are loaded only for references that `isNeeded` accepts by name.
 */
export async function loadFilterProperties(
  c: Context<DashboardEnv>,
  collection: CollectionInfo,
  isNeeded: (reference: string) => boolean,
  describe: DescribeCollection = (name) => describeCollection(c, name),
): Promise<FilterProperty[]> {
  const references = namedReferences(collection.name).filter(({ name }) => isNeeded(name))
  const referenced = await Promise.all(
    references.map(async ({ name, to, label: record = toLabel(name) }) => {
      const properties = listOwn(await describe(to))
      return properties.map((property) => ({
        ...property,
        name: `${name}.${property.name}`,
        label: `${record} ${startLower(property.label)}`,
        referenced: { record, label: property.label },
      }))
    }),
  )
  const attendance =
    collection.kind === 'members' && showsAttendance(c.var.store) ? [attendanceProperty] : []
  return [
    ...listOwn(collection),
    ...listDerived(c, collection),
    ...referenced.flat(),
    ...attendance,
  ]
}

/** Whether a list's query names a referenced record's property. */
export const namesReference = (params: URLSearchParams) => (reference: string) =>
  [...params.keys()].some((name) => name.startsWith(`${reference}.`))

/** The properties that the service derives, such as `came` of bookings. */
function listDerived(c: Context<DashboardEnv>, { name, list }: CollectionInfo): FilterProperty[] {
  const derived = visibleDerived(c.var.store.policy, name, list.types)
  return derived ? [{ name: derived.name, label: toLabel(derived.name), type: 'boolean' }] : []
}

/** A collection's own properties and its id. */
function listOwn({ id, properties }: CollectionInfo): FilterProperty[] {
  const own = properties.filter((property) => !isObjectList(property))
  return own.some(({ name }) => name === id)
    ? own
    : [{ name: id, label: 'Id', type: 'text', isTechnical: true }, ...own]
}

/** Starts a label in lower case, except an abbreviation such as "GP surgery". */
const startLower = (label: string) =>
  /^\p{Lu}\p{Ll}/u.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label
