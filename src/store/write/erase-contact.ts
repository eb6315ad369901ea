import { type SQL, sql } from 'drizzle-orm/sql'
import type { Kind } from '../../model/properties/schema.ts'
import { ofOrganisation } from '../fragments.ts'
import { eraseMessagesTo } from './erase-messages.ts'
import type { Spellings } from './person-details.ts'

/*
 * Who signs somebody else up is the contact of the sign-up: it has their name and e-mail address, and its links
 * were sent to them. The booking is the other person's, so no reference leads from it to the contact.
 */

const noContact = sql`'{"name":"","email":""}'`

/** The condition that an address is one of a person's, in any case. */
const isAddressOf = (emails: readonly string[], address: SQL): SQL =>
  sql`lower(${address}) IN (SELECT value FROM json_each(${JSON.stringify(emails.map((email) => email.toLowerCase()))}))`

/** The condition that a person is the contact of a row of `sign_ups`. */
const isContact = (organisationId: string, emails: readonly string[]): SQL =>
  sql`${ofOrganisation({ organisationId }, 'sign_ups')}
    AND ${isAddressOf(emails, sql`sign_ups.contact ->> '$.email'`)}`

/** SQL from FROM on for the sign-ups, with their `records`, that a person made for others. Bookings refer to members only. */
export const fromSignUpsForOthers = (
  organisationId: string,
  { kind, id, emails }: { kind: Kind; id: string; emails: readonly string[] },
): SQL => sql`FROM sign_ups INDEXED BY sign_ups_by_contact
  CROSS JOIN records ON records.organisation_id = sign_ups.organisation_id
    AND records.collection = 'bookings' AND records.id = booking_id
  WHERE ${isContact(organisationId, emails)}
    ${kind === 'members' ? sql`AND records.document ->> '$.memberId' IS NOT ${id}` : sql``}`

/**
 * SQL that makes a person disappear from the sign-ups of others: without the contact and its links, and without
 * answers that are their name, an address or a telephone number of theirs. The sign-up that comes back with a
 * deleted booking keeps its other answers too. A sign-up that is not finished is deleted if it has their address, and so are the messages to
 * their addresses.
 */
export function eraseContact(
  organisationId: string,
  { names, spellings }: { names: readonly string[]; spellings: Spellings },
): SQL[] {
  const { email, phone } = spellings
  if (email.length === 0) return []
  const ofContact = isContact(organisationId, email)
  const details = JSON.stringify([...names, ...email, ...phone])
  const withoutDetails = (answers: SQL) => sql`(
    SELECT json_group_object(key, json(${answers} -> fullkey)) FROM json_each(${answers})
    WHERE type <> 'text' OR lower(trim(atom)) NOT IN (
      SELECT lower(value) FROM json_each(${details})
    )
  )`
  return [
    sql`DELETE FROM sign_up_requests
      WHERE ${ofOrganisation({ organisationId })} AND EXISTS (
        SELECT 1 FROM json_tree(sign_up) AS item
        WHERE item.type = 'text' AND ${isAddressOf(email, sql`item.atom`)}
      )`,
    eraseMessagesTo(organisationId, email),
    sql`DELETE FROM booking_links WHERE (organisation_id, booking_id) IN (
      SELECT organisation_id, booking_id FROM sign_ups WHERE ${ofContact}
    )`,
    // The hash is made of the address: somebody who guesses the address could confirm it.
    sql`UPDATE sign_ups SET contact = ${noContact}, person_hash = hex(randomblob(32)),
        answers = ${withoutDetails(sql`sign_ups.answers`)},
        question_answers = ${withoutDetails(sql`sign_ups.question_answers`)}
      WHERE ${ofContact}`,
    // INDEXED BY: SQLite would rather read the whole history of the organisation.
    sql`UPDATE history INDEXED BY history_by_contact
      SET attached = json_set(attached,
        '$.signUp.contact', json(${noContact}), '$.signUp.personHash', hex(randomblob(32)),
        '$.signUp.answers', ${withoutDetails(sql`history.attached -> '$.signUp.answers'`)},
        '$.signUp.questionAnswers', ${withoutDetails(sql`history.attached -> '$.signUp.questionAnswers'`)},
        '$.signUp.links', json('[]'))
      WHERE ${ofOrganisation({ organisationId })} AND attached IS NOT NULL
        AND ${isAddressOf(email, sql`attached ->> '$.signUp.contact.email'`)}`,
  ]
}
