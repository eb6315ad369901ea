import type { Context } from 'hono'
import { isErrorOf } from '../../model/api-error.ts'
import { isPostcodeField } from '../../model/properties/area-fields.ts'
import {
  type Field,
  type Kind,
  kindNames,
  kinds,
  parseStoredSchema,
} from '../../model/properties/schema.ts'
import type { FieldPath, Predicate } from '../../model/query/predicate.ts'
import { openBudget } from '../../store/query/query-reader.ts'
import { readVisibleSchemas } from '../../store/read/single.ts'
import { readTermCounts } from '../../store/read/term-counts.ts'
import type { Store } from '../../store/store.ts'
import { readMatched } from '../../store/summary/read-matched.ts'
import type { CollectionInfo } from '../collection/collection-info.ts'
import { formatFilters } from '../filters/filters.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { collectionPath } from '../ui/paths.ts'
import { type Check, maxListed } from './check.ts'

/** Finds the people with a postcode and no ward. */
export const findUnknownPostcodes: Check['find'] = async ({ c, collection, hasWards }) => {
  const { kind, fields, label: people } = collection
  const postcodes = fields.filter(isPostcodeField)
  if (!kind || postcodes.length === 0 || !(await hasWards())) return []
  return Promise.all(
    postcodes.map(async (field) => ({
      label: `${people}: ${field.label}`,
      count: await countWithoutWard(c.var.store, kind, field),
      href: locateUnknown(c, collection, field),
      listIds: async () => (await listWithoutWard(c.var.store, kind, field)).slice(0, maxListed),
    })),
  )
}

/** The list of the people with a postcode and without its ward; undefined if the user does not see both. */
function locateUnknown(
  c: Context<DashboardEnv>,
  { name, properties }: CollectionInfo,
  field: Field,
): string | undefined {
  const find = (wanted: string) => properties.find((property) => property.name === wanted)
  const [postcode, ward] = [find(field.id), find(wardOf(field))]
  if (!postcode || !ward) return undefined
  const filters = [
    { property: postcode, values: [], known: 'true' },
    { property: ward, values: [''] },
  ]
  return `${collectionPath(c, name)}?${formatFilters(filters)}`
}

const wardOf = ({ id }: Field) => `${id}.ward`

/** Whether anybody of the organisation has a ward. Otherwise the operator has loaded no postcodes, and all are unknown. */
export async function readHasWards(store: Store): Promise<boolean> {
  const schemas = await readVisibleSchemas(store, kindNames)
  for (const kind of kindNames) {
    const wards = parseStoredSchema(schemas[kind]).fields.filter(isPostcodeField).map(wardOf)
    const terms = wards.length > 0 ? await readTermCounts(store, kind, wards) : undefined
    if (terms && terms.fields.size > 0) return true
  }
  return false
}

/** Counts the people with a postcode and without its ward. Undefined if there are too many to read. */
async function countWithoutWard(
  store: Store,
  kind: Kind,
  field: Field,
): Promise<number | undefined> {
  try {
    const [postcodes] = await readWithoutWard(store, kind, field, [])
    const counts = [...(postcodes?.countRecords().values() ?? [])]
    return counts.reduce((total, count) => total + count, 0)
  } catch (error) {
    if (isErrorOf(error, 'BAD_REQUEST')) return undefined
    throw error
  }
}

/** The ids of the people with a postcode and without its ward. */
async function listWithoutWard(store: Store, kind: Kind, field: Field): Promise<string[]> {
  const id = { path: [kinds[kind].id], isList: false }
  const [postcodes, ids] = await readWithoutWard(store, kind, field, [id])
  // Each person has an id, so its code is the number of the person.
  return (ids?.values ?? [])
    .filter((_, record) => (postcodes?.codesOf(record).length ?? 0) > 0)
    .map(String)
}

/** Reads the postcode and other fields of the people without its ward. */
function readWithoutWard(store: Store, kind: Kind, field: Field, others: readonly FieldPath[]) {
  const predicate: Predicate = {
    field: { path: [wardOf(field)], isList: false },
    operator: 'eq',
    value: null,
  }
  const budget = openBudget(store, 'There are too many people.')
  const postcode = { path: [field.id], isList: false }
  return readMatched(store, kind, [postcode, ...others], { predicate, budget })
}
