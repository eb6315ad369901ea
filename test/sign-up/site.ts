import { env } from 'cloudflare:workers'
import { operatorStore } from '../../src/admin/operator-store.ts'
import type { Mail, MailMessage } from '../../src/mail/mail.ts'
import type { SignUpContext } from '../../src/sign-up/context.ts'
import { saveEventQuestions } from '../../src/sign-up/event-questions.ts'
import { openPublicStore, savePublicPages } from '../../src/sign-up/public-pages.ts'
import { type SignUpInput, signUp } from '../../src/sign-up/sign-up.ts'
import { storeBooksAllDates } from '../../src/store/sign-up/event-questions.ts'
import { administeredStore } from '../../src/store/trusted-store.ts'
import events from '../examples/events.json' with { type: 'json' }
import { newOrganisation } from '../organisation.ts'

export const origin = 'https://pages.test'

const hour = 3_600_000

/** A time so many hours from now. */
export const inHours = (hours: number) => new Date(Date.now() + hours * hour).toISOString()

const fields = (
  [
    ['Full Name', 'text'],
    ['Email', 'email'],
    ['Postcode', 'postcode'],
  ] as const
).map(([id, type], order) => ({ id, name: id, label: id, type, order }))

/** Creates an organisation with public pages and one event, and functions to sign up for it. */
export async function newSite(
  bookingDetails: object = {},
  { settings = {}, event = {} }: { settings?: object; event?: object } = {},
) {
  const organisation = await newOrganisation()
  const { id } = organisation
  const start = inHours(48)
  const document = {
    ...events,
    eventId: 'event-1',
    managedBy: id,
    concluded: null,
    bookable: true,
    start,
    end: new Date(Date.parse(start) + 2 * hour).toISOString(),
    bookingDetails: { ...events.bookingDetails, closed: false, ...bookingDetails },
    ...event,
  }
  await organisation.schema('members', fields)
  // Messages to an address are counted for all organisations.
  await env.DB.exec('DELETE FROM sent_mail')
  await organisation.put('events', [{ id: 'event-1', document }])
  const pages = {
    signUpFields: fields.map(({ id }, index) => ({ id, required: index === 0 })),
    privacyNotice: 'https://oak.test/privacy',
    ...settings,
  }
  await savePublicPages(
    administeredStore(env.DB, id, 'a test'),
    { name: '', fields },
    { enabled: true, settings: pages },
  )
  const sent: MailMessage[] = []
  const mail: Mail = {
    async send(message) {
      sent.push(message)
    },
  }
  const tasks: Promise<void>[] = []
  /** The context of one request. */
  const context = (withMail = false, network = 'school'): SignUpContext => ({
    store: openPublicStore(env, id),
    geography: env.GEOGRAPHY,
    origin,
    network,
    mail: withMail ? mail : undefined,
    runInBackground: (task) => void tasks.push(task()),
  })
  /** Runs what a request leaves for after its response. */
  const finishTasks = async () => void (await Promise.all(tasks.splice(0)))
  const inputFor = (names: readonly string[], input: Partial<SignUpInput> = {}): SignUpInput => ({
    eventId: 'event-1',
    isVolunteer: false,
    token: crypto.randomUUID(),
    consent: true,
    contact: { name: names[0] ?? '', email: `${names[0]?.toLowerCase()}@oak.test` },
    attendees: names.map((name) => ({ values: { 'Full Name': name } })),
    ...input,
  })
  const run = async (sql: string, ...values: unknown[]) => {
    const statement = env.DB.prepare(sql).bind(id, ...values)
    return (await statement.all<{ document: string }>()).results
  }
  const bookings = async () => {
    const rows = await run(
      `SELECT document FROM records WHERE organisation_id = ? AND collection = 'bookings'
      ORDER BY ordinal`,
    )
    return rows.map(({ document }) => JSON.parse(document))
  }
  return {
    ...organisation,
    context,
    mail,
    /** The Worker's bindings with this mail, as the schedule gets them. */
    env: { ...env, MAIL: toBinding(mail), MAIL_FROM: 'hello@oak.test' },
    sent,
    inputFor,
    finishTasks,
    async signUp(names: readonly string[], input: Partial<SignUpInput> = {}, withMail = false) {
      const result = await signUp(context(withMail), inputFor(names, input))
      await finishTasks()
      return result
    },
    bookings,
    /** The names and states of the bookings in order of arrival. */
    states: async () =>
      (await bookings()).map(({ userName, userStatus }) => `${userName} ${userStatus}`),
    /** Changes a booking as staff do. */
    async change(name: string, values: object) {
      const booking = (await bookings()).find(({ userName }) => userName === name)
      const document = { ...booking, ...values }
      await organisation.put('bookings', [{ id: booking?.bookingId, document }])
    },
    /** Makes the event a date of a series, and adds the series. */
    makeDateOf: (seriesId: string) =>
      organisation.put('events', [
        { id: 'event-1', document: { ...document, parentEventId: seriesId } },
        { id: seriesId, document: { ...document, eventId: seriesId } },
      ]),
    /** Creates a series of weekly dates, all of which people book at once. */
    async makeSeries(count: number) {
      const week = 7 * 24 * hour
      const later = (time: string, index: number) =>
        new Date(Date.parse(time) + index * week).toISOString()
      const dates = Array.from({ length: count }, (_, index) => ({
        ...document,
        ...{ eventId: `date-${index}`, parentEventId: 'series' },
        start: later(document.start, index),
        end: later(document.end, index),
      }))
      const events = [{ ...document, eventId: 'series', parentEventId: '' }, ...dates]
      await organisation.put(
        'events',
        events.map((event) => ({ id: event.eventId, document: event })),
      )
      await storeBooksAllDates(operatorStore(env.DB, id), 'series', true)
    },
    changeEvent: (values: object) =>
      organisation.put('events', [{ id: 'event-1', document: { ...document, ...values } }]),
    ask: (questions: object[], eventId = 'event-1') =>
      saveEventQuestions(operatorStore(env.DB, id), eventId, questions),
    switchOff: () => run('UPDATE public_pages SET enabled = 0 WHERE organisation_id = ?'),
    count: async (table: 'sign_ups' | 'booking_links' | 'sign_up_requests') =>
      (await run(`SELECT 1 FROM ${table} WHERE organisation_id = ?`)).length,
  }
}

/** Mail as the binding of the platform: its messages also have a sender. */
export const toBinding = (mail: Mail) => ({
  async send(message: unknown) {
    await mail.send(JSON.parse(JSON.stringify(message)))
    return { messageId: '' }
  },
})

/** The secrets of the links in a message. */
export const secretsIn = (text: string) =>
  [...text.matchAll(/\/bookings\/([0-9a-f]{64})$/gm)].map(([, secret = '']) => secret)
