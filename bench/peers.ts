import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { columns as eventColumns } from './flat-events.ts'
import { fetchText, type Request } from './load.ts'

type Row = Record<string, unknown>

/** Flat events as a peer's users would design them: a table with a column per field, the first one unique, and an index on the filtered field. */
const table = 'events'
const columns = eventColumns.filter(({ id }) => id !== 'id')
export const filtered = 'parentEventId'

/** A page of events, filtered if a value is given, or an event by its number. */
export type PeerQuery = { offset: number; value?: string } | { record: number }

/** An alternative to this project: how to start it on a database, query it and read its response. */
export type Peer = {
  /** Its npm package. */
  name: 'directus' | 'soul-cli'
  version: string
  start: (port: number, file: string) => Promise<ChildProcess>
  request: (port: number, query: PeerQuery) => Request
  parseRows: (answer: string) => Row[]
}

const folder = join(import.meta.dirname, '.peers')

// Their native parts are compiled for the machine's Node, not for this project's.
const otherPaths = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((path) => !path.includes('node_modules'))
const env = { ...process.env, PATH: otherPaths.join(delimiter) }
const node = otherPaths.map((path) => join(path, 'node')).find((path) => existsSync(path)) ?? 'node'

const token = 'bench-token'

const directus: Peer = {
  name: 'directus',
  version: '12.4.0',
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
    db.exec("INSERT INTO directus_collections (collection) VALUES ('events')")
    db.close()
    return spawn(node, [cli, 'start'], { cwd: folder, env: settings, stdio: 'ignore' })
  },
  request(port, query) {
    const items = `http://127.0.0.1:${port}/items/${table}`
    const headers = { Authorization: `Bearer ${token}` }
    if ('record' in query) return { url: `${items}/${query.record + 1}`, headers }
    const filter = query.value && `&filter[${filtered}][_eq]=${encodeURIComponent(query.value)}`
    const total = filter ? 'filter_count' : 'total_count'
    const url = `${items}?limit=100&offset=${query.offset}&meta=${total}${filter ?? ''}`
    return { url, headers }
  },
  parseRows: (text) => [JSON.parse(text).data].flat(),
}

const soul: Peer = {
  name: 'soul-cli',
  version: '0.8.2',
  async start(port, file) {
    const server = join(folder, 'node_modules/soul-cli/src/server.js')
    const args = [server, '-d', file, '-p', String(port)]
    return spawn(node, args, { cwd: folder, env, stdio: 'ignore' })
  },
  request(port, query) {
    const rows = `http://127.0.0.1:${port}/api/tables/${table}/rows`
    if ('record' in query) return { url: `${rows}/${query.record + 1}` }
    const filter = query.value && `&_filters=${encodeURIComponent(`${filtered}:${query.value}`)}`
    return { url: `${rows}?_limit=100&_page=${query.offset / 100 + 1}${filter ?? ''}` }
  },
  parseRows: (text) => [JSON.parse(text).data].flat(),
}

/** Installs the peers from the npm registry into a separate folder; returns the others as `skipped`. */
export function installPeers(): { peers: Peer[]; skipped: string[] } {
  const skipped: string[] = []
  const peers = [directus, soul].filter(({ name, version }) => {
    const manifest = join(folder, 'node_modules', name, 'package.json')
    if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version === version) {
      return true
    }
    mkdirSync(folder, { recursive: true })
    if (!existsSync(join(folder, 'package.json'))) {
      writeFileSync(join(folder, 'package.json'), '{"private":true}')
    }
    const args = ['install', '--no-audit', '--no-fund', `${name}@${version}`]
    try {
      execFileSync('npm', args, { cwd: folder, env, stdio: 'ignore', timeout: 15 * 60_000 })
      return true
    } catch {
      skipped.push(`${name} ${version}`)
      return false
    }
  })
  return { peers, skipped }
}

/** Writes the events to an empty SQLite file. */
export function writeEvents(file: string, events: number): void {
  rmSync(file, { force: true })
  const db = new DatabaseSync(file)
  const definitions = columns.map(
    ({ id, type }, index) =>
      `"${id}" ${type === 'number' ? 'INTEGER' : 'VARCHAR(255)'}${index === 0 ? ' UNIQUE' : ''}`,
  )
  db.exec(`BEGIN; CREATE TABLE ${table} (id INTEGER PRIMARY KEY, ${definitions.join()})`)
  const placeholders = Array(columns.length + 1).fill('?')
  const insert = db.prepare(`INSERT INTO ${table} VALUES (${placeholders.join()})`)
  for (let event = 0; event < events; event++)
    insert.run(event + 1, ...columns.map(({ value }) => value(event)))
  db.exec(`CREATE INDEX events_by_filtered ON ${table} ("${filtered}"); COMMIT`)
  db.close()
}

/** Returns a row's values in the columns' order, for comparison. */
export const toComparable = (row: Row) => columns.map(({ id }) => String(row[id])).join('\n')

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
