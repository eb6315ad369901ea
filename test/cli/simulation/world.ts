import { createOrganisation } from '../../../src/admin/organisations.ts'
import type { Databases } from '../../../src/platform/bindings.ts'
import { interceptDatabase, interceptNamespace } from '../../../src/platform/intercept.ts'
import { limitBindings } from '../../../src/platform/timeout.ts'
import { rememberDatabase } from '../../../src/store/databases.ts'
import { Store } from '../../../src/store/store.ts'
import { grantAll } from '../../../src/store/trusted-store.ts'
import type { Defect } from './defects.ts'
import type { Simulation } from './simulation.ts'
import { openSqliteDatabase, type SqliteDatabase } from './sqlite-database.ts'

/** An organisation in a simulation. */
export type World = {
  simulation: Simulation
  organisationId: string
  /** The bindings as the Worker opens them: each call takes its time, may fail, and has a timeout. */
  env: Databases
  /** The databases without faults and delays, for the checks. */
  databases: { DB: SqliteDatabase; DB_1: SqliteDatabase }
  /** Queues the organisation's webhooks after a write. */
  notifyWebhooks(): void
  /** Opens the organisation's records. */
  openStore(): Store
}

export const personFields = [
  { id: 'Full Name', name: 'Full Name', label: 'Name', type: 'text', order: 0 },
  { id: 'Age', name: 'Age', label: 'Age', type: 'number', order: 1 },
  { id: 'Consent', name: 'Consent', label: 'Consent', type: 'boolean', order: 2 },
  { id: 'Postcode', name: 'Postcode', label: 'Postcode', type: 'postcode', order: 3 },
  { id: 'Email', name: 'Email', label: 'Email', type: 'email', order: 4 },
]

const organisationId = 'oak'
const timeoutMs = 10_000

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

/** Creates an organisation in empty databases. */
export async function newWorld(simulation: Simulation, defect: Defect | undefined): Promise<World> {
  const databases = openDatabases()
  const intercepted = Object.entries(databases).map(([name, database]) => {
    database.reset({
      now: simulation.now,
      randomBytes: (length) => simulation.random.bytes(length),
      rewrite: (query) => defect?.rewrite(query) ?? query,
      onRun: (query, values) => simulation.note(`${name} ${summarise(query)}`, values),
    })
    const call = <Reply>(make: () => Promise<Reply>) => simulation.call(name, make)
    return [name, interceptDatabase(database, call)]
  })
  const { DB, DB_1, GEOGRAPHY } = Object.fromEntries(intercepted)
  const callKeys = <Reply>(make: () => Promise<Reply>) => simulation.call('KEYS', make)
  const KEYS = interceptNamespace(newNamespace(), callKeys)
  const env = limitBindings({ DB, DB_1, GEOGRAPHY, KEYS }, timeoutMs)
  // An earlier history may have moved its organisation.
  rememberDatabase(organisationId, 'DB')
  await createOrganisation(databases.DB, organisationId, 'Oak Trust')
  await databases.DB.prepare(
    "INSERT INTO schemas (organisation_id, kind, name, fields) VALUES (?, 'members', 'People', ?)",
  )
    .bind(organisationId, JSON.stringify(personFields))
    .run()
  return {
    simulation,
    organisationId,
    env,
    databases,
    notifyWebhooks() {},
    openStore: () =>
      new Store(env, {
        organisationId,
        database: 'DB',
        principal: 'simulation',
        author: { by: 'command line' },
        access: grantAll(organisationId),
        restrictions: null,
      }),
  }
}

/** The beginning of a statement, as a line. */
const summarise = (query: string) => query.slice(0, 100).replaceAll(/\s+/g, ' ').trim()

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
