import { ApiError } from '../../model/api-error.ts'
import type { Values } from '../../model/properties/schema.ts'
import { fillPeople } from '../../records/fill-people.ts'
import type { Rules } from '../../records/rules.ts'
import { type WriteDestination as Kept, uniqueOf } from '../../records/upsert-batch.ts'
import {
  findSimilarValues,
  findUniqueValueOwners,
  type UniqueValue,
} from '../../store/read/unique-values.ts'
import { recordImport } from '../../store/settings/imports.ts'
import { readBeforeWrite } from '../../store/write/before-write.ts'
import type { NewDocument } from '../../store/write/put.ts'
import { commitWrite } from '../../store/write/write.ts'
import { foldText } from '../parse/text.ts'

/** The stored records that a table is imported into. */
export type TableDestination = {
  organisationId: string
  /** The documents of these records of a collection that are kept, as JSON texts by id. */
  readDocuments(collection: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** The records of a collection that hold such a value. */
  findOwners(
    collection: string,
    values: readonly UniqueValue[],
  ): Promise<(UniqueValue & { id: string })[]>
  /** Finds records by text in some fields, ignoring case, spaces and accents: returns their ids by folded text. */
  findSimilar(
    collection: string,
    fields: readonly string[],
    texts: readonly string[],
  ): Promise<ReadonlyMap<string, readonly string[]>>
  /** Adds derived values, such as areas, to records that replace stored ones. */
  addDerived(
    rules: Rules,
    written: readonly NewDocument[],
    before: ReadonlyMap<string, Values>,
  ): Promise<NewDocument[]>
  /** Writes records with different ids, all or none. Throws 409 if another request has changed one or taken one of their unique values. */
  write(rules: Rules, written: readonly NewDocument[]): Promise<void>
  /** Notes that a file of so many records was imported. */
  recordImport(collection: string, records: number): Promise<void>
}

/** An organisation's records as the destination of a table of one collection. */
export function createTableDestination(
  { store, geography }: Kept,
  collection: string,
): TableDestination {
  // The versions that were read, so that concurrent changes are not lost.
  const versions = new Map<string, number>()
  return {
    organisationId: store.organisationId,
    async readDocuments(requested, ids) {
      if (ids.length === 0) return new Map()
      const { records: stored } = await readBeforeWrite(store, {
        collection: requested,
        ids,
        permissions: ['write'],
      })
      const records = [...stored]
      if (requested === collection)
        for (const [id, { version }] of records) versions.set(id, version)
      return new Map(records.map(([id, { document }]) => [id, document]))
    },
    findOwners: (requested, values) => findUniqueValueOwners(store, requested, values),
    async findSimilar(requested, fields, texts) {
      const wanted = new Set(texts.map(foldText))
      if (fields.length === 0 || wanted.size === 0) return new Map()
      const similar = await findSimilarValues(store, requested, fields, [...wanted])
      const matches = similar.filter(({ value }) => wanted.has(foldText(value)))
      const owners =
        matches.length > 0 ? await findUniqueValueOwners(store, requested, matches) : []
      const byText = Map.groupBy(owners, ({ value }) => foldText(value))
      return new Map(
        [...byText].map(([text, found]) => [text, [...new Set(found.map(({ id }) => id))]]),
      )
    },
    async addDerived(rules, written, before) {
      const withAnswers = (await rules.answered?.(store, written)) ?? written
      return [...((await rules.place?.(geography, withAnswers, before)) ?? withAnswers)]
    },
    async write(rules, written) {
      const known = written.map(({ id }) => ({ id, version: versions.get(id) ?? null }))
      const { result } = await commitWrite(store, {
        ...{ collection, permissions: ['write'], put: written, versions: known, named: [] },
        unique: uniqueOf(rules, written),
      })
      if (result.taken.length + result.changed.length > 0) throw concurrentChange()
      for (const { id } of written) versions.delete(id)
      await fillPeople({ store, geography }, collection, written)
    },
    recordImport: (importedCollection, records) => recordImport(store, importedCollection, records),
  }
}

const concurrentChange = () =>
  new ApiError('CONFLICT', 'Another request changed the same records. Import the file again.')
