import { type SQL, sql } from 'drizzle-orm/sql'
import type { Credential } from '../access/credential.ts'
import { OrganisationMovingError } from '../model/api-error.ts'
import { isDatabaseName, type RecordDatabases } from '../platform/bindings.ts'
import { isConnectionLost } from '../platform/outage.ts'
import type { Remainder } from '../platform/rate-limit-policy.ts'
import { listDatabases, openDatabase, rememberDatabase } from './databases.ts'
import type { RequestShare } from './fair-share.ts'
import { type QueryResult, type Row, statement } from './statement.ts'

/** The share in which statements take turns. */
export type ConnectionOptions = { share?: RequestShare | undefined }

/** The cost of statements: milliseconds in the database and rows read. */
export type Cost = { duration: number; rowsRead: number }

/** Runs a query in a database. */
type Run = (d1: D1Database) => Promise<QueryResult>

/** Splits the rows of a query with `accessColumns` into its head and body. */
type Split = (rows: Row[]) => QueryResult

// An organisation that is arriving is in neither database for a moment.
const maxMoves = 2

/** Runs the statements of a credential in the database that has its organisation, also after a move. */
export class Connection {
  readonly cost: Cost = { duration: 0, rowsRead: 0 }
  readonly #databases: RecordDatabases
  readonly #credential: Credential
  readonly #options: ConnectionOptions
  #untakenRows = 0

  constructor(databases: RecordDatabases, credential: Credential, options: ConnectionOptions) {
    this.#databases = databases
    this.#credential = credential
    this.#options = options
  }

  /** The rows that the organisation may read at once. */
  get rowsLeft(): Remainder | undefined {
    return this.#options.share?.remainder
  }

  takeRowsRead(): number {
    const rows = this.#untakenRows
    this.#untakenRows = 0
    return rows
  }

  /** Runs a statement that reads. Retries once if the connection is lost. */
  read(query: SQL, split: Split): Promise<QueryResult> {
    return this.#follow(false, async (d1) => {
      const prepared = statement(d1, query)
      const run = () => prepared.all<Row>()
      const { results, meta } = await run().catch((error: unknown) => {
        if (isConnectionLost(error)) return run()
        throw error
      })
      this.#count(meta)
      return split(results)
    })
  }

  /** Runs statements as one transaction. Returns the head of the first and the rows of the last. */
  transact(queries: readonly SQL[], split: Split): Promise<QueryResult> {
    return this.#follow(true, async (d1) => {
      const prepared = queries.map((query) => statement(d1, query))
      const results = await d1.batch<Row>(prepared)
      for (const { meta } of results) this.#count(meta)
      const { head } = split(results[0]?.results ?? [])
      return { head, rows: results.at(-1)?.results ?? [] }
    })
  }

  /** Whether a query finds rows in another database than the organisation's. */
  async hasRowsElsewhere(query: SQL): Promise<boolean> {
    const others = listDatabases(this.#databases).filter(
      ([name]) => name !== this.#credential.database,
    )
    const rows = await Promise.all(others.map(([, d1]) => statement(d1, query).first()))
    return rows.some((row) => row !== null)
  }

  async #follow(writes: boolean, run: Run): Promise<QueryResult> {
    const { share } = this.#options
    const runInTurn: Run = (d1) => share?.run(() => run(d1)) ?? run(d1)
    const credential = this.#credential
    for (let moves = 0; moves <= maxMoves; moves++) {
      const result = await this.#runWithAccess(writes, runInTurn)
      const { moved_to: movedTo } = result.head
      if (typeof movedTo !== 'string' || !isDatabaseName(movedTo)) return result
      rememberDatabase(credential.organisationId, movedTo)
      credential.database = movedTo
    }
    throw new OrganisationMovingError()
  }

  /** Runs a query. The access that only `DB` knows is read at the same time, or before a write. */
  async #runWithAccess(writes: boolean, run: Run): Promise<QueryResult> {
    const { database, readAccess } = this.#credential
    const d1 = openDatabase(this.#databases, database)
    if (!readAccess || database === 'DB') return run(d1)
    const [access, read] = await Promise.all([readAccess(), writes ? undefined : run(d1)])
    const result = read ?? (access ? await run(d1) : { head: {}, rows: [] })
    const { permissions, restrictions } = access ?? { permissions: null, restrictions: null }
    return { ...result, head: { ...result.head, permissions, restrictions } }
  }

  #count({ duration, rows_read }: D1Meta): void {
    this.cost.duration += duration
    this.cost.rowsRead += rows_read
    this.#untakenRows += rows_read
    this.#options.share?.count(rows_read, duration)
  }
}

/** The columns of a head with the credential's access, or the database to which the organisation has moved. */
export const accessColumns = (organisationId: string): Record<string, SQL> => ({
  permissions: sql`source.permissions`,
  restrictions: sql`source.restrictions`,
  // SQLite reads the row only for a credential that it does not find.
  moved_to: sql`CASE WHEN source.permissions IS NULL THEN
    (SELECT database FROM organisations WHERE id = ${organisationId}) END`,
})
