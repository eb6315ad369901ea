import { areas } from '../../src/geography/areas.ts'
import { CommandError } from '../terminal/report.ts'
import type { Coverage } from './coverage.ts'

const columns = {
  areas: ['id', 'kind', 'code', 'name'],
  combinations: ['id', ...areas.map(({ column }) => column)],
  postcodes: ['postcode', 'combination'],
} as const

type Table = keyof typeof columns
const tables = ['areas', 'combinations', 'postcodes'] as const satisfies Table[]
type Row = readonly (number | string | null)[]

// A value in D1 has at most 2,000,000 bytes, and a character at most three.
const maxBatchCharacters = 600_000
const maxDeletedRows = 50_000

// Each load deletes the rows of unfinished ones, which may still be running.
const isLoadingSql = `EXISTS (SELECT 1 FROM editions WHERE generation = ?1 AND status = 'loading')`
const loadOvertaken = () =>
  new CommandError('Another load started while this one ran, and deleted its rows.')

/** The rows of one load, written in large batches. Look-ups ignore them until `serve`. */
export class Generation {
  readonly #geography: D1Database
  readonly #number: number
  readonly #batches: Record<Table, { rows: string[]; characters: number }> = {
    areas: { rows: [], characters: 0 },
    combinations: { rows: [], characters: 0 },
    postcodes: { rows: [], characters: 0 },
  }

  private constructor(geography: D1Database, number: number) {
    this.#geography = geography
    this.#number = number
  }

  /** Deletes the rows of unfinished loads and starts a new one beside the current edition. */
  static async start(geography: D1Database, edition: string, northernIreland: boolean) {
    await deleteUnused(geography)
    const started = new Date().toISOString()
    const row = await geography
      .prepare(
        `INSERT INTO editions (id, edition, started, northern_ireland, status)
        VALUES (?1, ?2, ?3, ?4, 'loading') RETURNING generation`,
      )
      .bind(`${edition}/${started}`, edition, started, northernIreland ? 1 : 0)
      .first<{ generation: number }>()
    if (row === null) throw new Error('The GEOGRAPHY database did not take the edition.')
    return new Generation(geography, row.generation)
  }

  add(table: Table, row: Row): void {
    const batch = this.#batches[table]
    const text = JSON.stringify(row)
    batch.rows.push(text)
    batch.characters += text.length + 1
  }

  /** Whether a batch has reached the size of one statement. */
  get isFull(): boolean {
    return Object.values(this.#batches).some(({ characters }) => characters >= maxBatchCharacters)
  }

  async write(): Promise<void> {
    for (const table of tables) await this.#write(table)
  }

  /** Makes this generation the current one if it is complete, and deletes the previous one. */
  async serve(coverage: Coverage): Promise<void> {
    const isCompleteSql = `${isLoadingSql}
      AND (SELECT count(*) FROM postcodes WHERE generation = ?1) = ?2`
    const [, served] = await this.#geography.batch([
      this.#geography
        .prepare(
          `UPDATE editions SET status = 'retired' WHERE status = 'serving' AND ${isCompleteSql}`,
        )
        .bind(this.#number, coverage.rows),
      this.#geography
        .prepare(
          `UPDATE editions SET status = 'serving', loaded = ?3, coverage = ?4
          WHERE generation = ?1 AND ${isCompleteSql}`,
        )
        .bind(this.#number, coverage.rows, new Date().toISOString(), JSON.stringify(coverage)),
    ])
    if (served?.meta.changes !== 1) throw loadOvertaken()
    await deleteUnused(this.#geography)
  }

  async #write(table: Table): Promise<void> {
    const { rows } = this.#batches[table]
    if (rows.length === 0) return
    this.#batches[table] = { rows: [], characters: 0 }
    const values = columns[table].map((_, index) => `value ->> ${index}`)
    const { meta } = await this.#geography
      .prepare(
        `INSERT INTO ${table} (generation, ${columns[table].join(', ')})
        SELECT ?1, ${values.join(', ')} FROM json_each(?2) WHERE ${isLoadingSql}
        ON CONFLICT DO NOTHING`,
      )
      .bind(this.#number, `[${rows.join()}]`)
      .run()
    if (meta.changes === 0) throw loadOvertaken()
    if (meta.changes < rows.length) {
      throw new CommandError(`The file has ${rows.length - meta.changes} ${table} more than once.`)
    }
  }
}

/** Deletes the rows of unused generations, in steps within the time limit of a remote database. */
async function deleteUnused(geography: D1Database): Promise<void> {
  // Retires the generation first, so that a running load stops writing.
  const { results } = await geography
    .prepare(
      `UPDATE editions SET status = 'retired' WHERE status <> 'serving' RETURNING generation`,
    )
    .all<{ generation: number }>()
  for (const { generation } of results) {
    for (const table of tables) {
      const [key] = columns[table]
      const step = geography
        .prepare(
          `DELETE FROM ${table} WHERE generation = ?1 AND ${key} IN
            (SELECT ${key} FROM ${table} WHERE generation = ?1 LIMIT ${maxDeletedRows})`,
        )
        .bind(generation)
      while ((await step.run()).meta.changes > 0);
    }
    await geography.prepare('DELETE FROM editions WHERE generation = ?').bind(generation).run()
  }
}
