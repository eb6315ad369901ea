import { sql } from 'drizzle-orm/sql'
import { json, text } from '../columns.ts'
import { ofOrganisation, recordExists } from '../fragments.ts'
import type { Store } from '../store.ts'
import { questionColumns } from './read-event.ts'

/** Reads an event's document, undefined for an unknown event, and its own questions, as JSON. */
export async function readEventQuestions(
  store: Store,
  eventId: string,
): Promise<{ event: string | undefined; questions: string }> {
  return (await store.select({ head: questionColumns(store, eventId) })).head
}

const eventsPerRead = 100

/** Yields the events of an organisation with questions, in the order of their ids. */
export async function* listEventQuestions(
  store: Store,
): AsyncGenerator<{ eventId: string; questions: unknown }> {
  let after = ''
  for (;;) {
    const { rows } = await store.select({
      rows: {
        columns: { eventId: text(sql`event_id`), questions: json<unknown>(sql`questions`) },
        from: sql`FROM event_questions
        WHERE ${ofOrganisation(store)} AND event_id > ${after} AND questions <> '[]'
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
 * Replaces the questions of an event, as JSON, and deletes the answers to removed ones. `deleteAfter`
 * is the earliest day of a question, which also applies to earlier sign-ups. Returns whether
 * the event exists.
 */
export async function storeEventQuestions(
  store: Store,
  eventId: string,
  { questions, deleteAfter }: { questions: string; deleteAfter: string | undefined },
): Promise<boolean> {
  const { organisationId } = store
  const ofEvent = sql`${ofOrganisation({ organisationId })} AND event_id = ${eventId}`
  const isLater = deleteAfter === undefined ? sql`false` : sql`delete_after > ${deleteAfter}`
  const { refused } = await store.write(
    {
      permissions: ['write'],
      collection: 'events',
      unless: { noEvent: sql`NOT ${recordExists(store, 'events', eventId)}` },
      audit: { action: 'questions.changed', target: eventId },
      isInternal: true,
    },
    [
      sql`INSERT INTO event_questions (organisation_id, event_id, questions)
        VALUES (${organisationId}, ${eventId}, ${questions})
        ON CONFLICT (organisation_id, event_id) DO UPDATE SET questions = excluded.questions`,
      sql`UPDATE sign_ups SET delete_after = ${deleteAfter ?? ''}
        WHERE ${ofEvent} AND ${isLater}`,
      sql`UPDATE sign_ups SET question_answers = (
          SELECT json_group_object(key, value) FROM json_each(sign_ups.question_answers)
          WHERE key IN (SELECT value ->> '$.id' FROM json_each(${questions}))
        )
        WHERE ${ofEvent} AND question_answers <> '{}'`,
    ],
  )
  return refused === undefined
}
