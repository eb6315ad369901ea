import { env } from 'cloudflare:workers'
import { newOrganisation } from '../organisation.ts'
import { rows } from '../store/whole-index.ts'
import type { QueriedRecord } from './naive-query.ts'

type Document = QueriedRecord['document']

/** A write: replaces a record, or deletes it and adds another. */
export type Change = { at: number; document: Document; isDeletion: boolean }

/** Records of a new organisation, written through SQL and mirrored for the model. */
export class QueriedRecords {
  readonly all = new Map<string, QueriedRecord>()
  /** The records written or deleted since this was last cleared. */
  readonly touched = new Set<string>()
  readonly organisationId: string
  readonly #collection: string
  readonly #put: (records: { id: string; document: Document }[]) => Promise<unknown>
  #count = 0

  private constructor(
    { id, put }: Awaited<ReturnType<typeof newOrganisation>>,
    collection: string,
  ) {
    this.organisationId = id
    this.#collection = collection
    this.#put = (records) => put(collection, records)
  }

  static create = async (collection: string) =>
    new QueriedRecords(await newOrganisation(), collection)

  async add(documents: readonly Document[]): Promise<void> {
    const records = documents.map((document) => ({ id: `record-${++this.#count}`, document }))
    await this.#put(records)
    await this.#mirror(records)
  }

  /** Deletes the records from one position in order of arrival to another. */
  async remove(from: number, to: number): Promise<void> {
    await this.#delete([...this.all.keys()].slice(from, to))
  }

  async change({ at, document, isDeletion }: Change): Promise<void> {
    const ids = [...this.all.keys()]
    const id = ids[at % ids.length] ?? ''
    if (isDeletion) {
      await this.#delete([id])
      await this.add([document])
      return
    }
    await rows(
      'UPDATE records SET document = ? WHERE organisation_id = ? AND id = ?',
      JSON.stringify(document),
      this.organisationId,
      id,
    )
    await this.#mirror([{ id, document }])
  }

  /** A database that calls `between` before each statement. */
  databaseWith(between: () => Promise<void>): D1Database {
    const prepare = (text: string) => ({
      bind: (...values: unknown[]) => ({
        all: async () => {
          await between()
          return env.DB.prepare(text)
            .bind(...values)
            .all()
        },
      }),
    })
    return Object.create(env.DB, { prepare: { value: prepare } })
  }

  async #delete(ids: readonly string[]): Promise<void> {
    await rows(
      'DELETE FROM records WHERE organisation_id = ? AND id IN (SELECT value FROM json_each(?))',
      this.organisationId,
      JSON.stringify(ids),
    )
    for (const id of ids) {
      this.all.delete(id)
      this.touched.add(id)
    }
  }

  /** Mirrors written records with the ordinals and times that the database set. */
  async #mirror(records: readonly { id: string; document: Document }[]): Promise<void> {
    const written = await rows(
      `SELECT records.ordinal, created, changed FROM json_each(?) AS item CROSS JOIN records
      ON records.id = item.value AND organisation_id = ? AND collection = ?`,
      JSON.stringify(records.map(({ id }) => id)),
      this.organisationId,
      this.#collection,
    )
    for (const [index, { ordinal, created, changed }] of written.entries()) {
      const { id = '', document = {} } = records[index] ?? {}
      const times = { created: String(created), changed: String(changed) }
      this.all.set(id, { id, ordinal: Number(ordinal), ...times, document })
      this.touched.add(id)
    }
  }
}
