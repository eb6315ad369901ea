import { readdirSync, readFileSync } from 'node:fs'
import {
  DatabaseSync,
  type SQLInputValue,
  type SQLOutputValue,
  type StatementSync,
} from 'node:sqlite'

type Statement = { query: string; values: readonly SQLInputValue[] }

/** A call of a database: its statements, which are one transaction, and their results unless it has failed. */
export type DatabaseCall = { statements: readonly Statement[]; results?: D1Result[] }

/** What surrounds a database: the clock, the source of random values, and a change of its statements. */
type Surroundings = {
  /** Milliseconds since 1970. */
  now(): number
  randomBytes(length: number): Uint8Array
  /** Returns the text that runs instead of a statement's. */
  rewrite(query: string): string
  /** Is called after every call. */
  onCall(call: DatabaseCall): void
}

/** A D1 database in SQLite in this process. Its calls run at once. */
export type SqliteDatabase = D1Database & {
  /** Discards everything since the migrations. */
  reset(surroundings: Surroundings): void
  /** The number of rows changed so far. */
  readonly changes: number
  /** Reads for a check, outside the history. */
  inspect<Row>(query: string, ...values: SQLInputValue[]): Row[]
}

/**
 * Opens an empty database in memory with the migrations of a folder. It behaves as D1 does: a batch is a transaction,
 * errors have D1's texts, and integers beyond 2⁵³ are rounded. Everything after the migrations is one SQLite transaction,
 * so `reset` is cheap.
 */
export function openSqliteDatabase(folder: string): SqliteDatabase {
  const sqlite = new DatabaseSync(':memory:')
  let surroundings: Surroundings | undefined
  sqlite.function('simulated_now', () => new Date(surroundings?.now() ?? 0).toISOString())
  sqlite.function('randomblob', (length) => surroundings?.randomBytes(Number(length)) ?? null)
  for (const name of readdirSync(folder).toSorted())
    sqlite.exec(withClock(readFileSync(`${folder}/${name}`, 'utf8')))

  const totalChanges = sqlite.prepare('SELECT total_changes() AS total')
  const countChanges = () => Number(totalChanges.get()?.total)
  const run = createRunner(sqlite, countChanges)

  /** Runs statements as one transaction. */
  function call<Row>(statements: readonly Statement[]): Result<Row>[] {
    const observed: DatabaseCall = { statements }
    sqlite.exec('SAVEPOINT call')
    try {
      const results = statements.map(({ query, values }) =>
        run<Row>({ query: surroundings?.rewrite(query) ?? query, values }),
      )
      observed.results = results
      return results
    } catch (error) {
      sqlite.exec('ROLLBACK TO call')
      throw error
    } finally {
      sqlite.exec('RELEASE call')
      surroundings?.onCall(observed)
    }
  }

  sqlite.exec('BEGIN')
  return {
    prepare: (query) => new SqliteStatement(call, { query, values: [] }),
    batch: async <Row>(statements: D1PreparedStatement[]) =>
      call<Row>(statements.map(SqliteStatement.textOf)),
    reset(next) {
      surroundings = next
      sqlite.exec('ROLLBACK; BEGIN')
    },
    get changes() {
      return countChanges()
    },
    inspect: <Row>(query: string, ...values: SQLInputValue[]) =>
      run<Row>({ query, values }).results,
    exec: unsupported,
    withSession: unsupported,
    dump: unsupported,
  }
}

/** SQLite reads the clock of the machine, so statements call a function of ours instead. */
const withClock = (query: string) => query.replaceAll("'now'", 'simulated_now()')

const unsupported = (): never => {
  throw new Error('The service asks a database by statements alone.')
}

/** A result with its rows as objects and as lists. */
type Result<Row> = D1Result<Row> & { columns: string[]; lists: unknown[][] }

type Run = <Row>(statement: Statement) => Result<Row>

type Call = <Row>(statements: readonly Statement[]) => Result<Row>[]

/** A function that runs statements. Those with the same text are prepared once. */
function createRunner(sqlite: DatabaseSync, countChanges: () => number): Run {
  const prepared = new Map<string, { statement: StatementSync; columns: string[] }>()

  function prepare(query: string) {
    const known = prepared.get(query)
    if (known) return known
    const statement = sqlite.prepare(withClock(query))
    statement.setReadBigInts(true)
    statement.setReturnArrays(true)
    const columns = statement.columns().map(({ name }) => name)
    prepared.set(query, { statement, columns })
    return { statement, columns }
  }

  return <Row>({ query, values }: Statement) => {
    try {
      const before = countChanges()
      const { statement, columns } = prepare(query)
      // After setReturnArrays, each row is a list.
      const rows = statement.all(...values) as unknown as SQLOutputValue[][]
      return toResult<Row>(columns, rows, countChanges() - before)
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      throw new Error(`D1_ERROR: ${message}: SQLITE_ERROR`, { cause: new Error(message) })
    }
  }
}

function toResult<Row>(
  columns: string[],
  rows: readonly SQLOutputValue[][],
  changes: number,
): Result<Row> {
  const lists = rows.map((row) => row.map(toD1Value))
  const toRow = (list: unknown[]) =>
    Object.fromEntries(columns.map((name, index) => [name, list[index]])) as Row
  return {
    success: true,
    columns,
    lists,
    results: lists.map(toRow),
    meta: {
      duration: 0,
      size_after: 0,
      rows_read: rows.length,
      rows_written: changes,
      last_row_id: 0,
      changed_db: changes > 0,
      changes,
    },
  }
}

function toD1Value(value: SQLOutputValue): unknown {
  if (typeof value === 'bigint') return Number(value)
  return value instanceof Uint8Array ? [...value] : value
}

class SqliteStatement implements D1PreparedStatement {
  readonly #call: Call
  readonly #statement: Statement

  constructor(call: Call, statement: Statement) {
    this.#call = call
    this.#statement = statement
  }

  /** The text and the values of a statement of a batch. */
  static textOf(this: void, statement: D1PreparedStatement): Statement {
    if (statement instanceof SqliteStatement) return statement.#statement
    throw new TypeError('A batch takes only statements of its database.')
  }

  bind(...values: unknown[]): D1PreparedStatement {
    const { query } = this.#statement
    return new SqliteStatement(this.#call, { query, values: values.map(toSqliteValue) })
  }

  async all<Row>(): Promise<D1Result<Row>> {
    return this.#run<Row>()
  }

  async run<Row>(): Promise<D1Result<Row>> {
    return this.#run<Row>()
  }

  async first<Value>(column?: string): Promise<Value | null> {
    const [row] = this.#run<Record<string, unknown>>().results
    const value = column === undefined ? row : row?.[column]
    return (value as Value | undefined) ?? null
  }

  raw<Row>(options: { columnNames: true }): Promise<[string[], ...Row[]]>
  raw<Row>(options?: { columnNames?: false }): Promise<Row[]>
  async raw<Row>(options?: { columnNames?: boolean }): Promise<Row[] | [string[], ...Row[]]> {
    const { columns, lists } = this.#run()
    const rows = lists as Row[]
    return options?.columnNames ? [columns, ...rows] : rows
  }

  #run<Row>(): Result<Row> {
    const [result] = this.#call<Row>([this.#statement])
    if (!result) throw new Error('A statement has one result.')
    return result
  }
}

function toSqliteValue(value: unknown): SQLInputValue {
  if (value === undefined) throw new Error("D1_TYPE_ERROR: Type 'undefined' not supported.")
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value instanceof ArrayBuffer) return new Uint8Array(value)
  return value as SQLInputValue
}
