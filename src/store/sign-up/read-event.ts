import { type SQL, sql } from 'drizzle-orm/sql'
import type { Permission } from '../../access/permissions.ts'
import { ofOrganisation, ofRecord } from '../fragments.ts'
import { schemaColumn, textOrUndefined } from '../read/single.ts'
import {
  parsePublicPages,
  publicPagesColumn,
  type StoredPublicPages,
} from '../settings/public-pages.ts'
import type { Store } from '../store.ts'
import { type EventPlaces, placesColumn } from './places.ts'
import { isSeries } from './series.ts'

/** An event with everything that its sign-up form needs; event, questions and schema as JSON. */
export type StoredSignUpForm = {
  event: string | undefined
  /** Whether the event is a series with dates. */
  isSeries: boolean
  questions: string
  schema: string | undefined
  pages: StoredPublicPages
}

/** The columns of an event with its form. */
export const formColumns = (organisationId: string, eventId: string): Record<string, SQL> => ({
  event: sql`(SELECT document FROM records
    WHERE ${ofRecord({ organisationId }, { collection: 'events', id: eventId })})`,
  isSeries: isSeries(organisationId, sql`${eventId}`),
  questions: sql`ifnull((SELECT questions FROM event_questions
    WHERE ${ofOrganisation({ organisationId })} AND event_id = ${eventId}), '[]')`,
  schema: schemaColumn(organisationId, 'members'),
  pages: publicPagesColumn(organisationId),
})

/** Parses the columns of `formColumns`. */
export const parseStoredSignUpForm = (
  head: Record<string, string | number | null>,
): StoredSignUpForm => ({
  event: textOrUndefined(head.event),
  isSeries: head.isSeries === 1,
  questions: String(head.questions),
  schema: textOrUndefined(head.schema),
  pages: parsePublicPages(String(head.pages)),
})

/** Reads an event with its form and its places. */
export async function readFormWithPlaces(
  store: Store,
  eventId: string,
): Promise<StoredSignUpForm & { places: EventPlaces }> {
  const { head } = await store.read({
    ...formColumns(store.organisationId, eventId),
    places: placesColumn(store.organisationId, sql`${eventId}`),
  })
  return { ...parseStoredSignUpForm(head), places: JSON.parse(String(head.places)) }
}

/** Reads an event with its form. */
export async function readStoredSignUpForm(
  store: Store,
  eventId: string,
  permissions: readonly Permission[] = ['read'],
): Promise<StoredSignUpForm> {
  const columns = formColumns(store.organisationId, eventId)
  const { head } = await store.read(columns, undefined, { permissions })
  return parseStoredSignUpForm(head)
}
