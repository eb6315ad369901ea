import { env } from 'cloudflare:workers'
import { newOrganisation } from '../organisation.ts'
import { rows } from '../store/whole-index.ts'
import type { QueriedRecord } from './naive-query.ts'

type Document = QueriedRecord['document']

/** A write: replaces neighbouring records, or deletes them and adds others. */
export type Change = {
  at: number
  documents: readonly Document[]
  isDeletion: boolean
  /** The only property to replace. */
  property?: string | undefined
}

/** Records of a new organisation, written through SQL and mirrored for the model. */
export class QueriedRecords {
  readonly all = new Map<string, QueriedRecord>()
  /** The records written or deleted since this was last cleared. */
  readonly touched = new Set<string>()
  readonly organisationId: string
  readonly #collection: string
  readonly #idName: string
  readonly #put: (records: { id: string; document: Document }[]) => Promise<unknown>
  #count = 0

  private constructor(
    { id, put }: Awaited<ReturnType<typeof newOrganisation>>,
    collection: string,
    idName: string,
  ) {
    this.organisationId = id
    this.#idName = idName
    this.#collection = collection
    this.#put = (records) => put(collection, records)
  }

  static create = async (collection: string, idName: string) =>
    new QueriedRecords(await newOrganisation(), collection, idName)

  async add(documents: readonly Document[]): Promise<void> {
    const records = documents.map((document) => this.#withId(`record-${++this.#count}`, document))
    await this.#put(records)
    await this.#mirror(records)
  }

  /** Deletes the records from one position in order of arrival to another. */
  async remove(from: number, to: number): Promise<void> {
    await this.#delete([...this.all.keys()].slice(from, to))
  }

  /** Changes some of all records, or of others. */
  async change(
    { at, documents, isDeletion, property }: Change,
    records: readonly QueriedRecord[] = [...this.all.values()],
  ): Promise<void> {
    const start = at % Math.max(1, records.length)
    const chosen = records
      .slice(start, start + documents.length)
      .flatMap(({ id }) => this.all.get(id) ?? [])
    if (isDeletion) {
      await this.#delete(chosen.map(({ id }) => id))
      await this.add(documents)
      return
    }
    const replaced = chosen.map(({ id, document: old }, index) => {
      const document = documents[index] ?? {}
      return this.#withId(
        id,
        property === undefined ? document : { ...old, [property]: document[property] },
      )
    })
    await rows(
      `UPDATE records SET document = item.value ->> 'document' FROM json_each(?) AS item
      WHERE organisation_id = ? AND collection = ? AND records.id = item.value ->> 'id'`,
      JSON.stringify(
        replaced.map(({ id, document }) => ({ id, document: JSON.stringify(document) })),
      ),
      this.organisationId,
      this.#collection,
    )
    await this.#mirror(replaced)
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

  #withId = (id: string, document: Document) => ({
    id,
    document: { ...document, [this.#idName]: id },
  })

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
