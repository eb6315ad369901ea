import { sql } from 'drizzle-orm/sql'
import { webhookPermissions } from '../../access/permissions.ts'
import { integer, json, optional, text } from '../columns.ts'
import { ofCollection } from '../fragments.ts'
import { showsAll } from '../read/feed-visibility.ts'
import { schemaColumn } from '../read/single.ts'
import type { Store } from '../store.ts'
import type { FeedEntry } from './messages.ts'

// The first records may all be hidden.
const maxRecordsRead = 100

/** Reads a record that the key may see as an entry of the feed; undefined without one. Throws 403 for a hidden collection. */
export const readSampleEntry = (store: Store, collection: string): Promise<FeedEntry | undefined> =>
  store.withPolicy(async (policy) => {
    const { head, rows } = await store.select({
      permissions: webhookPermissions,
      collection,
      policy,
      head: { schema: optional(text(schemaColumn(store.organisationId, sql`${collection}`))) },
      rows: {
        columns: {
          version: integer(sql`version`),
          recordId: text(sql`id`),
          at: text(sql`changed`),
          firstVersion: integer(sql`first_version`),
          changed: json<string[]>(
            sql`(SELECT json_group_array(key) FROM json_each(document) WHERE substr(key, 1, 1) <> '$')`,
          ),
        },
        from: sql`FROM (
            SELECT * FROM records WHERE ${ofCollection(store, collection)} LIMIT ${sql.raw(String(maxRecordsRead))}
          ) AS records WHERE ${showsAll(policy.hiddenRecords())} LIMIT 1`,
      },
    })
    const [record] = rows
    if (!record) return undefined
    const changed = policy.visibleChanges(collection, record.changed, head.schema)
    return { ...record, collection, changed, isVisible: true }
  })
