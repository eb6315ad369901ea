import { type SQL, sql } from 'drizzle-orm/sql'
import { lastChangeOf, ofCollection, ofOrganisation } from '../fragments.ts'
import type { Scope } from '../statement.ts'

/*
 * The triggers in migrations/records/0021_deleted_sign_ups.sql and 0037_bulk_deletions.sql store in `history.attached` what belongs to a
 * deleted booking or event: the sign-up with its links and its mark, or the questions.
 */

/** SQL that brings back what belonged to records that the transaction has restored. */
export function restoreAttached(scope: Scope, ids: readonly string[]): SQL[] {
  const { organisationId, collection } = scope
  const deletions = selectDeletions(scope, ids)
  const forget = sql`UPDATE history SET attached = NULL
    WHERE ${ofOrganisation({ organisationId })} AND collection = ${collection}
      AND (history.id, version) IN (SELECT id, version FROM (${deletions}))`
  if (collection === 'events')
    return [
      sql`INSERT INTO event_questions (organisation_id, event_id, questions, books_all_dates)
        SELECT ${organisationId}, id, attached -> '$.questions',
          ifnull(attached ->> '$.booksAllDates', 0)
        FROM (${deletions})
        WHERE true
        ON CONFLICT DO NOTHING`,
      forget,
    ]
  if (collection !== 'bookings') return []
  const signUp = sql`attached -> '$.signUp'`
  const hash = sql`${signUp} ->> '$.personHash'`
  // Somebody may have signed up again after the deletion of their booking.
  const isTaken = sql`EXISTS (
    SELECT 1 FROM sign_ups AS other WHERE ${ofOrganisation({ organisationId }, 'other')}
      AND other.event_id = ${signUp} ->> '$.eventId' AND other.person_hash = ${hash}
  )`
  return [
    sql`INSERT INTO sign_ups (
        organisation_id, booking_id, event_id, person_hash, contact, answers, question_answers,
        sequence, held_until, delete_after
      )
      SELECT ${organisationId}, id, ${signUp} ->> '$.eventId', iif(${isTaken}, id, ${hash}),
        ${signUp} -> '$.contact', ${signUp} -> '$.answers', ${signUp} -> '$.questionAnswers',
        ${signUp} ->> '$.sequence', ${signUp} ->> '$.heldUntil', ${signUp} ->> '$.deleteAfter'
      FROM (${deletions})
      WHERE json_type(attached, '$.signUp') = 'object'
      ON CONFLICT DO NOTHING`,
    sql`INSERT INTO booking_links (hash, organisation_id, booking_id, created, is_family)
      SELECT link.value ->> '$.hash', ${organisationId}, deletion.id, link.value ->> '$.created',
        ifnull(link.value ->> '$.isFamily', 0)
      FROM (${deletions}) AS deletion CROSS JOIN json_each(attached, '$.signUp.links') AS link
      WHERE true
      ON CONFLICT DO NOTHING`,
    sql`INSERT INTO attendance_marks (organisation_id, booking_id, org_status, attending)
      SELECT ${organisationId}, id, attached ->> '$.mark.orgStatus', attached ->> '$.mark.attending'
      FROM (${deletions}) WHERE json_type(attached, '$.mark') = 'object'
      ON CONFLICT DO NOTHING`,
    forget,
  ]
}

/** SQL that stores the questions of an event, as JSON. */
export const putQuestions = (organisationId: string, eventId: string, questions: string): SQL =>
  sql`INSERT INTO event_questions (organisation_id, event_id, questions)
    VALUES (${organisationId}, ${eventId}, ${questions})
    ON CONFLICT (organisation_id, event_id) DO UPDATE SET questions = excluded.questions`

/** SQL for the last deletions of records that exist again since this transaction: id, version, attached. */
const selectDeletions = ({ organisationId, collection }: Scope, ids: readonly string[]) => sql`
  SELECT history.id, history.version, attached FROM json_each(${JSON.stringify(ids)}) AS item
  CROSS JOIN records ON records.collection = ${collection} AND records.id = item.value
    AND ${ofOrganisation({ organisationId }, 'records')} AND records.version = records.first_version
  CROSS JOIN history ON ${ofCollection({ organisationId }, collection, 'history')} AND history.id = item.value
    AND history.change = 'deleted' AND attached IS NOT NULL
  WHERE history.version = ${lastChangeOf({ organisationId }, { collection, id: sql`item.value` })}`
