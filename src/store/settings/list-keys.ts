import { sql } from 'drizzle-orm/sql'
import type { RecordDatabases } from '../../platform/bindings.ts'
import { decodeRows, nullable, type Selected, selectColumns, text } from '../columns.ts'
import { listDatabases } from '../databases.ts'
import { ofOrganisation } from '../fragments.ts'
import { type Row, statement } from '../statement.ts'
import type { Store } from '../store.ts'

/** The columns to show. They include only the first 8 characters of the key. */
const keyColumns = {
  id: text(sql`id`),
  organisationId: text(sql`organisation_id`),
  name: text(sql`name`),
  prefix: text(sql`prefix`),
  created: text(sql`created`),
  createdBy: text(sql`created_by`),
  revoked: nullable(text(sql`revoked`)),
  expires: nullable(text(sql`expires`)),
  lastUsed: nullable(text(sql`last_used`)),
  permissions: text(sql`permissions`),
  restrictions: nullable(text(sql`restrictions`)),
}

type KeyRow = Selected<typeof keyColumns>

type KeyState = 'active' | 'revoked' | 'expired'

/** A key without its secret, with its state. */
export type ListedKey = KeyRow & { state: KeyState }

/** Lists the keys of an organisation, oldest first. */
export async function listKeys(store: Store): Promise<ListedKey[]> {
  const from = sql`FROM api_keys WHERE ${ofOrganisation(store)} ORDER BY created, rowid`
  return addStates((await store.select({ rows: { columns: keyColumns, from } })).rows)
}

/** Lists the keys of the organisations of all databases, oldest first. */
export async function listAllKeys(env: RecordDatabases): Promise<ListedKey[]> {
  // A move copies the keys of an organisation before it is here.
  const query = sql`SELECT ${selectColumns(keyColumns)} FROM api_keys
    WHERE organisation_id IN (SELECT id FROM organisations WHERE database IS NULL)
    ORDER BY created, rowid`
  const lists = await Promise.all(
    listDatabases(env).map(async ([, d1]) =>
      addStates(decodeRows(keyColumns, (await statement(d1, query).all<Row>()).results)),
    ),
  )
  return lists.flat().toSorted((a, b) => a.created.localeCompare(b.created, 'en'))
}

function addStates(keys: readonly KeyRow[]): ListedKey[] {
  const now = new Date().toISOString()
  return keys.map((key) => ({ ...key, state: keyState(key, now) }))
}

function keyState(
  { revoked, expires }: Pick<KeyRow, 'revoked' | 'expires'>,
  now: string,
): KeyState {
  if (revoked !== null) return 'revoked'
  return expires !== null && expires <= now ? 'expired' : 'active'
}
