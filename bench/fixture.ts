import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { generateApiKey } from '../src/auth/key-text.ts'
import { sha256 } from '../src/platform/sha256.ts'
import { bitmapColumns } from '../src/store/bitmap/bits.ts'
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
  const folder = join(root, 'migrations/records')
  for (const name of readdirSync(folder).sort()) db.exec(readFileSync(join(folder, name), 'utf8'))
  const organisations: Measured[] = []
  for (const members of sizes) organisations.push(await addOrganisation(db, members))
  db.exec('BEGIN')
  for (const organisation of organisations) addOthers(db, organisation)
  const indexing = db.prepare("SELECT name, sql FROM sqlite_master WHERE name = 'records_inserted'")
  const { name, sql } = indexing.get() as { name: string; sql: string }
  db.exec(`DROP TRIGGER ${name}`)
  for (const organisation of organisations) addMembers(db, organisation)
  db.exec(sql)
  db.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)')
  db.close()
  return organisations
}

async function addOrganisation(db: DatabaseSync, members: number): Promise<Measured> {
  const id = `org-${members}`
  const key = generateApiKey()
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
  for (let member = 0; member < members; member++)
    insert('members', memberId(member), member + 1, memberDocument(member))
  const insertTerm = db.prepare(
    "INSERT INTO terms (organisation_id, collection, field, value, count, last) VALUES (?, 'members', ?, ?, ?, ?)",
  )
  const insertBitmap = db.prepare(
    `INSERT INTO bitmaps (term_id, block, count, ${bitmapColumns.join(', ')})
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const addTerm = (field: string, value: string | number | Uint8Array, ordinals: number[]) => {
    const last = field === '' ? members : 0
    const { lastInsertRowid } = insertTerm.run(id, field, value, ordinals.length, last)
    for (const [block, held] of Map.groupBy(ordinals, (ordinal) => Math.floor(ordinal / 496))) {
      const bits = bitmapColumns.map(() => 0n)
      for (const ordinal of held) {
        const part = Math.floor((ordinal % 496) / 62)
        bits[part] = (bits[part] ?? 0n) | (1n << BigInt(ordinal % 62))
      }
      insertBitmap.run(lastInsertRowid, block, held.length, ...bits)
    }
  }
  const every = Array.from({ length: members }, (_, member) => member + 1)
  addTerm('', new Uint8Array(), every)
  for (const field of [{ id: 'memberId', value: memberId }, ...fields]) {
    const held = Map.groupBy(every, (ordinal) => field.value(ordinal - 1))
    for (const [value, ordinals] of held) {
      const kept = typeof value === 'boolean' ? Uint8Array.of(value ? 1 : 0) : value
      addTerm(field.id, kept, ordinals)
    }
  }
}

function insertInto(db: DatabaseSync, organisationId: string) {
  const statement = db.prepare(
    'INSERT INTO records (organisation_id, collection, id, ordinal, document, updated) VALUES (?, ?, ?, ?, ?, ?)',
  )
  return (collection: string, id: string, ordinal: number, document: object | string) =>
    statement.run(organisationId, collection, id, ordinal, textOf(document), '')
}

const textOf = (document: object | string) =>
  typeof document === 'string' ? document : JSON.stringify(document)
