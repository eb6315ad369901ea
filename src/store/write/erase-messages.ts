import { type SQL, sql } from 'drizzle-orm/sql'
import type { Kind } from '../../model/properties/schema.ts'
import { ofOrganisation } from '../fragments.ts'
import type { Spellings } from './person-details.ts'

/*
 * A person disappears from the log of messages: those to their addresses are deleted, and a mailing without messages
 * loses its text by a trigger. A text to others stays, without the person's name, addresses and telephone numbers.
 */

/** SQL that deletes the messages to addresses. */
export const eraseMessagesTo = (organisationId: string, emails: readonly string[]): SQL => sql`
  DELETE FROM mailing_messages
  WHERE ${ofOrganisation({ organisationId })} AND address IN (
    SELECT lower(value) FROM json_each(${JSON.stringify(emails)})
  )`

/** SQL that deletes the messages to the addresses in bookings, which may come from other systems. */
export const eraseMessagesOfBookings = (bookings: SQL): SQL => sql`
  DELETE FROM mailing_messages WHERE (organisation_id, address) IN (
    SELECT organisation_id, lower(document ->> '$.userEmail') FROM records
    WHERE row IN (${bookings}) AND document ->> '$.userEmail' <> ''
  )`

/** SQL that removes a person from messages with personal links, which somebody else gets for them. */
export const eraseInvitations = (
  organisationId: string,
  { kind, id }: { kind: Kind; id: string },
): SQL => {
  const isPerson = sql`value ->> '$.kind' = ${kind} AND value ->> '$.id' = ${id}`
  return sql`UPDATE mailing_messages SET recipient = json_set(recipient, '$.invited', (
      SELECT json_group_array(json(value)) FROM json_each(recipient, '$.invited') WHERE NOT (${isPerson})
    ))
    WHERE ${ofOrganisation({ organisationId })}
      AND EXISTS (SELECT 1 FROM json_each(recipient, '$.invited') WHERE ${isPerson})`
}

/** SQL that takes a person's details out of what staff wrote to others. */
export function eraseFromTexts(
  organisationId: string,
  { names, spellings: { email, phone } }: { names: readonly string[]; spellings: Spellings },
): SQL[] {
  // A single word, such as a first name, may be part of another.
  const fullNames = names.filter((name) => name.includes(' '))
  // The longest first: a detail may contain another.
  const details = [...fullNames, ...email, ...phone].toSorted((a, b) => b.length - a.length)
  if (details.length === 0) return []
  const list = sql`${JSON.stringify(details)}`
  return [
    // INDEXED BY: SQLite would rather read all mailings of the organisation.
    sql`UPDATE mailings INDEXED BY mailings_with_text
      SET content = json_replace(content,
        '$.subject', ${withoutDetails(sql`content ->> '$.subject'`, list)},
        '$.text', ${withoutDetails(sql`content ->> '$.text'`, list)})
      WHERE ${ofOrganisation({ organisationId })} AND content <> '{}' AND EXISTS (
        SELECT 1 FROM json_each(${list})
        WHERE instr(lower(concat_ws(char(10), content ->> '$.subject', content ->> '$.text')), lower(value))
      )`,
  ]
}

/** SQL for a text with an ellipsis in place of each detail of a list, one after another, in any case. */
const withoutDetails = (text: SQL, details: SQL): SQL => {
  const detail = sql`step.details ->> 0`
  const at = sql`instr(lower(step.text), lower(${detail}))`
  return sql`(
    WITH RECURSIVE step (text, details) AS (
      SELECT ${text}, ${details}
      UNION ALL
      SELECT
        iif(${at},
          substr(step.text, 1, ${at} - 1) || '…' || substr(step.text, ${at} + length(${detail})),
          step.text),
        iif(${at}, step.details, json_remove(step.details, '$[0]'))
      FROM step WHERE step.details <> '[]'
    )
    SELECT text FROM step WHERE details = '[]'
  )`
}
