import { type SQL, sql } from 'drizzle-orm/sql'
import { ofOrganisation } from '../fragments.ts'
import type { Spellings } from './person-details.ts'

/*
 * Who signs somebody else up is the contact of the sign-up: it has their name and e-mail address, and its links
 * were sent to them. The booking is the other person's, so no reference leads from it to the contact.
 */

const lowerCase = (texts: readonly string[]) =>
  JSON.stringify(texts.map((text) => text.toLowerCase()))

const noContact = sql`'{"name":"","email":""}'`

/** The condition that a person is the contact of a row of `sign_ups`. */
export const isContact = (organisationId: string, { email }: Pick<Spellings, 'email'>): SQL =>
  sql`${ofOrganisation({ organisationId }, 'sign_ups')}
    AND lower(sign_ups.contact ->> '$.email') IN (SELECT value FROM json_each(${lowerCase(email)}))`

/**
 * SQL that makes a person disappear from the sign-ups of others: without the contact and its links, and without
 * answers that are their name, an address or a telephone number of theirs. The sign-up that comes back with a
 * deleted booking keeps its other answers too.
 */
export function eraseContact(
  organisationId: string,
  { names, spellings }: { names: readonly string[]; spellings: Spellings },
): SQL[] {
  const { email, phone } = spellings
  if (email.length === 0) return []
  const ofContact = isContact(organisationId, spellings)
  const details = JSON.stringify([...names, ...email, ...phone])
  const withoutDetails = (answers: SQL) => sql`(
    SELECT json_group_object(key, json(${answers} -> fullkey)) FROM json_each(${answers})
    WHERE type <> 'text' OR lower(trim(atom)) NOT IN (
      SELECT lower(value) FROM json_each(${details})
    )
  )`
  return [
    sql`DELETE FROM booking_links WHERE (organisation_id, booking_id) IN (
      SELECT organisation_id, booking_id FROM sign_ups WHERE ${ofContact}
    )`,
    // The hash is made of the address: whoever guesses it could tell that it was this one.
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
        AND lower(attached ->> '$.signUp.contact.email') IN (
          SELECT value FROM json_each(${lowerCase(email)})
        )`,
  ]
}
