import { type SQL, sql } from 'drizzle-orm/sql'
import type { ChangeSource } from '../../model/author.ts'
import { references } from '../../model/references.ts'
import { indexedText } from '../bitmap/bits.ts'
import { list } from '../columns.ts'
import { ofCollection, ofOrganisation } from '../fragments.ts'
import type { Store } from '../store.ts'
import { asOneOperation } from '../version.ts'
import { noteDeletion } from './delete.ts'

/** Records of one collection to delete if they still have these versions. */
type CreatedRecords = {
  collection: string
  records: readonly { id: string; version: number | null }[]
  source: ChangeSource
  /** A statement in the same transaction that may use the number of deleted records. */
  note: (deleted: SQL) => SQL
}

/** Deletes the records without references from others, in one transaction, and returns their ids. The others stay. */
export const deleteCreated = (
  store: Store,
  { collection, records, source, note }: CreatedRecords,
): Promise<string[]> =>
  deleteUnreferenced(store, {
    collection,
    from: sql`FROM json_each(${JSON.stringify(records)}) AS item
      CROSS JOIN records ON records.collection = ${collection}
        AND records.id = item.value ->> '$.id' AND ${ofOrganisation(store, 'records')}
        AND records.version = item.value ->> '$.version'
      WHERE true`,
    source,
    note,
  })

type UnreferencedRecords = Pick<CreatedRecords, 'collection'> &
  Partial<CreatedRecords> & {
    /** SQL from `FROM` to a condition, with the records as `records`. */
    from: SQL
  }

/** Deletes those of some records to which no other refers, in one operation, and returns their ids. */
export async function deleteUnreferenced(
  store: Store,
  { collection, from, source, note }: UnreferencedRecords,
): Promise<string[]> {
  const { organisationId, credential } = store
  const now = new Date().toISOString()
  const referrers = references
    .filter(({ to }) => to === collection)
    .map(
      ({ from, path }) => sql`SELECT 1 FROM terms
        WHERE ${ofCollection({ organisationId }, from, 'terms')}
          AND terms.field = ${path} AND terms.value = ${indexedText(sql`records.id`)}
          AND terms.count > 0`,
    )
  const isReferred =
    referrers.length > 0 ? sql`EXISTS (${sql.join(referrers, sql` UNION ALL `)})` : sql`false`
  const deletable = (column: SQL) => sql`SELECT ${column} ${from} AND NOT ${isReferred}`
  const rows = deletable(sql`records.row`)
  const author = { ...credential.author, ...source }
  const { deleted } = await store.write(
    {
      permissions: ['write'],
      collection,
      returns: { deleted: list<string>(deletable(sql`records.id AS item`)) },
    },
    asOneOperation(organisationId, now, [
      ...(note ? [note(sql`(SELECT count(*) FROM (${rows}))`)] : []),
      noteDeletion({ ...credential, author }, rows, { now }),
      sql`DELETE FROM records WHERE row IN (${rows})`,
    ]),
  )
  return deleted
}
