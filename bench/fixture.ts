import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { newApiKey } from '../src/auth/key-text.ts'
import { sha256 } from '../src/platform/sha256.ts'
import { fields, memberDocument, memberId } from './members.ts'

/** An organisation to be measured, with a key. */
export type Measured = { id: string; members: number; key: string }

/** How many events, bookings and forms the organisations have that have any. */
export const others = 2000

const root = join(import.meta.dirname, '..')
const example = (name: string) => readFileSync(join(root, 'test/examples', name), 'utf8')

/** Fills an empty SQLite file with an organisation for each size, all in the same tables; `others` of them with events, bookings and forms. */
export async function fill(file: string, sizes: readonly number[]): Promise<Measured[]> {
  const db = new DatabaseSync(file)
  db.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -400000; PRAGMA temp_store = MEMORY')
  const folder = join(root, 'migrations')
  const [before, after] = split(readdirSync(folder).sort(), (name) => name < '0004')
  for (const name of before) db.exec(readFileSync(join(folder, name), 'utf8'))
  const organisations: Measured[] = []
  for (const members of sizes) organisations.push(await addOrganisation(db, members))
  db.exec('BEGIN')
  for (const organisation of organisations) addOthers(db, organisation)
  const indexing = db.prepare("SELECT name, sql FROM sqlite_master WHERE name = 'records_inserted'")
  const { name, sql } = indexing.get() as { name: string; sql: string }
  db.exec(`DROP TRIGGER ${name}`)
  for (const organisation of organisations) addMembers(db, organisation)
  db.exec(sql)
  // The counts along the postings: their migration makes them of the postings there are.
  for (const name of after) db.exec(readFileSync(join(folder, name), 'utf8'))
  db.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)')
  db.close()
  return organisations
}

async function addOrganisation(db: DatabaseSync, members: number): Promise<Measured> {
  const id = `org-${members}`
  const key = newApiKey()
  const made = '2025-01-01T00:00:00.000Z'
  db.prepare('INSERT INTO organisations (id, name, created) VALUES (?, ?, ?)').run(id, id, made)
  db.prepare(
    'INSERT INTO api_keys (id, organisation_id, name, prefix, hash, created) VALUES (?, ?, ?, ?, ?, ?)',
  ).run(`key-${id}`, id, 'bench', key.slice(0, 8), await sha256(key), made)
  const schema = fields.map((field, order) => ({
    id: field.id,
    name: field.id,
    label: field.id,
    type: field.type,
    order,
  }))
  db.prepare('INSERT INTO schemas (organisation_id, kind, name, fields) VALUES (?, ?, ?, ?)').run(
    id,
    'members',
    'Member Schema',
    JSON.stringify(schema),
  )
  return { id, members, key }
}

/** Events, forms and bookings, a collection behind the other as imports write them. */
function addOthers(db: DatabaseSync, { id, members }: Measured): void {
  if (members < others) return
  const insert = insertInto(db, id)
  for (const [collection, idName, singular] of [
    ['events', 'eventId', 'event'],
    ['forms', 'formId', 'form'],
    ['bookings', 'bookingId', 'booking'],
  ] as const) {
    const record = JSON.parse(example(`${collection}.json`))
    for (let place = 0; place < others; place++) {
      const own = `${singular}-${place}`
      const linked = collection === 'bookings' && { memberId: memberId(place) }
      insert(collection, own, place + 1, { ...record, [idName]: own, ...linked })
    }
  }
}

/** The members of an organisation and their index, written term by term: a tenth of what the triggers take. */
function addMembers(db: DatabaseSync, { id, members }: Measured): void {
  const insert = insertInto(db, id)
  let first = 0
  for (let member = 0; member < members; member++) {
    const row = insert('members', memberId(member), member + 1, memberDocument(member))
    if (member === 0) first = row
  }
  const term = db.prepare(
    "INSERT INTO terms (organisation_id, collection, field, value, count) VALUES (?, 'members', ?, ?, ?)",
  )
  const postings = db.prepare('INSERT INTO postings (term, row) SELECT ?, value FROM json_each(?)')
  const posting = db.prepare('INSERT INTO postings (term, row) VALUES (?, ?)')
  for (const field of [{ id: 'memberId', value: memberId }, ...fields]) {
    const rows = new Map<string | number | boolean, number[]>()
    for (let member = 0; member < members; member++) {
      const value = field.value(member)
      const known = rows.get(value)
      if (known) known.push(first + member)
      else rows.set(value, [first + member])
    }
    for (const [value, found] of rows) {
      const kept = typeof value === 'boolean' ? Uint8Array.of(value ? 1 : 0) : value
      const { lastInsertRowid } = term.run(id, field.id, kept, found.length)
      const [only] = found
      if (found.length === 1 && only !== undefined) posting.run(lastInsertRowid, only)
      else postings.run(lastInsertRowid, JSON.stringify(found))
    }
  }
}

function insertInto(db: DatabaseSync, organisationId: string) {
  const statement = db.prepare(
    'INSERT INTO records (organisation_id, collection, id, position, document, updated) VALUES (?, ?, ?, ?, ?, ?)',
  )
  return (collection: string, id: string, position: number, document: object | string) =>
    Number(
      statement.run(organisationId, collection, id, position, textOf(document), '').lastInsertRowid,
    )
}

const textOf = (document: object | string) =>
  typeof document === 'string' ? document : JSON.stringify(document)

function split<Item>(items: Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))]
}
