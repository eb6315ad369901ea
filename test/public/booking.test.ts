import { env } from 'cloudflare:workers'
import { drizzle } from 'drizzle-orm/d1'
import { expect, test } from 'vitest'
import { openPublicStore } from '../../src/sign-up/public-pages.ts'
import { signUp } from '../../src/sign-up/sign-up.ts'
import { eventQuestions } from '../../src/store/sign-up-tables.ts'
import { newSite, openEvent, origin } from './site.ts'

const signUpFields = [
  { id: 'Full Name', required: true },
  { id: 'Born', required: false },
]

/** Creates an event with one place, and signs people up for it without mail. */
async function newBookings(...names: string[]) {
  const site = await newSite({ signUpFields })
  const bookingDetails = { ...openEvent.bookingDetails, capacityTotal: 1 }
  await site.putEvents({ eventId: 'first', bookingDetails })
  const context = {
    store: openPublicStore(env, site.id),
    mail: undefined,
    geography: env.GEOGRAPHY,
    origin,
    network: 'home',
    runInBackground: () => {},
  }
  const paths: string[] = []
  for (const name of names) {
    const { links } = await signUp(context, {
      eventId: 'first',
      isVolunteer: false,
      consent: true,
      token: crypto.randomUUID(),
      contact: { name: 'Ada', email: `${crypto.randomUUID()}@example.org` },
      attendees: [{ values: { 'Full Name': name, Born: '2018-02-04' } }],
    })
    paths.push(`/bookings/${links[0]?.secret}`)
  }
  const post = (path: string, values: Record<string, string> = {}) => site.send(path, values)
  return { ...site, paths, post }
}

test('the owner of a link cancels, and the next person accepts the place', async () => {
  const { paths, html, post, json } = await newBookings('Idris', 'Noor')
  const [idris = '', noor = ''] = paths
  expect(await html(idris)).toContain('You are booked')
  expect(await html(noor)).toContain('On the waiting list')
  const code = 'aria-label="Code of the booking of'
  expect([await html(idris), await html(noor)].map((page) => page.includes(code))).toEqual([
    true,
    false,
  ])
  expect(await html(`${idris}/cancel`)).toContain('Idris no longer has a place')
  expect((await post(`${idris}/cancel`)).status).toBe(303)
  expect(await html(idris)).toContain('Booking cancelled')
  expect(await html(noor)).toContain('There is a place for you')
  await post(`${noor}/accept`)
  expect(await html(noor)).toContain('You are booked')
  expect(await json('/bookings?attending=true')).toMatchObject({ bookings: [{ userName: 'Noor' }] })
})

test('a booking that was not confirmed before the end of the event has no button to confirm it', async () => {
  const { paths, html, putEvents, post } = await newBookings('Idris', 'Noor')
  const [idris = '', noor = ''] = paths
  await post(`${idris}/cancel`)
  expect(await html(noor)).toContain('Accept the place')
  await putEvents({
    eventId: 'first',
    start: '2026-01-05T10:00:00.000Z',
    end: '2026-01-05T12:00:00.000Z',
  })
  const late = await html(noor)
  expect(late).toContain('This event is over')
  expect(late).not.toMatch(/<button|Change details/)
})

test('the owner of a link changes who comes, and sees errors', async () => {
  const { id, paths, html, post, json } = await newBookings('Idris')
  const [path = ''] = paths
  await drizzle(env.DB)
    .insert(eventQuestions)
    .values({
      organisationId: id,
      eventId: 'first',
      questions: JSON.stringify([
        {
          id: 'diet',
          label: 'Diet',
          purpose: 'To cook for you.',
          required: true,
          deleteAfter: '2097-01-01',
        },
      ]),
    })
  const form = await html(`${path}/change`)
  for (const text of ['value="Idris"', 'value="2018"', 'To cook for you. Deleted after'])
    expect(form).toContain(text)
  const [name, diet] = ['attendees.0.fields.Full Name', 'attendees.0.questions.diet']
  const missing = await post(`${path}/change`, { [name]: 'Noor' })
  expect([missing.status, await missing.text()]).toEqual([
    400,
    expect.stringContaining('Diet: enter an answer.'),
  ])
  expect((await post(`${path}/change`, { [name]: 'Noor', [diet]: 'Vegan' })).status).toBe(303)
  expect(await html(`${path}/change`)).toContain('value="Vegan"')
  expect(await json('/bookings')).toMatchObject({ bookings: [{ userName: 'Noor' }] })
  expect(JSON.stringify(await json('/bookings'))).not.toContain('Vegan')
})

test('a booking’s calendar file rises with its changes and those of the event', async () => {
  const { paths, html, post, putEvents } = await newBookings('Idris')
  const [path = ''] = paths
  const read = async () => {
    const text = (await html(`${path}/calendar.ics`)).replaceAll('\r\n ', '')
    const value = (name: string) => new RegExp(`^${name}[:;](.*)\r$`, 'm').exec(text)?.[1]
    return { uid: value('UID'), sequence: Number(value('SEQUENCE')), status: value('STATUS'), text }
  }
  const first = await read()
  expect(first).toMatchObject({ status: 'CONFIRMED', text: expect.stringContaining('VTIMEZONE') })
  await putEvents({ eventId: 'first', start: '2096-12-15T15:00:00.000Z' })
  const moved = await read()
  expect(moved.text).toContain('DTSTART;TZID=Europe/London:20961215T150000')
  await post(`${path}/cancel`)
  const cancelled = await read()
  expect(cancelled).toMatchObject({ uid: first.uid, status: 'CANCELLED' })
  expect(moved.sequence).toBeGreaterThan(first.sequence)
  expect(cancelled.sequence).toBeGreaterThan(moved.sequence)
})

test('an unknown link leads nowhere, and no website frames a booking', async () => {
  const { paths, visit, id } = await newBookings('Idris')
  const other = await newBookings('Noor')
  for (const path of [`/bookings/${'0'.repeat(64)}`, '/bookings/x', other.paths[0]])
    expect((await visit(path)).status).toBe(404)
  const { headers } = await visit(`${paths[0]}?embed=1`)
  expect(headers.get('X-Frame-Options')).toBe('DENY')
  expect(headers.get('X-Robots-Tag')).toBe('noindex')
  expect(headers.get('Referrer-Policy')).toBe('no-referrer')
  expect(id).not.toBe(other.id)
})

test('with mail, every sign-up has the same answer, and the link confirms the address', async () => {
  const site = await newSite()
  await site.putEvents({ eventId: 'first' })
  const values = {
    name: 'Ada',
    email: `${crypto.randomUUID()}@example.org`,
    step: 'send',
    people: '1',
    ...{ 'attendees.0.fields.Full Name': 'Idris', token: crypto.randomUUID() },
    started: (Date.now() - 10_000).toString(36),
  }
  const messages: string[] = []
  const MAIL = { send: async ({ text }: { text: string }) => void messages.push(text) }
  const mail = { MAIL, MAIL_FROM: 'events@charity.test' }
  const first = await (await site.send('/events/first', values, mail)).text()
  expect(first).toContain('Check your inbox')
  expect(first).not.toContain('/bookings/')
  expect(await (await site.send('/events/first', values, mail)).text()).toBe(first)
  const [, path = ''] = /(\/bookings\/\w{64})/.exec(messages[0] ?? '') ?? []
  expect(await site.html(path)).toContain('Confirm your booking')
  await site.send(`${path}/confirm`, {})
  expect(await site.html(path)).toContain('You are booked')
  await site.putEvents({ eventId: 'first', bookingDetails: { bookable: true, capacityTotal: 1 } })
  const late = await site.send('/events/first', { ...values, email: 'late@example.org' }, mail)
  const waiting = await late.text()
  expect(waiting).toContain('you join the waiting list')
  expect(waiting).not.toMatch(/confirm|held/)
})
