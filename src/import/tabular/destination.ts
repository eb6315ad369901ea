import type { Values } from '../../model/schema.ts'
import { type Destination as Kept, keepRecords } from '../../records/keep.ts'
import type { Rules } from '../../records/rules.ts'
import { documentsOf } from '../../store/documents.ts'
import { recordImport } from '../../store/imports.ts'
import { findOwners, type Unique } from '../../store/owners.ts'
import type { Written } from '../../store/put.ts'

/** Where the records of a table go, and what is kept there already. */
export type Destination = {
  organisationId: string
  /** The documents of these records of a collection that are kept, as JSON texts by id. */
  documents(collection: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** The records of a collection that hold such a value. */
  owners(collection: string, values: readonly Unique[]): Promise<(Unique & { id: string })[]>
  /** Records in place of those kept before, with what is worked out of them. */
  completed(
    rules: Rules,
    written: readonly Written[],
    before: ReadonlyMap<string, Values>,
  ): Promise<Written[]>
  /** Keeps records with ids all different, all or none. Throws where another has one of their unique values. */
  keep(rules: Rules, written: readonly Written[]): Promise<void>
  /** Notes that a file of so many records was imported. */
  noteImport(collection: string, records: number): Promise<void>
}

/** The databases of the operator as such a destination. */
export function operatorDestination({ db, geography, organisationId }: Kept): Destination {
  const scope = (collection: string) => ({ organisationId, collection })
  return {
    organisationId,
    documents: (collection, ids) => documentsOf(db, scope(collection), ids),
    owners: (collection, values) => findOwners(db, scope(collection), values),
    async completed(rules, written, before) {
      const known = written.filter(({ id }) => before.has(id))
      const placed = (await rules.place?.(geography, known, before)) ?? known
      const byId = new Map(placed.map((one) => [one.id, one]))
      return written.map((one) => byId.get(one.id) ?? one)
    },
    async keep(rules, written) {
      const holders = written.map(({ id }) => id)
      const taken = await keepRecords({ db, geography, organisationId }, rules, written, holders)
      if (taken.length > 0) throw new Error('Another has taken a unique value meanwhile.')
    },
    noteImport: (collection, records) => recordImport(db, { ...scope(collection), records }),
  }
}
