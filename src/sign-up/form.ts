import { type Field, parseStoredSchema } from '../model/properties/schema.ts'
import type { EventPlaces } from '../store/sign-up/places.ts'
import {
  readFormWithPlaces,
  readStoredSignUpForm,
  type StoredSignUpForm,
} from '../store/sign-up/read-event.ts'
import type { Store } from '../store/store.ts'
import { parseQuestions } from './deletion-days.ts'
import type { EventQuestion } from './event-questions.ts'
import { type EventDocument, isPublicEvent, readPublicSeries } from './public-events.ts'
import { askableFields, parseSite, type Site } from './public-pages.ts'

/** A field of the members' schema in a sign-up form. */
export type SignUpField = Field & { required: boolean }

/** The sign-up form of an event: what it asks of each person who comes. */
export type SignUpForm = {
  site: Site
  event: EventDocument
  fields: SignUpField[]
  questions: EventQuestion[]
  /** The form of each date, for a series of which people book all dates at once. */
  dates?: SignUpForm[]
}

/** The maximum number of dates that one sign-up books: a year of weeks, and a few more. */
const maxDates = 60

/** Reads an event's sign-up form; undefined if the event is not public, or a series that is booked by its dates. */
export async function readSignUpForm(
  store: Store,
  eventId: string,
): Promise<SignUpForm | undefined> {
  return openPublicForm(store, await readStoredSignUpForm(store, eventId))
}

/** Reads an event's sign-up form and its places; undefined if the event is not public, unless `showsClosed`. */
export async function readEventPage(
  store: Store,
  eventId: string,
  showsClosed: boolean,
): Promise<(SignUpForm & { places: EventPlaces }) | undefined> {
  const { places, ...stored } = await readFormWithPlaces(store, eventId)
  const closed = showsClosed ? parseSignUpForm(stored) : undefined
  const form = (await openPublicForm(store, stored)) ?? closed
  return form && { ...form, places }
}

async function openPublicForm(
  store: Store,
  stored: StoredSignUpForm,
): Promise<SignUpForm | undefined> {
  const form = parseSignUpForm(stored)
  if (!form) return undefined
  if (!stored.isSeries)
    return isPublicEvent(form.event, new Date().toISOString()) ? form : undefined
  const found = stored.booksAllDates && (await readPublicSeries(store, form.event.eventId))
  if (!found || found.dates.length === 0) return undefined
  const dates = found.dates
    .slice(0, maxDates)
    .map((event) => ({ ...form, event, questions: parseQuestions(event, stored.questions) }))
  return { ...form, dates }
}

/** Parses a stored form; undefined if the event does not exist. Omits fields that left the schema. */
export function parseSignUpForm(stored: StoredSignUpForm): SignUpForm | undefined {
  if (stored.event === undefined) return undefined
  const site = parseSite(stored.pages)
  const event: EventDocument = JSON.parse(stored.event)
  const fields = new Map(
    askableFields(parseStoredSchema(stored.schema)).map((field) => [field.id, field]),
  )
  return {
    site,
    event,
    questions: parseQuestions(event, stored.questions),
    fields: site.settings.signUpFields.flatMap(({ id, required }) => {
      const field = fields.get(id)
      return field ? [{ ...field, required }] : []
    }),
  }
}
