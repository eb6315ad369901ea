import { type SQL, sql } from 'drizzle-orm/sql'
import type { FieldPath } from '../../model/query/predicate.ts'
import { blockSize } from '../bitmap/bits.ts'
import { integer, text } from '../columns.ts'
import { ofCollection, ofOrganisation } from '../fragments.ts'
import { OrdinalSet } from '../query/ordinal-set.ts'
import { indexField } from '../query/plan.ts'
import type { QueryReader } from '../query/query-reader.ts'
import { indexColumn } from '../query/sort-keys.ts'
import { toScalar } from '../query/term-ranges.ts'
import type { Scope } from '../statement.ts'
import type { ValueColumn } from './column.ts'
import type { NumberedRecords } from './numbered-records.ts'
import {
  isPacked,
  packedFieldNames,
  packOf,
  packSize,
  parsePack,
  withoutValue,
} from './packed-fields.ts'
import { addValues, readDocuments, selectValues } from './read-documents.ts'
import { fillFromIndex, type IndexCost } from './read-index.ts'

/** The number of packs of a field, of term ids, and of records that a statement reads. */
const chunkPacks = 100
const chunkTerms = 20_000
const chunkRecords = 5000

/** With more changes than this after the packed version, packs are not read. */
const maxChanges = 20_000

/** The number of rows for each of a list of term ids or ordinals: an item of the list, and the row that it finds. */
const rowsPerItem = 2

/** A field to read, with its column. */
type Target = { field: FieldPath; column: ValueColumn }

/** The column of a head with the version up to which the packs have all changes; NULL without packs. */
export const selectPackedVersion = (
  scope: Scope,
  fields: readonly FieldPath[],
): Record<string, SQL> =>
  fields.some((field) => isPacked(scope.collection, field))
    ? {
        packed_version: sql`(SELECT version FROM packed_organisations
          WHERE ${ofOrganisation(scope)} AND fields = ${packedFieldNames})`,
      }
    : {}

/**
 * Adds the values of some fields to columns: from packs, from the index where that takes fewer rows, and from the
 * documents of records that changed after they were packed. Returns false, with the columns empty, if all documents
 * are fewer rows.
 *
 * Records may change or be deleted between the statements. So the packs are read before the terms that they refer to, and
 * only then which records have changed, and which exist: the terms of the others meant the same throughout.
 */
export async function fillFromPacks(
  reader: QueryReader,
  fields: readonly FieldPath[],
  costs: readonly IndexCost[],
  records: NumberedRecords,
  columns: readonly ValueColumn[],
): Promise<boolean> {
  const plan = planPacks(reader, fields, costs, records, columns)
  const maxRows = Math.min(records.ordinals.length, reader.rowsLeft)
  if (!plan || 2 * plan.rows > maxRows) return false
  const packs: PackedIds[] = []
  for (const target of plan.packed) packs.push(await readPacks(reader, target, records))
  const items = packs.reduce((sum, { ids, unpacked }) => sum + ids.length + unpacked, 0)
  if (plan.rows + rowsPerItem * items > maxRows) return false
  const values: PackedValues[] = []
  for (const pack of packs) values.push(await readTerms(reader, pack))
  const changed = await addChanged(reader, plan, records)
  const existing = await fillFromIndex(
    reader,
    plan.indexed.map(({ field }) => field),
    records,
    columnsOf(plan.indexed),
    true,
  )
  const unpacked: number[] = []
  for (const [record, ordinal] of records.ordinals.entries()) {
    if (changed.has(record) || !existing.has(ordinal)) continue
    if (values.every((value) => value.isKnown(record)))
      for (const value of values) value.add(record)
    else unpacked.push(record)
  }
  await addUnpacked(reader, plan, records, unpacked)
  return true
}

/** The packed version, which fields to read from packs and which from the index, and the rows for that besides terms. */
type PackPlan = { packedVersion: number; packed: Target[]; indexed: Target[]; rows: number }

/** The plan to read packs; undefined without packs, or if a field is neither packed nor in the index with few values. */
function planPacks(
  { head, version, scope }: QueryReader,
  fields: readonly FieldPath[],
  costs: readonly IndexCost[],
  { ordinals }: NumberedRecords,
  columns: readonly ValueColumn[],
): PackPlan | undefined {
  if (typeof head.packed_version !== 'number') return undefined
  const packedVersion = head.packed_version
  const changes = version - packedVersion
  if (changes > maxChanges) return undefined
  const [first = 0, last = 0] = [ordinals[0], ordinals.at(-1)]
  const packs = packOf(last) - packOf(first) + 1
  const blocks = Math.floor(last / blockSize) + 1
  const plan: PackPlan = { packedVersion, packed: [], indexed: [], rows: changes + blocks }
  for (const [index, field] of fields.entries()) {
    const column = columns[index]
    const cost = costs[index]
    if (!column) continue
    const costOfPacks = packs + rowsPerItem * (cost?.values ?? 0)
    if (isPacked(scope.collection, field) && !(cost && cost.rows <= costOfPacks)) {
      plan.packed.push({ field, column })
      plan.rows += packs
    } else if (cost) {
      plan.indexed.push({ field, column })
      plan.rows += cost.rows
    } else return undefined
  }
  return plan
}

/** The term ids of the matched records in a field. */
type PackedIds = {
  target: Target
  /** The different ids. */
  ids: string[]
  /** For each record the index of its id, or one of `noValue` and `notPacked`. */
  idOf: Int32Array
  /** The number of records that are not packed. */
  unpacked: number
}

const noValue = -1
const notPacked = -2

async function readPacks(
  reader: QueryReader,
  target: Target,
  { ordinals, recordOf }: NumberedRecords,
): Promise<PackedIds> {
  const indexes = new Map<string, number>([
    [withoutValue, noValue],
    ['', notPacked],
  ])
  const ids: string[] = []
  const idOf = new Int32Array(ordinals.length).fill(notPacked)
  const [first, last] = [packOf(ordinals[0] ?? 0), packOf(ordinals.at(-1) ?? 0)]
  for (let start = first; start <= last; start += chunkPacks) {
    const end = Math.min(last, start + chunkPacks - 1)
    const packs = await reader.select({
      columns: { pack: integer(sql`pack`), termIds: text(sql`term_ids`) },
      from: sql`FROM packed_columns WHERE ${ofCollection(reader.scope, reader.scope.collection, 'packed_columns')}
        AND field = ${indexField(target.field)}
        AND pack BETWEEN ${sql.raw(String(start))} AND ${sql.raw(String(end))}`,
    })
    for (const { pack, termIds } of packs)
      for (const [place, id] of parsePack(termIds).entries()) {
        const record = recordOf(pack * packSize + place)
        if (record === undefined) continue
        const known = indexes.get(id)
        if (known === undefined) indexes.set(id, ids.length)
        idOf[record] = known ?? ids.push(id) - 1
      }
  }
  return { target, ids, idOf, unpacked: idOf.filter((index) => index === notPacked).length }
}

/** The values of the matched records in a field, as far as the packs have them. */
type PackedValues = {
  isKnown: (record: number) => boolean
  /** Adds the value of a record to the column of the field. */
  add: (record: number) => void
}

/** Reads the values of the ids. The term of an id may be deleted with a record that matched. */
async function readTerms(
  reader: QueryReader,
  { target: { field, column }, ids, idOf }: PackedIds,
): Promise<PackedValues> {
  const codes = new Map<string, number>()
  for (let start = 0; start < ids.length; start += chunkTerms) {
    const terms = await reader.select({
      columns: { id: text(sql`terms.id`), value: indexColumn('terms.value') },
      from: sql`FROM json_each(${`[${ids.slice(start, start + chunkTerms).join()}]`}) AS item
        CROSS JOIN terms ON terms.id = item.value
        WHERE ${ofCollection(reader.scope, reader.scope.collection, 'terms')}
          AND field = ${indexField(field)}`,
    })
    for (const { id, value: indexed } of terms) {
      const value = toScalar(indexed)
      codes.set(id, value === '' ? noValue : column.encode(value))
    }
  }
  const codeOfId = ids.map((id) => codes.get(id) ?? notPacked)
  const codeOf = (record: number) => {
    const index = idOf[record] ?? notPacked
    return index < 0 ? index : (codeOfId[index] ?? notPacked)
  }
  return {
    isKnown: (record) => codeOf(record) !== notPacked,
    add: (record) => {
      const code = codeOf(record)
      if (code !== noValue) column.add(record, code)
    },
  }
}

/** Adds the values of the matched records that changed after they were packed. Returns the numbers of these records. */
async function addChanged(
  reader: QueryReader,
  { packed, packedVersion }: PackPlan,
  { recordOf }: NumberedRecords,
): Promise<ReadonlySet<number>> {
  const { scope } = reader
  const rows = await reader.select({
    columns: {
      ordinal: integer(sql`ordinal`),
      ...selectValues(packed.map(({ field }) => field)),
    },
    from: sql`FROM records INDEXED BY records_by_version WHERE ${ofCollection(scope, scope.collection)}
      AND version > ${sql.raw(String(packedVersion))}`,
  })
  const changed = new Set<number>()
  for (const { ordinal, ...values } of rows) {
    const record = recordOf(ordinal)
    if (record === undefined) continue
    changed.add(record)
    addValues(columnsOf(packed), record, values)
  }
  return changed
}

/** Adds the values of records that are not packed. */
async function addUnpacked(
  reader: QueryReader,
  { packed }: PackPlan,
  { ordinals }: NumberedRecords,
  unpacked: readonly number[],
): Promise<void> {
  const blocks = Math.floor((ordinals.at(-1) ?? 0) / blockSize) + 1
  const matched = new OrdinalSet(0, blocks)
  for (const record of unpacked) matched.add(ordinals[record] ?? 0)
  const columns = selectValues(packed.map(({ field }) => field))
  await readDocuments(reader, matched, { columns, chunkRecords }, (index, values) =>
    addValues(columnsOf(packed), unpacked[index] ?? 0, values),
  )
}

const columnsOf = (targets: readonly Target[]) => targets.map(({ column }) => column)
