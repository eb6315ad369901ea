import { ApiError } from '../../model/api-error.ts'
import type { Values } from '../../model/schema.ts'
import { fillPeople } from '../../records/fill-people.ts'
import { type Destination as Kept, uniqueOf } from '../../records/keep.ts'
import type { Rules } from '../../records/rules.ts'
import type { Unique } from '../../store/owners.ts'
import type { Written } from '../../store/put.ts'
import { folded } from '../spellings/folded.ts'

/** Where the records of a table go, and what is kept there already. */
export type Destination = {
  organisationId: string
  /** The documents of these records of a collection that are kept, as JSON texts by id. */
  documents(collection: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** The records of a collection that hold such a value. */
  owners(collection: string, values: readonly Unique[]): Promise<(Unique & { id: string })[]>
  /** The records of a collection that hold one of these texts in one of these fields, whatever its case, spaces and accents: their ids by the text, folded. */
  alike(
    collection: string,
    fields: readonly string[],
    texts: readonly string[],
  ): Promise<ReadonlyMap<string, readonly string[]>>
  /** Records in place of those kept before, with what is worked out of them. */
  completed(
    rules: Rules,
    written: readonly Written[],
    before: ReadonlyMap<string, Values>,
  ): Promise<Written[]>
  /** Keeps records with ids all different, all or none. Throws 409 where others changed one meanwhile, or took one of their unique values. */
  keep(rules: Rules, written: readonly Written[]): Promise<void>
  /** Notes that a file of so many records was imported. */
  noteImport(collection: string, records: number): Promise<void>
}

/** An organisation's records as the destination of a table of one collection. */
export function destinationOf({ store, geography }: Kept, collection: string): Destination {
  // As they were when they were read: what another writes meanwhile must not be lost.
  const versions = new Map<string, number>()
  return {
    organisationId: store.organisationId,
    async documents(asked, ids) {
      if (ids.length === 0) return new Map()
      const { kept } = await store.before({ collection: asked, ids, rights: ['write'] })
      const records = [...kept]
      if (asked === collection) for (const [id, { version }] of records) versions.set(id, version)
      return new Map(records.map(([id, { document }]) => [id, document]))
    },
    owners: (asked, values) => store.owners(asked, values),
    async alike(asked, fields, texts) {
      const wanted = new Set(texts.map(folded))
      if (fields.length === 0 || wanted.size === 0) return new Map()
      const near = await store.speltLike(asked, fields, [...wanted])
      const spelt = near.filter(({ value }) => wanted.has(folded(value)))
      const owners = spelt.length > 0 ? await store.owners(asked, spelt) : []
      const byText = Map.groupBy(owners, ({ value }) => folded(value))
      return new Map(
        [...byText].map(([text, found]) => [text, [...new Set(found.map(({ id }) => id))]]),
      )
    },
    async completed(rules, written, before) {
      const answered = (await rules.answered?.(store, written)) ?? written
      return [...((await rules.place?.(geography, answered, before)) ?? answered)]
    },
    async keep(rules, written) {
      const known = written.map(({ id }) => ({ id, version: versions.get(id) ?? null }))
      const { found } = await store.write({
        ...{ collection, rights: ['write'], put: written, versions: known, named: [] },
        unique: uniqueOf(rules, written),
      })
      if (found.taken.length + found.changed.length > 0) throw overtaken()
      for (const { id } of written) versions.delete(id)
      await fillPeople({ store, geography }, collection, written)
    },
    noteImport: (noted, records) => store.noteImport(noted, records),
  }
}

const overtaken = () =>
  new ApiError('CONFLICT', 'Others changed the same records meanwhile: import the file again.')
