import { sql } from 'drizzle-orm/sql'
import { nullable, text } from '../columns.ts'
import { ofOrganisation } from '../fragments.ts'
import type { Store } from '../store.ts'

/** A message to a person, as long as its mailing is stored. Its text is not. */
export type PersonMessage = {
  address: string
  /** The purpose of the mailing, such as `reminder`. */
  purpose: string
  /** The event or form that it was about. */
  recordId: string
  /** The subject that staff wrote; null for a message of the service. */
  subject: string | null
  state: string
  /** The time of the last change of the state. */
  updated: string
}

/** Reads the messages to addresses, by time. */
export async function readPersonMessages(
  store: Store,
  addresses: readonly string[],
): Promise<PersonMessage[]> {
  const { rows } = await store.select({
    rows: {
      columns: {
        address: text(sql`address`),
        purpose: text(sql`purpose`),
        recordId: text(sql`record_id`),
        subject: nullable(text(sql`content ->> '$.subject'`)),
        state: text(sql`state`),
        updated: text(sql`updated`),
      },
      from: sql`FROM mailing_messages CROSS JOIN mailings
          ON mailings.organisation_id = mailing_messages.organisation_id AND mailings.id = mailing_id
        WHERE ${ofOrganisation(store, 'mailing_messages')} AND address IN (
          SELECT lower(value) FROM json_each(${JSON.stringify(addresses)})
        )
        ORDER BY updated, mailing_id`,
    },
  })
  return rows
}
