import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { columns as eventColumns } from './flat-events.ts'
import { fetchText, type Request } from './load.ts'
import { type Field, fields, memberId } from './members.ts'

type Row = Record<string, unknown>

/** A collection as a peer's users would design it: a table with a column per field, the first one unique, and an index on filtered fields. */
export type Table = {
  name: 'members' | 'events'
  columns: readonly Field[]
  filtered: readonly string[]
}

export const members: Table = {
  name: 'members',
  columns: [{ id: 'memberId', type: 'text', value: memberId }, ...fields],
  filtered: ['Cohort', 'Status', 'Consent'],
}

export const events: Table = {
  name: 'events',
  columns: eventColumns.filter(({ id }) => id !== 'id'),
  filtered: ['parentEventId'],
}

/** A page of a table, filtered by its first filtered column if a value is given, or a record by its number. */
export type PeerQuery = { table: Table } & ({ offset: number; value?: string } | { record: number })

/** An alternative to this project: how to start it on a database, query it and read its response. */
export type Peer = {
  name: 'directus' | 'soul-cli' | 'soul-cli without indexes'
  /** Its npm package. */
  npm: string
  version: string
  /** Whether filtered columns have an index. */
  isIndexed: boolean
  start: (port: number, file: string) => Promise<ChildProcess>
  request: (port: number, query: PeerQuery) => Request
  parseRows: (answer: string) => Row[]
}

const folder = join(import.meta.dirname, '.peers')
/** Returns a field's column name in the peers' tables. */
export const columnName = (id: string) => id.replace(' ', '_')

// Their native parts are compiled for the machine's Node, not for this project's.
const otherPaths = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((path) => !path.includes('node_modules'))
const env = { ...process.env, PATH: otherPaths.join(delimiter) }
const node = otherPaths.map((path) => join(path, 'node')).find((path) => existsSync(path)) ?? 'node'

const token = 'bench-token'

const directus: Peer = {
  name: 'directus',
  npm: 'directus',
  version: '12.4.0',
  isIndexed: true,
  async start(port, file) {
    const settings = {
      ...env,
      DB_CLIENT: 'sqlite3',
      DB_FILENAME: file,
      SECRET: 'bench',
      ADMIN_EMAIL: 'bench@example.org',
      ADMIN_PASSWORD: 'bench-password',
      ADMIN_TOKEN: token,
      HOST: '127.0.0.1',
      PORT: String(port),
      LOG_LEVEL: 'error',
      CACHE_ENABLED: 'false',
      RATE_LIMITER_ENABLED: 'false',
      PRESSURE_LIMITER_ENABLED: 'false',
      TELEMETRY: 'false',
    }
    const cli = join(folder, 'node_modules/directus/cli.js')
    execFileSync(node, [cli, 'bootstrap'], { cwd: folder, env: settings, stdio: 'ignore' })
    const db = new DatabaseSync(file)
    db.exec("INSERT INTO directus_collections (collection) VALUES ('members'), ('events')")
    db.close()
    return spawn(node, [cli, 'start'], { cwd: folder, env: settings, stdio: 'ignore' })
  },
  request(port, query) {
    const items = `http://127.0.0.1:${port}/items/${query.table.name}`
    const headers = { Authorization: `Bearer ${token}` }
    if ('record' in query) return { url: `${items}/${query.record + 1}`, headers }
    const filter =
      query.value && `&filter[${query.table.filtered[0]}][_eq]=${encodeURIComponent(query.value)}`
    const total = filter ? 'filter_count' : 'total_count'
    const url = `${items}?limit=100&offset=${query.offset}&meta=${total}${filter ?? ''}`
    return { url, headers }
  },
  parseRows: (text) => [JSON.parse(text).data].flat(),
}

const soul: Peer = {
  name: 'soul-cli',
  npm: 'soul-cli',
  version: '0.8.2',
  isIndexed: true,
  async start(port, file) {
    const server = join(folder, 'node_modules/soul-cli/src/server.js')
    const args = [server, '-d', file, '-p', String(port)]
    return spawn(node, args, { cwd: folder, env, stdio: 'ignore' })
  },
  request(port, query) {
    const rows = `http://127.0.0.1:${port}/api/tables/${query.table.name}/rows`
    if ('record' in query) return { url: `${rows}/${query.record + 1}` }
    const filter =
      query.value && `&_filters=${encodeURIComponent(`${query.table.filtered[0]}:${query.value}`)}`
    return { url: `${rows}?_limit=100&_page=${query.offset / 100 + 1}${filter ?? ''}` }
  },
  parseRows: (text) => [JSON.parse(text).data].flat(),
}

// Tables it creates have no index except the key's.
const soulWithoutIndexes: Peer = { ...soul, name: 'soul-cli without indexes', isIndexed: false }

/** Installs the peers from the npm registry into a separate folder; returns those that could not be installed as `skipped`. */
export function installPeers(): { peers: Peer[]; skipped: string[] } {
  const skipped: string[] = []
  const peers = [directus, soul, soulWithoutIndexes].filter(({ npm, version }) => {
    const manifest = join(folder, 'node_modules', npm, 'package.json')
    if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version === version) {
      return true
    }
    mkdirSync(folder, { recursive: true })
    if (!existsSync(join(folder, 'package.json'))) {
      writeFileSync(join(folder, 'package.json'), '{"private":true}')
    }
    const args = ['install', '--no-audit', '--no-fund', `${npm}@${version}`]
    try {
      execFileSync('npm', args, { cwd: folder, env, stdio: 'ignore', timeout: 15 * 60_000 })
      return true
    } catch {
      skipped.push(`${npm} ${version} could not be installed here`)
      return false
    }
  })
  return { peers, skipped }
}

/** Writes tables to an empty SQLite file, with an index on filtered columns if `isIndexed`. */
export function writeTables(
  file: string,
  tables: readonly Table[],
  records: number,
  isIndexed: boolean,
): void {
  rmSync(file, { force: true })
  const db = new DatabaseSync(file)
  db.exec('BEGIN')
  for (const { name, columns, filtered } of tables) {
    const types = columns.map(
      ({ id, type }, index) =>
        `"${columnName(id)}" ${sqlType(type)}${index === 0 ? ' UNIQUE' : ''}`,
    )
    db.exec(`CREATE TABLE ${name} (id INTEGER PRIMARY KEY, ${types.join()})`)
    const placeholders = Array(columns.length + 1).fill('?')
    const insert = db.prepare(`INSERT INTO ${name} VALUES (${placeholders.join()})`)
    for (let record = 0; record < records; record++) {
      const values = columns.map(({ value }) => value(record))
      insert.run(
        record + 1,
        ...values.map((value) => (typeof value === 'boolean' ? Number(value) : value)),
      )
    }
    for (const id of isIndexed ? filtered : []) {
      db.exec(`CREATE INDEX ${name}_by_${id} ON ${name} ("${id}")`)
    }
  }
  db.exec('COMMIT')
  db.close()
}

/** Returns a row's values in the columns' order, for comparison. */
export const toComparable = (row: Row, { columns }: Table) =>
  columns.map(({ id }) => toText(row[columnName(id)])).join('\n')

/** Returns a value as text; a boolean as 0 or 1, as some peers store it. */
const toText = (value: unknown) => String(typeof value === 'boolean' ? Number(value) : value)

/** Waits until a peer responds; throws after a minute. */
export async function waitUntilReady(request: Request): Promise<void> {
  for (let second = 0; second < 60; second++) {
    try {
      await fetchText(request)
      return
    } catch {
      await setTimeout(1000)
    }
  }
  await fetchText(request)
}

function sqlType(type: string): string {
  if (type === 'number') return 'INTEGER'
  return type === 'boolean' ? 'BOOLEAN' : 'VARCHAR(255)'
}
