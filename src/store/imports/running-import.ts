import { sql } from 'drizzle-orm/sql'
import type { ChangeSource } from '../../model/author.ts'
import { collectionNames } from '../../model/collection.ts'
import { recordCount } from '../bitmap/bits.ts'
import { ofOrganisation } from '../fragments.ts'
import { newId } from '../new-id.ts'
import type { Store } from '../store.ts'
import { nextTime } from '../version.ts'
import { type ImportOrigin, originColumns } from './import-columns.ts'

/** The number of rows of an imported file by result. */
export type ImportCounts = { created: number; updated: number; unchanged: number; rejected: number }

/** The same, with the number of deleted records for a bulk deletion. */
type RunCounts = ImportCounts & { deleted?: number }

/**
 * One import of a file, one bulk edit or one bulk deletion. It takes its row in `imports` before its first write, so that an interrupted
 * import can be listed and undone too. Its author marks every change. The row's `ordinals` are JSON with the last
 * ordinals of each collection before and after the import, `{"members":[120,480]}`: its new records are in between.
 */
export class RunningImport {
  readonly #store: Store
  readonly #origin: ImportOrigin
  #started: Promise<number> | undefined
  /** The number of the import, once it has started. */
  id: number | undefined

  constructor(store: Store, origin: ImportOrigin) {
    this.#store = store
    this.#origin = origin
  }

  /** The source of the import's changes. Starts the import first. */
  async source(): Promise<ChangeSource> {
    const { through } = this.#origin
    return { ...(through && { through }), import: await this.#start() }
  }

  /** Stores the counts of an import that has ended. Without `isComplete`, only if it has written. */
  async finish(counts: RunCounts, isComplete = true): Promise<void> {
    if (!isComplete && !this.#started) return
    const id = await this.#start()
    const { organisationId } = this.#store
    const { created, updated, unchanged, rejected, deleted = null } = counts
    const scope = { organisationId, collection: this.#origin.collection }
    const after = sql`json_group_object(
      item.key, json_array(item.value ->> 0, ${lastOrdinal(sql`item.key`)})
    )`
    await this.#store.withPolicy(() =>
      this.#store.write({ permissions: ['write'], isInternal: true }, [
        sql`UPDATE imports SET
            created = ${created}, updated = ${updated}, unchanged = ${unchanged}, rejected = ${rejected}, deleted = ${deleted},
            records = ${created + updated + unchanged}, total = ${recordCount(scope)},
            finished = (
              SELECT ${nextTime(new Date().toISOString())} FROM organisations
              WHERE organisations.id = ${organisationId}
            ),
            ordinals = (SELECT ${after} FROM json_each(imports.ordinals) AS item)
          WHERE imports.id = ${id} AND ${ofOrganisation({ organisationId }, 'imports')}`,
      ]),
    )
  }

  /** Forgets an import that changed nothing. */
  async discard(): Promise<void> {
    if (!this.#started) return
    const { organisationId } = this.#store
    const id = await this.#started
    await this.#store.write({ permissions: ['write'], isInternal: true }, [
      sql`DELETE FROM imports WHERE imports.id = ${id} AND ${ofOrganisation({ organisationId }, 'imports')}`,
    ])
  }

  #start(): Promise<number> {
    this.#started ??= this.#insert()
    return this.#started
  }

  async #insert(): Promise<number> {
    const { organisationId, credential } = this.#store
    const origin = Object.values(originColumns)
    const names = sql.join(
      Object.keys(originColumns).map((name) => sql.identifier(name)),
      sql`, `,
    )
    const values = sql.join(
      origin.map(({ valueFor }) => sql`${valueFor(this.#origin)}`),
      sql`, `,
    )
    const author = JSON.stringify(credential.author)
    const before = sql`SELECT json_group_object(
        item.value, json_array(${lastOrdinal(sql`item.value`, organisationId)})
      )
      FROM json_each(${JSON.stringify(collectionNames)}) AS item`
    const { rows } = await this.#store.withPolicy(() =>
      this.#store.write({ permissions: ['write'], isInternal: true }, [
        sql`INSERT INTO imports (id, organisation_id, at, records, total, author, ordinals, ${names})
          SELECT ${newId('imports')}, ${organisationId}, ${new Date().toISOString()}, 0, 0, ${author}, (${before}), ${values}
          RETURNING id`,
      ]),
    )
    this.id = Number(rows[0]?.id)
    return this.id
  }
}

/** SQL for the last ordinal of a collection. */
const lastOrdinal = (collection: ReturnType<typeof sql>, organisationId?: string) =>
  sql`coalesce((
    SELECT last FROM terms
    WHERE terms.organisation_id = ${organisationId ?? sql`imports.organisation_id`}
      AND terms.collection = ${collection} AND terms.field = '' AND terms.value = x''
  ), 0)`
