import { sql } from 'drizzle-orm/sql'
import { flag, json, text } from '../columns.ts'
import { ofOrganisation, ofRecord, recordExists } from '../fragments.ts'
import type { Store } from '../store.ts'
import { putQuestions } from '../write/attached.ts'
import { askedQuestions, booksAllDates, questionColumns } from './read-event.ts'
import { fromDates, isSeries, seriesOf } from './series.ts'

/** Reads an event's document, undefined for an unknown event, and the questions that it asks, as JSON. */
export async function readEventQuestions(store: Store, eventId: string) {
  const { organisationId } = store
  const head = {
    ...questionColumns(store, eventId),
    isSeries: flag(isSeries(organisationId, sql`${eventId}`)),
    booksAllDates: flag(booksAllDates(organisationId, eventId)),
    /** Whether the event has questions itself, instead of its series. */
    isOwn: flag(sql`EXISTS (SELECT 1 FROM event_questions
      WHERE ${ofOrganisation(store)} AND event_id = ${eventId})`),
  }
  return (await store.select({ head })).head
}

/** Sets whether people book all dates of a series at once. Returns whether there is such a series. */
export async function storeBooksAllDates(
  store: Store,
  eventId: string,
  value: boolean,
): Promise<boolean> {
  const { refused } = await store.write(
    {
      permissions: ['write'],
      collection: 'events',
      unless: {
        noSeries: sql`NOT ${isSeries(store.organisationId, sql`${eventId}`)}`,
        unchanged: sql`${booksAllDates(store.organisationId, eventId)} IS ${Number(value)}`,
      },
      audit: { action: 'questions.changed', target: eventId },
      isInternal: true,
    },
    [
      sql`INSERT INTO event_questions (organisation_id, event_id, questions, books_all_dates)
        VALUES (${store.organisationId}, ${eventId}, '[]', ${Number(value)})
        ON CONFLICT (organisation_id, event_id) DO UPDATE SET books_all_dates = excluded.books_all_dates`,
    ],
  )
  return refused?.noSeries === undefined
}

const eventsPerRead = 100

/** Yields the events of an organisation with questions or with sign-ups for all dates, in the order of their ids. */
export async function* listEventQuestions(
  store: Store,
): AsyncGenerator<{ eventId: string; questions: unknown; booksAllDates: boolean }> {
  let after = ''
  for (;;) {
    const { rows } = await store.select({
      rows: {
        columns: {
          eventId: text(sql`event_id`),
          questions: json<unknown>(sql`questions`),
          booksAllDates: flag(sql`books_all_dates`),
        },
        from: sql`FROM event_questions
        WHERE ${ofOrganisation(store)} AND event_id > ${after}
        ORDER BY event_id LIMIT ${sql.raw(String(eventsPerRead))}`,
      },
    })
    yield* rows
    const last = rows.at(-1)
    if (!last || rows.length < eventsPerRead) return
    after = last.eventId
  }
}

/**
 * Replaces the questions of an event, as JSON: a date with an empty list asks nothing, and without a list the questions
 * of its series. For the event, and the dates of a series, it deletes the answers to
 * questions that are no longer asked, and applies an earlier day of deletion to the sign-ups that exist. Returns
 * whether the event exists.
 */
export async function storeEventQuestions(
  store: Store,
  eventId: string,
  questions: string | undefined,
): Promise<boolean> {
  const { organisationId } = store
  const ofEvent = sql`${ofOrganisation({ organisationId }, 'sign_ups')} AND sign_ups.event_id IN (
    SELECT ${eventId}
    UNION ALL SELECT records.id ${fromDates(organisationId, sql`${eventId}`)}
  )`
  const asked = askedQuestions(organisationId, sql`sign_ups.event_id`)
  // The schedule computes the day in the United Kingdom, so a day too early only makes it look once more.
  const deleteAfter = sql`(
    SELECT min(coalesce(value ->> '$.deleteAfter', date(event.day, '+' || (value ->> '$.deleteDaysAfter') || ' days')))
    FROM json_each(${asked})
    CROSS JOIN (
      SELECT coalesce(document ->> '$.end', document ->> '$.start') AS day FROM records
      WHERE ${ofRecord({ organisationId }, { collection: 'events', id: sql`sign_ups.event_id` })}
    ) AS event
  )`
  const { refused } = await store.write(
    {
      permissions: ['write'],
      collection: 'events',
      unless: { noEvent: sql`NOT ${recordExists(store, 'events', eventId)}` },
      audit: { action: 'questions.changed', target: eventId },
      isInternal: true,
    },
    [
      putQuestions(organisationId, eventId, questions ?? '[]'),
      sql`DELETE FROM event_questions
        WHERE ${ofOrganisation({ organisationId })} AND event_id = ${eventId} AND questions = '[]'
          AND NOT books_all_dates
          AND (${questions === undefined} OR ifnull(${seriesOf(organisationId, sql`${eventId}`)}, '') = '')`,
      sql`UPDATE sign_ups SET delete_after = ${deleteAfter}
        WHERE ${ofEvent} AND delete_after > ${deleteAfter}`,
      sql`UPDATE sign_ups SET question_answers = (
          SELECT json_group_object(key, value) FROM json_each(sign_ups.question_answers)
          WHERE key IN (SELECT value ->> '$.id' FROM json_each(${asked}))
        )
        WHERE ${ofEvent} AND question_answers <> '{}'`,
    ],
  )
  return refused === undefined
}
