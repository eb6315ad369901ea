import { sql } from 'drizzle-orm/sql'
import { hasPermissions } from '../../access/credential.ts'
import { statement } from '../statement.ts'
import type { Store } from '../store.ts'

/** Counts a message to an address on a day, by the digest of both. Returns false from the limit on. */
export async function countMessage(
  store: Store,
  { day, recipientHash, max }: { day: string; recipientHash: string; max: number },
): Promise<boolean> {
  const { rows } = await store.transact({ permissions: ['write'] }, {}, [
    sql`INSERT INTO sent_mail (day, recipient_hash, count)
      SELECT ${day}, ${recipientHash}, 1 WHERE ${hasPermissions(store.credential, ['write'])}
      ON CONFLICT (day, recipient_hash) DO UPDATE SET count = count + 1 WHERE count < ${max}
      RETURNING count`,
  ])
  return rows.length > 0
}

/** Deletes the counts of the days before `day`. */
export async function deleteOldCounts(DB: D1Database, day: string): Promise<void> {
  await statement(DB, sql`DELETE FROM sent_mail WHERE day < ${day}`).run()
}
