import type { AccessPolicy } from '../../access/access-policy.ts'
import { ApiError } from '../../model/api-error.ts'
import type { Values } from '../../model/properties/schema.ts'
import { fillPeople } from '../../records/fill-people.ts'
import type { Rules } from '../../records/rules.ts'
import type { WriteParts } from '../../records/write.ts'
import type { ImportCounts, RunningImport } from '../../store/imports/running-import.ts'
import {
  findSimilarNames,
  findSimilarValues,
  findUniqueValueOwners,
  type UniqueValue,
} from '../../store/read/unique-values.ts'
import { readBeforeWrite } from '../../store/write/before-write.ts'
import type { NewDocument } from '../../store/write/put.ts'
import { commitWrite, type WriteResult } from '../../store/write/write.ts'
import { foldText } from '../parse/text.ts'
import { listUniqueValues } from '../targets/target.ts'

/** The stored records that an import reads and writes. */
export type RecordDestination = {
  organisationId: string
  /** The stored documents with these ids as JSON texts, by id. */
  readDocuments(collection: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** The ids of the records of a collection that have one of these values. */
  findOwners(
    collection: string,
    values: readonly UniqueValue[],
  ): Promise<(UniqueValue & { id: string })[]>
  /** Finds records by text in some fields, ignoring case, spaces and accents. Returns their ids by folded text. */
  findSimilar(
    collection: string,
    fields: readonly string[],
    texts: readonly string[],
  ): Promise<ReadonlyMap<string, readonly string[]>>
  /** Adds derived values, such as areas, to records before they are written. */
  addDerived(
    rules: Rules,
    records: readonly NewDocument[],
    before: ReadonlyMap<string, Values>,
  ): Promise<NewDocument[]>
  /** Writes records with distinct ids. Writes nothing if another request changed one, or if a record outside `holders` has one of their unique values. */
  write(
    rules: Rules,
    records: readonly NewDocument[],
    holders: readonly string[],
  ): Promise<Pick<WriteResult, 'changed' | 'taken'>>
  /** Fills the fields of people from their answers, if these records are responses to a schema form. */
  fillPeople(records: readonly NewDocument[]): Promise<void>
  /** Stores the counts of the file, if it was imported completely or in part. */
  finishImport(counts: ImportCounts, isComplete: boolean): Promise<void>
}

/** The records of an organisation whose members are found by name. */
export type NamedMembers = RecordDestination & {
  /** Finds members by their name in a field, like `findSimilar`, in an organisation of any size. */
  findNames(field: string, names: readonly string[]): ReturnType<RecordDestination['findSimilar']>
}

/** The destination for a file of one collection, or for one of the collections of an import. */
export function createDestination(
  { store, geography }: WriteParts,
  collection: string,
  run: RunningImport,
): NamedMembers {
  // Versions as read: a write with an outdated version must not overwrite a concurrent change.
  const versions = new Map<string, number>()
  /** The ids of the records with one of the texts, by folded text. */
  const groupOwners = async (
    requested: string,
    texts: ReadonlySet<string>,
    similar: readonly UniqueValue[],
  ) => {
    const matches = similar.filter(({ value }) => texts.has(foldText(value)))
    const owners = matches.length > 0 ? await findUniqueValueOwners(store, requested, matches) : []
    const byText = Map.groupBy(owners, ({ value }) => foldText(value))
    return new Map(
      [...byText].map(([text, holders]) => [text, [...new Set(holders.map(({ id }) => id))]]),
    )
  }
  const findSimilar: RecordDestination['findSimilar'] = async (requested, fields, texts) => {
    const foldedTexts = new Set(texts.map(foldText))
    if (fields.length === 0 || foldedTexts.size === 0) return new Map()
    const similar = await findSimilarValues(store, requested, fields, [...foldedTexts])
    return groupOwners(requested, foldedTexts, similar)
  }
  return {
    organisationId: store.organisationId,
    async readDocuments(requested, ids) {
      if (ids.length === 0) return new Map()
      const isOwn = requested === collection
      if (isOwn) for (const id of ids) versions.delete(id)
      const { records: recordsById } = await readBeforeWrite(store, {
        collection: requested,
        ids,
        permissions: ['write'],
      })
      const records = [...recordsById]
      if (isOwn) {
        requireWholeRecords(store.policy)
        for (const [id, { version }] of records) versions.set(id, version)
      }
      return new Map(records.map(([id, { document }]) => [id, document]))
    },
    findOwners: (requested, values) => findUniqueValueOwners(store, requested, values),
    findSimilar,
    async findNames(field, names) {
      const similar = await findSimilarNames(store, 'members', field, names)
      return similar
        ? groupOwners('members', new Set(names.map(foldText)), similar)
        : findSimilar('members', [field], names)
    },
    async addDerived(rules, records, before) {
      const withAnswers = (await rules.addAnswers?.(store, records)) ?? records
      return [...((await rules.addAreas?.(geography, withAnswers, before)) ?? withAnswers)]
    },
    async write(rules, records, holders) {
      const expectedVersions = records.map(({ id }) => ({ id, version: versions.get(id) ?? null }))
      const { result } = await commitWrite(store, {
        collection,
        permissions: ['write'],
        put: records,
        versions: expectedVersions,
        unique: listUniqueValues(rules, records),
        holders,
        source: await run.source(),
      })
      if (result.changed.length + result.taken.length === 0)
        for (const { id } of records) versions.delete(id)
      return result
    },
    async fillPeople(records) {
      // Unchanged responses fill people too, but start no import.
      const source = run.id === undefined ? undefined : await run.source()
      await fillPeople({ store, geography, source }, collection, records)
    },
    finishImport: (counts, isComplete) => run.finish(counts, isComplete),
  }
}

/** Throws 403 if a file would replace values that are hidden from the credential. */
export function requireWholeRecords(policy: AccessPolicy): void {
  if (!policy.isRedacted) return
  throw new ApiError(
    'FORBIDDEN',
    'A file would replace values that are hidden from these credentials.',
  )
}
