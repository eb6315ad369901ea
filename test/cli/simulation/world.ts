import { createOrganisation } from '../../../src/admin/organisations.ts'
import type { MailMessage } from '../../../src/mail/mail.ts'
import type { Field } from '../../../src/model/properties/schema.ts'
import type { Bindings, Databases } from '../../../src/platform/bindings.ts'
import {
  type Caller,
  interceptDatabase,
  interceptNamespace,
} from '../../../src/platform/intercept.ts'
import { limitBindings } from '../../../src/platform/timeout.ts'
import { listDatabases, rememberDatabase } from '../../../src/store/databases.ts'
import { Store } from '../../../src/store/store.ts'
import { grantAll } from '../../../src/store/trusted-store.ts'
import type { Defect } from './defects.ts'
import { WorkerEndedError } from './faults.ts'
import type { Simulation } from './simulation.ts'
import { type DatabaseCall, openSqliteDatabase, type SqliteDatabase } from './sqlite-database.ts'

const timeoutMs = 10_000

export const personFields: Field[] = [
  { id: 'Full Name', name: 'Full Name', label: 'Name', type: 'text', order: 0 },
  { id: 'Age', name: 'Age', label: 'Age', type: 'number', order: 1 },
  { id: 'Consent', name: 'Consent', label: 'Consent', type: 'boolean', order: 2 },
  { id: 'Postcode', name: 'Postcode', label: 'Postcode', type: 'postcode', order: 3 },
]

const unlimited: RateLimit = { limit: async () => ({ success: true }) }

const noAssets: Fetcher = {
  fetch: async () => new Response(null, { status: 404 }),
  connect() {
    throw new Error('There are no assets.')
  },
}

const limits = {
  LIMIT_BY_CREDENTIAL: unlimited,
  LIMIT_FAILURES_BY_ADDRESS: unlimited,
  LIMIT_ROWS_BY_ORGANISATION: unlimited,
  LIMIT_PUBLIC_PAGES_BY_ADDRESS: unlimited,
  LIMIT_FORMS_BY_ADDRESS: unlimited,
  LIMIT_FORMS_BY_TARGET: unlimited,
  RATE_LIMIT_POLICY: '',
}

// Migrations take a tenth of a second, so all histories use the same databases.
let opened: Record<'DB' | 'DB_1' | 'GEOGRAPHY', SqliteDatabase> | undefined

function openDatabases() {
  opened ??= {
    DB: openSqliteDatabase('migrations/records'),
    DB_1: openSqliteDatabase('migrations/records'),
    GEOGRAPHY: openSqliteDatabase('migrations/geography'),
  }
  return opened
}

export type WorldOptions = {
  /** A mistake to make in the service. */
  defect?: Defect
  /** Is called after every call of a database. */
  onCall?: (database: string, call: DatabaseCall) => void
}

/** An installation with one organisation in a simulation. */
export class World {
  readonly simulation: Simulation
  readonly organisationId = 'oak'
  /** The databases without faults and delays, for the checks. */
  readonly databases: { DB: SqliteDatabase; DB_1: SqliteDatabase }
  /** The longest pause of a client before a request, in milliseconds: short, or as long as a move. */
  readonly maxPauseMs: number
  /** The messages that have arrived. */
  readonly mailbox: MailMessage[] = []
  /** Checks of a database after each call that has changed it. */
  readonly invariants: ((database: SqliteDatabase) => void)[] = []
  /** Is called for each queue message. */
  onQueued: () => void = () => {}
  readonly #bindings: Bindings

  constructor(simulation: Simulation, { defect, onCall }: WorldOptions = {}) {
    this.simulation = simulation
    this.maxPauseMs = simulation.random.pick([50, 3000])
    const databases = openDatabases()
    this.databases = databases
    const faulty = Object.entries(databases).map(([name, database]) => {
      database.reset({
        now: simulation.now,
        randomBytes: (length) => simulation.random.bytes(length),
        rewrite: (query) => defect?.rewrite(query) ?? query,
        onCall(call) {
          const { statements, results } = call
          const rows = results?.map((result) => result.results)
          simulation.note(`${name} ${statements.map(summarise).join('; ')}`, [statements, rows])
          onCall?.(name, call)
        },
      })
      const caller: Caller = (call) =>
        simulation.call(name, async () => {
          const { changes } = database
          const reply = await call()
          if (database.changes > changes) this.#check(database)
          return reply
        })
      return [name, interceptDatabase(database, caller)]
    })
    const { DB, DB_1, GEOGRAPHY } = Object.fromEntries(faulty)
    this.#bindings = {
      ...limits,
      ASSETS: noAssets,
      DB,
      DB_1,
      GEOGRAPHY,
      KEYS: interceptNamespace(newNamespace(), (call) => simulation.call('KEYS', call)),
      CHANGES: this.#newQueue(),
      MAIL: this.#newMail(),
      MAIL_FROM: 'hello@oak.test',
      WEBHOOK_KEY: Buffer.alloc(32).toString('base64'),
    }
  }

  /** Creates the organisation. */
  async create(): Promise<void> {
    const { organisationId, databases } = this
    // An earlier history may have moved its organisation.
    rememberDatabase(organisationId, 'DB')
    await createOrganisation(databases.DB, organisationId, 'Oak Trust')
    await databases.DB.prepare(
      "INSERT INTO schemas (organisation_id, kind, name, fields) VALUES (?, 'members', 'People', ?)",
    )
      .bind(organisationId, JSON.stringify(personFields))
      .run()
  }

  /**
   * Runs an invocation of the Worker, with a timeout for each call. It may end at any of its calls: nothing of it continues,
   * and its caller gets an error.
   */
  invoke<Result>(work: (env: Bindings) => Promise<Result>): Promise<Result> {
    const { simulation } = this
    return new Promise((resolve, reject) => {
      let hasEnded = false
      const caller: Caller = async (call) => {
        if (!hasEnded && simulation.happens('ends')) {
          hasEnded = true
          simulation.note('a Worker ends')
          reject(new WorkerEndedError())
        }
        return hasEnded ? new Promise(() => {}) : call()
      }
      const limited = limitBindings(this.#bindings, timeoutMs)
      const ending = listDatabases(limited).map(([name, database]) => [
        name,
        interceptDatabase(database, caller),
      ])
      work({ ...limited, ...Object.fromEntries(ending) }).then(resolve, reject)
    })
  }

  /** Opens the organisation's records in an invocation. */
  openStore(env: Databases): Store {
    const { organisationId } = this
    return new Store(env, {
      organisationId,
      database: 'DB',
      principal: 'simulation',
      author: { by: 'command line' },
      access: grantAll(organisationId),
      restrictions: null,
    })
  }

  #check(database: SqliteDatabase): void {
    try {
      for (const invariant of this.invariants) invariant(database)
    } catch (error) {
      this.simulation.fail(error)
    }
  }

  #newQueue(): Bindings['CHANGES'] {
    const { simulation } = this
    const send = (_: unknown, { delaySeconds = 0 } = {}) =>
      simulation.call('CHANGES', async () => {
        simulation.after(delaySeconds * 1000, () => this.onQueued())
      })
    const queue = { send, sendBatch: () => send(undefined) }
    // The service uses only these methods and ignores their results.
    return queue as unknown as Bindings['CHANGES']
  }

  #newMail(): SendEmail {
    const send = (message: unknown) =>
      this.simulation.call('MAIL', async () => {
        this.mailbox.push(message as MailMessage)
        return { messageId: '' }
      })
    return { send }
  }

  /** The organisation's version. */
  get version(): number {
    const [row] = this.home.inspect<{ version: number }>(
      'SELECT version FROM organisations WHERE id = ?',
      this.organisationId,
    )
    return row?.version ?? 0
  }

  /** The database that has the organisation. */
  get home(): SqliteDatabase {
    const [row] = this.databases.DB.inspect<{ database: 'DB_1' | null }>(
      'SELECT database FROM organisations WHERE id = ?',
      this.organisationId,
    )
    return this.databases[row?.database ?? 'DB']
  }
}

/** The beginning of a statement, as a line. */
const summarise = ({ query }: { query: string }) =>
  query.slice(0, 100).replaceAll(/\s+/g, ' ').trim()

/** An empty key-value store. */
function newNamespace(): KVNamespace {
  const values = new Map<string, string>()
  const namespace = {
    get: async (key: string) => values.get(key) ?? null,
    put: async (key: string, value: string) => void values.set(key, value),
    delete: async (key: string) => void values.delete(key),
  }
  // The service uses only these methods.
  return namespace as unknown as KVNamespace
}
