import { type SQL, sql } from 'drizzle-orm/sql'
import { list } from '../columns.ts'
import { ofOrganisation } from '../fragments.ts'
import { statement } from '../statement.ts'
import type { Store } from '../store.ts'

/** Finds the addresses, as digests, that get no more messages because their owners stopped them. */
export async function findUnsubscribed(
  store: Store,
  addressHashes: readonly string[],
): Promise<ReadonlySet<string>> {
  const query = sql`SELECT DISTINCT address_hash AS item FROM unsubscribe_links
    WHERE ${ofOrganisation(store)} AND used IS NOT NULL
      AND address_hash IN (SELECT value FROM json_each(${JSON.stringify(addressHashes)}))`
  const { head } = await store.select({ head: { hashes: list<string>(query) } })
  return new Set(head.hashes)
}

/** A link to stop messages, as digests of its secret and of the address. */
export type NewUnsubscribeLink = { hash: string; addressHash: string }

/** SQL that stores a link to stop messages. */
export const insertUnsubscribeLink = (
  { organisationId }: Store,
  { hash, addressHash }: NewUnsubscribeLink,
): SQL => sql`
  INSERT INTO unsubscribe_links (organisation_id, address_hash, hash, created)
  VALUES (${organisationId}, ${addressHash}, ${hash}, ${new Date().toISOString()})`

/** Stops the messages to the address of a link. Returns whether the link exists. */
export async function useUnsubscribeLink(store: Store, hash: string): Promise<boolean> {
  const isLink = sql`${ofOrganisation(store)} AND hash = ${hash}`
  const { refused } = await store.write(
    {
      permissions: ['write'],
      isInternal: true,
      unless: { unknown: sql`NOT EXISTS (SELECT 1 FROM unsubscribe_links WHERE ${isLink})` },
    },
    [
      sql`UPDATE unsubscribe_links SET used = ifnull(used, ${new Date().toISOString()})
        WHERE ${isLink}`,
    ],
  )
  return refused === undefined
}

const unusedDays = 365

/** Deletes links that nobody has used for a year. */
export async function deleteOldUnsubscribeLinks(DB: D1Database, now: number): Promise<void> {
  const before = new Date(now - unusedDays * 86_400_000).toISOString()
  await statement(
    DB,
    sql`DELETE FROM unsubscribe_links WHERE used IS NULL AND created < ${before}`,
  ).run()
}
