import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { type Ask, answer } from './load.ts'
import { fields, memberId } from './members.ts'

/** A page or a record to ask a peer for. */
export type Wanted = { offset: number; cohort?: string } | { member: number }

type Row = Record<string, string | number | boolean>

/** Something a user would pick instead: how it is started on a database of members, asked, and read. */
export type Peer = {
  name: 'directus' | 'soul-cli' | 'soul-cli without indexes'
  /** Its package. */
  npm: string
  version: string
  /** Whether the columns that are filtered are indexed. */
  isIndexed: boolean
  start: (port: number, file: string) => Promise<ChildProcess>
  ask: (port: number, wanted: Wanted) => Ask
  rows: (answer: string) => Row[]
}

const folder = join(import.meta.dirname, '.peers')
const column = (id: string) => id.replace(' ', '_')

// Their native parts are compiled for the machine's own Node, not for the one of this project.
const outside = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((path) => !path.includes('node_modules'))
const env = { ...process.env, PATH: outside.join(delimiter) }
const node = outside.map((path) => join(path, 'node')).find((path) => existsSync(path)) ?? 'node'

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
    db.exec("INSERT INTO directus_collections (collection) VALUES ('members')")
    db.close()
    return spawn(node, [cli, 'start'], { cwd: folder, env: settings, stdio: 'ignore' })
  },
  ask(port, wanted) {
    const items = `http://127.0.0.1:${port}/items/members`
    const headers = { Authorization: `Bearer ${token}` }
    if ('member' in wanted) return { url: `${items}/${wanted.member + 1}`, headers }
    const filter = wanted.cohort && `&filter[Cohort][_eq]=${encodeURIComponent(wanted.cohort)}`
    const total = filter ? 'filter_count' : 'total_count'
    const url = `${items}?limit=100&offset=${wanted.offset}&meta=${total}${filter ?? ''}`
    return { url, headers }
  },
  rows: (text) => [JSON.parse(text).data].flat(),
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
  ask(port, wanted) {
    const rows = `http://127.0.0.1:${port}/api/tables/members/rows`
    if ('member' in wanted) return { url: `${rows}/${wanted.member + 1}` }
    const filter = wanted.cohort && `&_filters=${encodeURIComponent(`Cohort:${wanted.cohort}`)}`
    return { url: `${rows}?_limit=100&_page=${wanted.offset / 100 + 1}${filter ?? ''}` }
  },
  rows: (text) => [JSON.parse(text).data].flat(),
}

// It makes tables with no index but the key's, and counts a table over its smallest index.
const soulAsMade: Peer = { ...soul, name: 'soul-cli without indexes', isIndexed: false }

/** The peers, installed from the npm registry into a folder of the bench's own; and what could not be. */
export function install(): { peers: Peer[]; skipped: string[] } {
  const skipped: string[] = []
  const peers = [directus, soul, soulAsMade].filter(({ npm, version }) => {
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

/** Writes the members to an empty SQLite file as a peer's users would have them: a column for each field, indexed where it is filtered if `isIndexed`. */
export function writeMembers(file: string, members: number, isIndexed: boolean): void {
  rmSync(file, { force: true })
  const db = new DatabaseSync(file)
  const columns = fields.map(({ id, type }) => `"${column(id)}" ${sqlType(type)}`)
  db.exec(`CREATE TABLE members (id INTEGER PRIMARY KEY, memberId TEXT UNIQUE, ${columns.join()})`)
  const places = Array(fields.length + 2).fill('?')
  const insert = db.prepare(`INSERT INTO members VALUES (${places.join()})`)
  db.exec('BEGIN')
  for (let member = 0; member < members; member++) {
    const values = fields.map(({ value }) => value(member))
    insert.run(
      member + 1,
      memberId(member),
      ...values.map((value) => (typeof value === 'boolean' ? Number(value) : value)),
    )
  }
  for (const name of isIndexed ? ['Cohort', 'Status', 'Consent'] : []) {
    db.exec(`CREATE INDEX members_by_${name} ON members ("${name}")`)
  }
  db.exec('COMMIT')
  db.close()
}

/** A peer's row as ours are compared with it: the id and the values of the fields, in order. */
export const comparable = (row: Row) =>
  [row.memberId, ...fields.map(({ id }) => row[column(id)])].map(plain).join('\n')

/** A value as text; a boolean is 0 or 1, as some peers keep it. */
export const plain = (value: unknown) => String(typeof value === 'boolean' ? Number(value) : value)

/** Waits until a peer answers; throws after a minute. */
export async function untilReady(ask: Ask): Promise<void> {
  for (let second = 0; second < 60; second++) {
    try {
      await answer(ask)
      return
    } catch {
      await setTimeout(1000)
    }
  }
  await answer(ask)
}

function sqlType(type: string): string {
  if (type === 'number') return 'INTEGER'
  return type === 'boolean' ? 'BOOLEAN' : 'VARCHAR(255)'
}
