import { type SQL, sql } from 'drizzle-orm/sql'
import type { Permission } from '../../access/permissions.ts'
import { flag, optional, type Selected, text } from '../columns.ts'
import { documentOf, ofOrganisation } from '../fragments.ts'
import { schemaColumn } from '../read/single.ts'
import { publicPagesColumn } from '../settings/public-pages.ts'
import type { Store } from '../store.ts'
import { type EventPlaces, placesColumn } from './places.ts'
import { isSeries, seriesOf } from './series.ts'

/** SQL for the questions of an event itself, as JSON; NULL for a date that asks those of its series. `eventId` is SQL. */
const ownQuestions = (organisationId: string, eventId: SQL): SQL => sql`(
  SELECT questions FROM event_questions
  WHERE ${ofOrganisation({ organisationId }, 'event_questions')} AND event_questions.event_id = ${eventId}
)`

/** SQL for the questions that an event asks, as JSON: its own, or else those of its series. `eventId` is SQL. */
export const askedQuestions = (organisationId: string, eventId: SQL): SQL => sql`coalesce(
  ${ownQuestions(organisationId, eventId)},
  ${ownQuestions(organisationId, seriesOf(organisationId, eventId))},
  '[]'
)`

/** SQL that tests whether people book all dates of a series at once. */
export const booksAllDates = (organisationId: string, eventId: string): SQL => sql`EXISTS (
  SELECT 1 FROM event_questions WHERE ${ofOrganisation({ organisationId }, 'event_questions')}
    AND event_questions.event_id = ${eventId} AND books_all_dates
)`

/** An event's document, undefined for an unknown event, and the questions that it asks, as JSON. */
export const questionColumns = (store: Store, eventId: string) => ({
  event: optional(text(documentOf(store, 'events', eventId))),
  questions: text(askedQuestions(store.organisationId, sql`${eventId}`)),
})

/** An event with everything that its sign-up form needs; event, questions and schema as JSON. */
export const formColumns = (store: Store, eventId: string) => ({
  ...questionColumns(store, eventId),
  /** Whether the event is a series with dates. */
  isSeries: flag(isSeries(store.organisationId, sql`${eventId}`)),
  booksAllDates: flag(booksAllDates(store.organisationId, eventId)),
  schema: optional(text(schemaColumn(store.organisationId, 'members'))),
  pages: publicPagesColumn(store.organisationId),
})

export type StoredSignUpForm = Selected<ReturnType<typeof formColumns>>

/** Reads an event with its form and its places. */
export async function readFormWithPlaces(
  store: Store,
  eventId: string,
): Promise<StoredSignUpForm & { places: EventPlaces }> {
  const { head } = await store.select({
    head: {
      ...formColumns(store, eventId),
      places: placesColumn(store.organisationId, sql`${eventId}`),
    },
  })
  return head
}

/** Reads an event with its form. */
export async function readStoredSignUpForm(
  store: Store,
  eventId: string,
  permissions: readonly Permission[] = ['read'],
): Promise<StoredSignUpForm> {
  return (await store.select({ head: formColumns(store, eventId), permissions })).head
}
