import { type SQL, sql } from 'drizzle-orm/sql'
import type { Kind } from '../../model/properties/schema.ts'
import { nameActor } from '../audit-entry.ts'
import { isSettledHere } from '../databases.ts'
import { ofOrganisation } from '../fragments.ts'
import { statement } from '../statement.ts'
import type { Store } from '../store.ts'
import { insertLinks, type NewBookingLink } from './write-sign-up.ts'

/*
 * The queue of messages. A message is sent at most once: it is `sending` before the provider gets it, and a message
 * that stays in this state, because the Worker was stopped, becomes `uncertain` and is not sent again. A failure
 * before that is followed by another attempt.
 */

/** A recipient of a mailing, and the bookings or people that the message is about. */
export type Recipient = {
  name: string
  email: string
  bookingIds?: readonly string[]
  invited?: readonly InvitedPerson[]
  /** Whether somebody of staff gets it to see what others get: the links about bookings lead nowhere. */
  isTest?: boolean
}

type InvitedPerson = { kind: Kind; id: string }

/** A message for several addresses. */
export type NewMailing = {
  id: string
  /** What the messages are for; decides how `content` is read. */
  purpose: string
  /** The event or form that they are about. */
  recordId: string
  content: Readonly<Record<string, unknown>>
  /** The day after which the mailing and its messages are deleted. */
  deleteAfter: string
  recipients: readonly Recipient[]
}

/** The number of messages of a mailing that are due each minute, so that a long one does not delay the others. */
const messagesPerMinute = 20

/** SQL that queues the messages of a mailing, for the transaction of its occasion. A mailing with this id is queued once. */
export function insertMailing(store: Store, mailing: NewMailing): SQL[] {
  const { organisationId, credential } = store
  const { id, purpose, recordId, content, deleteAfter, recipients } = mailing
  const now = new Date().toISOString()
  return [
    sql`INSERT INTO mailing_messages (organisation_id, mailing_id, address, recipient, state, due, updated)
      SELECT ${organisationId}, ${id}, lower(value ->> '$.email'), value, 'queued',
        strftime('%Y-%m-%dT%H:%M:%fZ', ${now}, format('+%d minutes', key / ${messagesPerMinute})), ${now}
      FROM json_each(${JSON.stringify(recipients)})
      WHERE NOT EXISTS (SELECT 1 FROM mailings WHERE ${ofOrganisation({ organisationId })} AND id = ${id})
      ON CONFLICT DO NOTHING`,
    sql`INSERT INTO mailings (
        organisation_id, id, purpose, record_id, content, recipients, created, created_by, delete_after
      )
      VALUES (
        ${organisationId}, ${id}, ${purpose}, ${recordId}, ${JSON.stringify(content)},
        ${recipients.length}, ${now}, ${nameActor(credential.author)}, ${deleteAfter}
      )
      ON CONFLICT DO NOTHING`,
  ]
}

/** SQL that tests whether an organisation would queue more than `max` messages today with `added` more. */
export function exceedsDailyMessages({ organisationId }: Store, added: number, max: number): SQL {
  const day = new Date().toISOString().slice(0, 10)
  return sql`(
    SELECT coalesce(sum(recipients), 0) FROM mailings
    WHERE ${ofOrganisation({ organisationId })} AND created >= ${day}
  ) + ${added} > ${max}`
}

/** A message that a run of the schedule sends. */
export type DueMessage = {
  organisationId: string
  mailingId: string
  address: string
  /** JSON, a `Recipient`. */
  recipient: string
  /** The number of attempts, including the present one. */
  attempts: number
  /** JSON, a `StoredMailing`. */
  mailing: string
}

export type StoredMailing = Pick<NewMailing, 'purpose' | 'recordId' | 'content'> & {
  /** The time when it was queued. */
  created: string
}

/** The messages of one run: each may wait for the mail provider. */
const maxMessages = 30

/** A run of the schedule ends within it. */
const leaseMinutes = 15

/** Takes the messages of all organisations that are due, for this run alone. */
export async function takeDueMessages(DB: D1Database, now: string): Promise<DueMessage[]> {
  const lease = new Date(Date.parse(now) + leaseMinutes * 60_000).toISOString()
  const isDue = sql`due <= ${now} AND ${isSettledHere(sql`mailing_messages.organisation_id`)}`
  const [, taken] = await DB.batch<DueMessage>([
    statement(
      DB,
      sql`UPDATE mailing_messages SET state = 'uncertain', due = NULL, updated = ${now}
        WHERE state = 'sending' AND ${isDue}`,
    ),
    statement(
      DB,
      sql`UPDATE mailing_messages SET attempts = attempts + 1, due = ${lease}
        WHERE (organisation_id, mailing_id, address) IN (
          SELECT organisation_id, mailing_id, address FROM mailing_messages
          WHERE state = 'queued' AND ${isDue}
          ORDER BY due LIMIT ${maxMessages}
        )
        RETURNING organisation_id AS organisationId, mailing_id AS mailingId, address, recipient,
          attempts, (
            SELECT json_object(
              'purpose', purpose, 'recordId', record_id, 'content', json(content), 'created', created
            )
            FROM mailings
            WHERE mailings.organisation_id = mailing_messages.organisation_id AND id = mailing_id
          ) AS mailing`,
    ),
  ])
  return taken?.results ?? []
}

/**
 * Notes that the provider is about to get a message, and stores the links in it: `others` store further ones. Returns false if another run or
 * person has it: then it must not be sent.
 */
export async function startSending(
  store: Store,
  message: DueMessage,
  links: readonly NewBookingLink[],
  others: readonly SQL[],
): Promise<boolean> {
  const { refused } = await store.write(
    {
      permissions: ['write'],
      isInternal: true,
      unless: {
        taken: sql`NOT EXISTS (SELECT 1 FROM mailing_messages WHERE ${isMessage(message)} AND state = 'queued')`,
      },
    },
    [
      sql`UPDATE mailing_messages SET state = 'sending', updated = ${new Date().toISOString()}
        WHERE ${isMessage(message)}`,
      ...(links.length > 0 ? [insertLinks(store.organisationId, links)] : []),
      ...others,
    ],
  )
  return refused === undefined
}

/** The state of a message after an attempt. */
export type MessageState = 'sent' | 'failed' | 'uncertain' | 'unneeded'

/** Stores the result of an attempt: the last state, or the time of the next attempt. */
export async function finishMessage(
  store: Store,
  message: DueMessage,
  result: { state: MessageState } | { due: string },
): Promise<void> {
  const [state, due] = 'due' in result ? ['queued', result.due] : [result.state, null]
  await store.write({ permissions: ['write'], isInternal: true }, [
    sql`UPDATE mailing_messages SET state = ${state}, due = ${due}, updated = ${new Date().toISOString()}
      WHERE ${isMessage(message)} AND state IN ('queued', 'sending')`,
  ])
}

/** SQL that tests whether a mailing with this id was queued. */
export const isQueued = (store: Store, id: string): SQL =>
  sql`EXISTS (SELECT 1 FROM mailings WHERE ${ofOrganisation(store, 'mailings')} AND mailings.id = ${id})`

const isMessage = ({ organisationId, mailingId, address, attempts }: DueMessage) =>
  sql`${ofOrganisation({ organisationId })} AND mailing_id = ${mailingId} AND address = ${address}
    AND attempts = ${attempts}`

const maxDeleted = 100

/** Deletes the mailings of all organisations that were to be deleted after a day before `day`. */
export async function deleteOldMailings(DB: D1Database, day: string): Promise<void> {
  await statement(
    DB,
    sql`DELETE FROM mailings WHERE (organisation_id, id) IN (
      SELECT organisation_id, id FROM mailings
      WHERE delete_after < ${day} AND ${isSettledHere(sql`mailings.organisation_id`)}
      ORDER BY delete_after LIMIT ${maxDeleted}
    )`,
  ).run()
}
