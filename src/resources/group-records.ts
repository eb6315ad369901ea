import { visibleReferences } from '../access/query-fields.ts'
import { invalidField } from '../model/api-error.ts'
import { collectionTitle } from '../model/collection.ts'
import { valueAt } from '../model/json.ts'
import type { Scalar } from '../model/query/predicate.ts'
import { unknownName } from '../model/query/resolve.ts'
import { type Reference, references } from '../model/references.ts'
import { formatNumber } from '../platform/format-number.ts'
import { readCounts, type ValueCounts } from '../store/read/count-by.ts'
import type { GroupQuery, GroupReader, ValueGroups } from '../store/read/groups.ts'
import type { Store } from '../store/store.ts'
import { collections } from './collections.ts'
import { loadCollection } from './resources.ts'
import { recordTypesOf } from './routes/expand.ts'

const maxReferenced = 1000
const pageSize = 250

/** A reference and the name of a field of the referenced records. */
type ReferencedField = { reference: Reference; field: string }

/** How to read the parts of groups by a field of a collection, and how to combine the parts of several groups. */
export type GroupParts<Parts> = {
  read: GroupReader<Parts>
  /** The parts of several groups as one, or of none. */
  combine(parts: readonly Parts[]): Parts
}

/** The number of records in each group. */
export const recordCounts: GroupParts<number> = {
  read: readCounts,
  combine: (counts) => counts.reduce((total, count) => total + count, 0),
}

/** Counts the records in each group, the largest first. */
export async function countGroups(
  store: Store,
  collection: string,
  query: GroupQuery,
): Promise<ValueCounts> {
  const { groups, total, isCut } = await groupRecords(store, collection, query, recordCounts)
  const sorted = groups
    .flatMap(({ value, parts }) => (value === null ? [] : [{ value, count: parts }]))
    .toSorted((one, other) => other.count - one.count)
  return {
    groups: sorted.slice(0, query.limit),
    missing: groups.find(({ value }) => value === null)?.parts ?? 0,
    total,
    isCut: isCut || sorted.length > query.limit,
  }
}

/**
 * Groups the records of a collection by one of their fields, or by a field of a referenced record such as
 * `event.tags`. Throws 400 for a name that the policy does not show, and for a field of more than 1,000
 * referenced records.
 */
export function groupRecords<Parts>(
  store: Store,
  collection: string,
  query: GroupQuery,
  parts: GroupParts<Parts>,
): Promise<ValueGroups<Parts>> {
  const reference = findReference(collection, query.by)
  return reference
    ? groupByReference(store, reference, query, parts)
    : groupByField(store, collection, query, parts.read)
}

async function groupByField<Parts>(
  store: Store,
  collection: string,
  query: GroupQuery,
  read: GroupReader<Parts>,
): Promise<ValueGroups<Parts>> {
  const { resource } = await loadCollection(collection)
  return resource.kind
    ? read(store, collection, query)
    : read(store, collection, query, {
        record: () => resource.collection.record,
        findRecordType: recordTypesOf(collections),
      })
}

/** The reference in a name such as `event.tags`; undefined for a field of the collection itself. */
function findReference(collection: string, name: string): ReferencedField | undefined {
  const [first = '', ...rest] = name.split('.')
  const reference = references.find((it) => it.from === collection && it.name === first)
  return reference && rest.length > 0 ? { reference, field: rest.join('.') } : undefined
}

/** Groups by the reference first, then by the values of the referenced records. Hidden records are an error like unknown names. */
async function groupByReference<Parts>(
  store: Store,
  { reference, field }: ReferencedField,
  { by, ...query }: GroupQuery,
  { read, combine }: GroupParts<Parts>,
): Promise<ValueGroups<Parts>> {
  const { from, path, to } = reference
  if (!(await isVisible(store, reference))) throw unknownName('count', by, [])
  const byReference = await groupByField(
    store,
    from,
    { ...query, by: path, limit: maxReferenced },
    read,
  )
  if (byReference.isCut) throw tooMany(by, to)
  const ids = byReference.groups.flatMap(({ value }) => (value === null ? [] : [String(value)]))
  const values = await readValues(store, { to, field, by }, ids)
  const byValue = Map.groupBy(
    byReference.groups.flatMap(({ value: id, parts }) => {
      const referenced = id === null ? [] : (values.get(String(id)) ?? [])
      return (referenced.length > 0 ? referenced : [null]).map((value) => ({ value, parts }))
    }),
    ({ value }) => value,
  )
  const groups = [...byValue].map(([value, all]) => ({
    value,
    parts: combine(all.map(({ parts }) => parts)),
  }))
  return { groups, total: byReference.total, isCut: false }
}

async function isVisible({ policy }: Store, { from, name }: Reference): Promise<boolean> {
  const { resource } = await loadCollection(from)
  if (resource.kind) return false
  const visible = visibleReferences(policy, from, resource.collection.record)
  return visible.some((reference) => reference.name === name)
}

/** Reads the values of a field of some records, by id. */
async function readValues(
  store: Store,
  { to, field, by }: { to: string; field: string; by: string },
  ids: readonly string[],
): Promise<Map<string, readonly Scalar[]>> {
  const { list, resource } = await loadCollection(to)
  const values = new Map<string, readonly Scalar[]>()
  for (let start = 0; start === 0 || start < ids.length; start += pageSize) {
    const page = await list.page(store, {
      limit: pageSize,
      offset: 0,
      filters: [],
      ids: ids.slice(start, start + pageSize),
    })
    const columns = page.columns()
    const column = columns.find(({ name }) => name === field)
    if (!column)
      throw unknownName(
        'count',
        by,
        columns.map(({ name }) => `${by.slice(0, -field.length)}${name}`),
      )
    for (const document of page.documents()) {
      const record: unknown = JSON.parse(document)
      const value = valueAt(record, column.path)
      const scalars = (Array.isArray(value) ? value : [value]).filter(isScalar)
      values.set(String(valueAt(record, [resource.id])), [...new Set(scalars)])
    }
  }
  return values
}

const isScalar = (value: unknown): value is Scalar =>
  ['string', 'number', 'boolean'].includes(typeof value) && value !== ''

const tooMany = (by: string, to: string) =>
  invalidField(
    'count',
    'too_large',
    `${by} counts at most ${formatNumber(maxReferenced)} ${collectionTitle(to)}. Add a filter, such as a shorter range of dates.`,
  )
