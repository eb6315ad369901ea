import { sql } from 'drizzle-orm/sql'
import { flag, json, optional, text } from '../columns.ts'
import { ofOrganisation } from '../fragments.ts'
import type { Store } from '../store.ts'
import { isQueued, type Recipient } from './mailings.ts'

/** A mailing about a record, with the number of its messages in each state. */
export type SentMailing = {
  id: string
  purpose: string
  /** The subject that staff wrote. */
  subject: string | undefined
  created: string
  createdBy: string
  /** The day after which it is deleted. */
  deleteAfter: string
  counts: Readonly<Record<string, number>>
}

/** The message of a mailing to one address. */
export type SentLetter = {
  name: string
  email: string
  /** The names in the bookings that it is about. */
  people: string[]
  state: string
}

const maxMailings = 50

const mailingColumns = {
  id: text(sql`mailings.id`),
  purpose: text(sql`purpose`),
  subject: optional(text(sql`content ->> '$.subject'`)),
  created: text(sql`created`),
  createdBy: text(sql`created_by`),
  deleteAfter: text(sql`delete_after`),
  counts: json<Record<string, number>>(sql`(
    SELECT json_group_object(state, number) FROM (
      SELECT state, count(*) AS number FROM mailing_messages
      WHERE mailing_messages.organisation_id = mailings.organisation_id AND mailing_id = mailings.id
      GROUP BY state
    )
  )`),
}

/** Reads the last mailings about a record, newest first. */
export async function listMailings(store: Store, recordId: string): Promise<SentMailing[]> {
  const { rows } = await store.select({
    rows: {
      columns: mailingColumns,
      from: sql`FROM mailings
        WHERE ${ofOrganisation(store)} AND record_id = ${recordId} AND recipients > 0
        ORDER BY created DESC LIMIT ${sql.raw(String(maxMailings))}`,
    },
  })
  return rows
}

/** Reads a mailing about a record with its messages, first the unsent ones. `mailing` is undefined for an unknown id. */
export async function readMailing(
  store: Store,
  recordId: string,
  id: string,
): Promise<{ mailing: SentMailing | undefined; messages: SentLetter[] }> {
  const isMailing = sql`${ofOrganisation(store, 'mailings')} AND record_id = ${recordId} AND mailings.id = ${id}`
  const { rows: mailings } = await store.select({
    rows: { columns: mailingColumns, from: sql`FROM mailings WHERE ${isMailing}` },
  })
  const people = sql`(
    SELECT json_group_array(document ->> '$.userName')
    FROM json_each(recipient, '$.bookingIds') AS booking
    CROSS JOIN records ON records.collection = 'bookings' AND records.id = booking.value
      AND ${ofOrganisation(store, 'records')}
  )`
  const { rows: messages } = await store.select({
    rows: {
      columns: {
        name: text(sql`recipient ->> '$.name'`),
        email: text(sql`recipient ->> '$.email'`),
        people: json<string[]>(people),
        state: text(sql`state`),
      },
      from: sql`FROM mailings CROSS JOIN mailing_messages
          ON mailing_messages.organisation_id = mailings.organisation_id AND mailing_id = mailings.id
        WHERE ${isMailing}
        ORDER BY state = 'sent', address`,
    },
  })
  return { mailing: mailings[0], messages }
}

/** Reads the recipients of a mailing with personal links, and whether its reminder was queued. Undefined for an unknown id. */
export async function readMailingToRemind(
  store: Store,
  recordId: string,
  { id, reminderId }: { id: string; reminderId: string },
): Promise<{ created: string; isReminded: boolean; recipients: Recipient[] } | undefined> {
  const recipients = sql`(
    SELECT json_group_array(json(recipient)) FROM mailing_messages
    WHERE mailing_messages.organisation_id = mailings.organisation_id AND mailing_id = mailings.id
  )`
  const { rows } = await store.select({
    rows: {
      columns: {
        created: text(sql`created`),
        isReminded: flag(isQueued(store, reminderId)),
        recipients: json<Recipient[]>(recipients),
      },
      from: sql`FROM mailings
        WHERE ${ofOrganisation(store, 'mailings')} AND record_id = ${recordId} AND mailings.id = ${id}
          AND purpose = 'form'`,
    },
  })
  return rows[0]
}
