import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import type { Role } from '../../src/access/roles.ts'
import { app } from '../../src/app.ts'
import type { MailMessage } from '../../src/mail/mail.ts'
import { formatPeriod } from '../../src/model/dates.ts'
import { readLinkedBooking } from '../../src/sign-up/booking-link.ts'
import { sendDueMessages } from '../../src/sign-up/mailings/send-due.ts'
import { newSite, secretsIn } from '../sign-up/site.ts'
import { newSignedIn } from './signed-in.ts'

const minute = 60_000

beforeEach(async () => {
  await env.DB.prepare('DELETE FROM mailings').run()
})

/** An editor of an organisation with mail, and people who signed up. */
async function newEditor(role: Role = 'editor', { hasMail = true } = {}) {
  const settings = { contactEmail: 'office@oak.test' }
  const site = await newSite({ capacityTotal: 3 }, { settings })
  const signedIn = await newSignedIn(role, site, hasMail ? site.env : env)
  const family = { contact: { name: 'Ada', email: 'Ada@oak.test' } }
  await site.signUp(['Ada', 'Bea'], family)
  await site.signUp(['Cem'])
  await site.signUp(['Dan'])
  const send = async () => {
    for (let run = 0; run < 3; run++) await sendDueMessages(site.env, Date.now() + run * minute)
    return site.sent.splice(0).map(({ to, ...message }: MailMessage) => ({ to, ...message }))
  }
  return { ...site, ...signedIn, send }
}

const path = '/events/event-1/messages'

const message = {
  audience: 'booked',
  subject: 'Bring an apron\r\nBcc: eve@oak.test',
  text: 'We make <b>dumplings</b>.\n\nSee you!',
  hasFacts: 'true',
  hasLink: 'true',
}

test('an editor sees a message before it goes to each family once', async () => {
  const { submit, html, send, post, email, context } = await newEditor()
  const page = await html(path)
  expect(page).toContain('3 people, 2 addresses')
  expect(page).toContain('1 person, 1 address')
  const preview = await (await submit(path, message)).text()
  expect(preview).toMatch(/Send to 2 addresses/)
  expect(preview).toContain('We make &lt;b&gt;dumplings&lt;/b&gt;.')
  expect(preview).toContain('Ada and Bea are booked for Lunch club:')
  const test = { ...message, previewed: 'booked 2', test: 'true' }
  expect(await (await submit(path, test)).text()).toContain(`A test is on its way to ${email}.`)
  const [copy, ...copies] = await send()
  expect([copy, copies]).toMatchObject([
    { to: email, subject: expect.stringMatching(/^Test: Bring an apron/) },
    [],
  ])
  expect(copy?.text).toContain('Ada and Bea are booked for Lunch club:')
  const [link = ''] = secretsIn(copy?.text ?? '')
  expect(await readLinkedBooking(context().store, link)).toBeUndefined()
  const [, id = ''] = /name="id" value="([^"]*)"/.exec(preview) ?? []
  const form: [string, string][] = Object.entries({ ...message, id, previewed: 'booked 2' })
  const sent = await post(path, form)
  expect(sent.status).toBe(303)
  await post(path, form)
  const messages = await send()
  expect(messages.map(({ to }) => to)).toEqual(['Ada@oak.test', 'cem@oak.test'])
  expect(messages[0]).toMatchObject({
    subject: 'Bring an apron Bcc: eve@oak.test',
    replyTo: 'office@oak.test',
  })
  expect(messages[0]?.html).toContain('&lt;b&gt;dumplings')
  const log = await html(`${path}/sent/${id}`)
  expect(log).toContain('2 sent')
  expect(log).toMatch(/Ada, Bea/)
  expect(await html(`${path}/sent`)).toContain('Bring an apron')
})

test('a preview is shown again if the recipients have changed since', async () => {
  const { post, send, change } = await newEditor()
  await change('Cem', { attending: false, userStatus: 'cancelled' })
  const form = { ...message, id: crypto.randomUUID(), previewed: 'booked 2' }
  const answer = await post(path, Object.entries(form))
  expect([answer.status, await answer.text()]).toEqual([
    200,
    expect.stringContaining('Send to 1 address<'),
  ])
  expect(await send()).toEqual([])
})

test('errors name the fields, and nothing is sent', async () => {
  const { post, send } = await newEditor()
  const empty = await post(path, [['audience', 'booked']])
  expect([empty.status, await empty.text()]).toEqual([
    400,
    expect.stringMatching(/Subject must not be empty.*Message must not be empty/s),
  ])
  const long = await post(path, Object.entries({ ...message, text: 'a'.repeat(5001) }))
  expect(await long.text()).toContain('must have at most 5000 characters')
  const nobody = await post(path, Object.entries({ ...message, audience: 'came' }))
  expect([nobody.status, await nobody.text()]).toEqual([
    400,
    expect.stringContaining('has no address to write to'),
  ])
  expect(await send()).toEqual([])
})

test('without mail, there are addresses to copy, and nothing is sent', async () => {
  const { html, post, send } = await newEditor('editor', { hasMail: false })
  const page = await html(path)
  expect(page).toContain('Mail is not set up')
  expect(page).not.toContain('name="subject"')
  expect(page).toContain('Ada@oak.test, cem@oak.test')
  expect((await post(path, Object.entries(message))).status).toBe(400)
  expect(await send()).toEqual([])
})

test('an editor downloads the people of an event with their contacts', async () => {
  const { html, visit, change } = await newEditor()
  await change('Cem', { orgStatus: 'attended', userName: '=Cem' })
  const lines = (await html('/events/event-1/sign-ups/csv')).trim().split('\r\n')
  expect(lines[0]).toMatch(/"?Name"?,"?Age"?,"?State"?,"?Contact"?,"?E-mail"?,"?Phone"?$/)
  const rows = lines.slice(1).map((line) => line.replaceAll('"', '').split(',').slice(0, 5))
  expect(rows.toSorted()).toEqual([
    ["'=Cem", '', 'Came', 'Cem', 'cem@oak.test'],
    ['Ada', '', 'Booked', 'Ada', 'Ada@oak.test'],
    ['Bea', '', 'Booked', 'Ada', 'Ada@oak.test'],
    ['Dan', '', 'Waiting', 'Dan', 'dan@oak.test'],
  ])
  expect((await visit('/events/event-1/sign-ups/xlsx')).status).toBe(200)
})

test.each(['reader', 'steward'] as const)('a %s sees no addresses', async (role) => {
  const { visit, post } = await newEditor(role)
  expect((await visit('/events/event-1/sign-ups/csv')).status).toBe(403)
  for (const page of ['', '/sent', '/sent/id']) {
    const answer = await visit(path + page)
    expect([answer.status, (await answer.text()).includes('oak.test')]).toEqual([403, false])
  }
  expect((await post(path, Object.entries(message))).status).toBe(403)
})

test('who came can stop messages, and gets those about bookings nevertheless', async () => {
  const { change, post, send, html, id } = await newEditor()
  await change('Cem', { orgStatus: 'attended' })
  const write = async (audience: string, previewed: string) => {
    const form = { ...message, audience, previewed, id: crypto.randomUUID() }
    return post(path, Object.entries(form))
  }
  await write('came', 'came 1')
  const [first] = await send()
  expect(first).toMatchObject({ to: 'cem@oak.test' })
  expect(first?.text).not.toContain('/bookings/')
  const [link = ''] =
    /https:\/\/data\.test\/o\/\S+\/unsubscribe\/[0-9a-f]{64}/.exec(first?.text ?? '') ?? []
  const open = (method = 'GET') =>
    app.request(link, { method, headers: { Origin: 'https://data.test' } }, env)
  expect((await open()).status).toBe(200)
  expect(await html(path)).toContain('cem@oak.test')
  expect((await open('POST')).status).toBe(200)
  expect(await html(path)).not.toContain('cem@oak.test')
  expect((await write('came', 'came 1')).status).toBe(400)
  await change('Cem', { orgStatus: '', attending: true })
  await write('booked', 'booked 2')
  expect((await send()).map(({ to }) => to)).toEqual(['Ada@oak.test', 'cem@oak.test'])
  const { results } = await env.DB.prepare(
    'SELECT * FROM unsubscribe_links WHERE organisation_id = ?',
  )
    .bind(id)
    .all()
  expect(JSON.stringify(results)).not.toContain('oak.test')
})

test('a change of time, place or state offers a message to everybody booked or waiting', async () => {
  const { submit, visit, html, send, bookings } = await newEditor()
  const edit = (values: Record<string, string>) => submit('/records/events/event-1/edit', values)
  const renamed = await edit({ name: 'Supper club' })
  expect(renamed.headers.get('Location')).toMatch(/\/records\/events\/event-1$/)
  const moved = await edit({ 'venue.name': 'Reading Room' })
  expect(moved.headers.get('Location')).toMatch(/\/messages\/change$/)
  const page = await html(`${path}/change`)
  expect(page).toMatch(/<del>.*Mary.*<\/del>.*<ins>.*Reading Room/s)
  expect(page).toContain('Send to 3 addresses')
  expect((await submit(`${path}/change`, { text: 'The kitchen is closed.' })).status).toBe(303)
  const messages = await send()
  expect(messages.map(({ to }) => to)).toEqual(['Ada@oak.test', 'cem@oak.test', 'dan@oak.test'])
  expect(messages[0]).toMatchObject({ subject: 'Supper club has changed' })
  expect(messages[0]?.text).toMatch(
    /The kitchen is closed\..*Reading Room.*Before: .*Mary.*The bookings of Ada and Bea stay as before/s,
  )
  expect((await bookings()).map(({ attending }) => attending)).toEqual([true, true, true, false])
  await edit({ 'venue.name': 'Holbeck Hall' })
  expect(await html(`${path}/change`)).toMatch(/<del>.*Reading Room.*<ins>.*Holbeck Hall/s)
  const { headers } = await visit('/events/event-2/messages/change')
  expect(headers.get('Location')).toMatch(/\/records\/events\/event-2$/)
  const closed = await edit({ 'bookingDetails.closed': 'true' })
  expect(closed.headers.get('Location')).toMatch(/\/messages\/state$/)
  expect(await html(`${path}/state`)).toMatch(/takes no more bookings.*Ada@oak\.test/s)
  await submit(`${path}/cancel`, {})
  const noOne = await visit(`${path}/state`)
  expect(noOne.headers.get('Location')).toMatch(/\/records\/events\/event-1$/)
})

test('a time and a place read the same on the public page, in letters, in calendars and on the dashboard', async () => {
  const { id, put, html, json, submit, env: bindings } = await newEditor()
  const { event } = await json<{ event: { start: string; end: string } }>('/events/event-1')
  const venue = { name: 'Holbeck Hall', address: 'Mill Lane', postcode: 'LS11 0ES' }
  await put('events', [{ id: 'event-1', document: { ...event, venue } }])
  const address = `https://data.test/o/${id}`
  const publicPage = async (page: string) =>
    (await app.request(address + page, {}, bindings)).text()
  const words = (page: string) =>
    page
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\\,/g, ' ')
      .replaceAll(/[\s,]+/g, ' ')
  const pages = {
    public: await publicPage('/events/event-1'),
    letter: await (await submit(path, message)).text(),
    messages: await html(`${path}/sent`),
    register: await html('/events/event-1'),
    sheet: await html('/events/event-1/sheet'),
    record: await html('/records/events/event-1'),
  }
  const period = words(formatPeriod(event.start, event.end).join(' '))
  expect(period).toMatch(/^\w+day \d+ \w+ \d{4} \S+ to \S+$/)
  const place = 'Holbeck Hall Mill Lane LS11 0ES'
  for (const [name, page] of Object.entries(pages)) {
    expect([name, words(page)]).toEqual([name, expect.stringContaining(period)])
    if (name !== 'messages')
      expect([name, words(page)]).toEqual([name, expect.stringContaining(place)])
  }
  expect(words(await publicPage('/events.ics'))).toContain(`LOCATION:${place}`)
})

test('a message about several dates of a series goes to each family once', async () => {
  const { put, signUp, submit, html, json, send, states } = await newEditor()
  const { event } = await json<{ event: object }>('/events/event-1')
  const onDay = (day: string) => `2096-06-${day}T10:00:00.000Z`
  const date = (eventId: string, day: string, parentEventId: string | null) => {
    const times = { start: onDay(day), end: `2096-06-${day}T12:00:00.000Z` }
    return { id: eventId, document: { ...event, ...times, eventId, parentEventId } }
  }
  await put('events', [
    date('lunches', '02', null),
    date('event-1', '02', 'lunches'),
    date('event-2', '09', 'lunches'),
  ])
  await signUp(['Ada'], { eventId: 'event-2', contact: { name: 'Ada', email: 'Ada@oak.test' } })
  await signUp(['Eli'], { eventId: 'event-2' })
  const change = { $from: onDay('02'), $starts: '06:00', $ends: '07:00', step: 'save' }
  const saved = await submit('/records/series/lunches/change', change)
  expect([saved.headers.get('Location'), await saved.text()]).toEqual([
    expect.stringContaining('/events/lunches/messages/change?from='),
    '',
  ])
  const offer = '/events/lunches/messages/change'
  expect(await html(offer)).toMatch(/<ins>.*6am to 7am<.*Send to 4 addresses/s)
  await submit(offer, { text: 'We begin early.' })
  const told = await send()
  expect(told.map(({ to }) => to).toSorted()).toEqual([
    'Ada@oak.test',
    'cem@oak.test',
    'dan@oak.test',
    'eli@oak.test',
  ])
  const [ada = '', eli = ''] = ['Ada@oak.test', 'eli@oak.test'].map(
    (address) => told.find(({ to }) => to === address)?.text,
  )
  expect([ada, eli].map((text) => text.match(/6am to 7am/g)?.length)).toEqual([2, 1])
  expect(ada).toMatch(/We begin early\..*Before: .*The bookings of Ada and Bea stay as before/s)
  const write = '/events/lunches/messages'
  const from = (await json<{ event: { start: string } }>('/events/event-2')).event.start
  const about = { ...message, from }
  expect(await (await submit(write, about)).text()).toContain('Send to 2 addresses')
  await submit(write, { ...about, previewed: `booked 2 ${from}` })
  expect((await send()).map(({ to }) => to).toSorted()).toEqual(['Ada@oak.test', 'eli@oak.test'])
  const seriesPage = '/records/events/lunches'
  expect(await html(seriesPage)).toContain('The series itself cannot be booked.')
  await submit('/events/lunches/questions', { booksAllDates: 'true' })
  expect(await html(seriesPage)).toContain('or sign up for all dates at once.')
  const cancel = '/events/lunches/messages/cancel'
  expect(await html(cancel)).toMatch(/2 dates to come, 2 Jun 2096 to 9 Jun 2096.*5 people, 4 addr/s)
  await submit(cancel, { text: 'The hall is flooded.' })
  expect(new Set((await states()).map((state) => state.split(' ')[1]))).toEqual(
    new Set(['cancelled']),
  )
  const letters = new Map((await send()).map(({ to, ...letter }) => [to, letter]))
  expect(letters.size).toBe(4)
  expect(letters.get('Ada@oak.test')).toMatchObject({
    subject: 'Lunch club is cancelled',
    text: expect.stringMatching(
      /bookings of Ada and Bea on these dates:\n.*2 June 2096.*\n.*9 June 2096.*flooded/s,
    ),
  })
  expect(letters.get('eli@oak.test')?.subject).toMatch(/ on Saturday 9 June 2096 is cancelled$/)
  const stored = await json<{ events: object[] }>('/events')
  expect(stored.events).toHaveLength(3)
  for (const event of stored.events)
    expect(event).toMatchObject({ bookable: false, bookingDetails: { closed: true } })
})

test('cancelling an event ends its bookings and tells their contacts, after a confirmation', async () => {
  const { submit, html, send, states, post, visit } = await newEditor()
  const page = await html(`${path}/cancel`)
  expect(page).toContain('4 people, 3 addresses: their bookings are cancelled')
  const stale = await post(`${path}/cancel`, [['people', '3 people, 2 addresses']])
  expect(stale.status).toBe(200)
  expect(await states()).toContain('Ada confirmed')
  expect((await submit(`${path}/cancel`, { text: 'The hall is flooded.' })).status).toBe(303)
  expect(await states()).toEqual([
    'Ada cancelled',
    'Bea cancelled',
    'Cem cancelled',
    'Dan cancelled',
  ])
  const messages = await send()
  expect(messages.map(({ to }) => to)).toEqual(['Ada@oak.test', 'cem@oak.test', 'dan@oak.test'])
  expect(messages[0]?.text).toMatch(
    /is cancelled, and with it the bookings of Ada and Bea.*flooded/s,
  )
  expect(messages[0]?.text).not.toContain('/bookings/')
  const record = await (await visit('/records/events/event-1')).text()
  expect(record).toContain('Lunch club')
  await submit(`${path}/cancel`, {})
  expect(await send()).toEqual([])
})

const changes = [
  { userStatus: 'cancelled', attending: false },
  { userStatus: 'unconfirmed', attending: true },
  { userStatus: 'confirmed', attending: true },
  { orgStatus: 'absent', attending: false },
  { orgStatus: 'attended', attending: true },
]

const emails = ['one@oak.test', 'ONE@oak.test', 'two@oak.test', 'three@oak.test']

/** A sign-up, a change of some booking, and another who gives up the place once the message is queued. */
const step = fc.record({
  email: fc.constantFrom(...emails),
  change: fc.constantFrom(...changes),
  changed: fc.nat(30),
  late: fc.nat(30),
})

test('every address of an audience gets one message, and nobody who gave up the place', async () => {
  let messages = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 8 }), async (steps) => {
      const { id, signUp, change, bookings, post, send, html } = await newEditor()
      const nameAt = async (index: number) => {
        const all = await bookings()
        return String(all[index % all.length]?.userName)
      }
      for (const [index, { email, change: values, changed, late }] of steps.entries()) {
        const name = `Person ${String.fromCodePoint(65 + index)}`
        await signUp([name], { contact: { name: 'Ina', email } })
        await change(await nameAt(changed), values)
        const [, listed = ''] = /id="addresses-booked"[^>]*>([^<]*)/.exec(await html(path)) ?? []
        const previewed = `booked ${listed.split(', ').filter(Boolean).length}`
        const form = { ...message, id: crypto.randomUUID(), previewed }
        await post(path, Object.entries(form))
        await change(await nameAt(late), changes[0] ?? {})
        const { results } = await env.DB.prepare(
          `SELECT DISTINCT lower(contact ->> '$.email') AS email FROM sign_ups
            CROSS JOIN records ON records.organisation_id = sign_ups.organisation_id
              AND collection = 'bookings' AND id = booking_id
            WHERE document ->> '$.attending' AND document ->> '$.userStatus' = 'confirmed'
              AND document ->> '$.orgStatus' = '' AND sign_ups.organisation_id = ?`,
        )
          .bind(id)
          .all<{ email: string }>()
        const sent = (await send()).map(({ to }) => to.toLowerCase())
        messages += sent.length
        expect(sent.toSorted()).toEqual(results.map(({ email }) => email).toSorted())
      }
    }),
    { numRuns: 3 },
  )
  expect(messages).toBeGreaterThan(10)
})

test('an organisation sends at most 2,000 messages a day', async () => {
  const { post, send, id } = await newEditor()
  await env.DB.prepare(
    `INSERT INTO mailings VALUES (?, 'others', 'event', 'event-1', '{}', 1999, ?, 'Ada', '2999-01-01')`,
  )
    .bind(id, new Date().toISOString())
    .run()
  const form = { ...message, id: crypto.randomUUID(), previewed: 'booked 2' }
  const answer = await post(path, Object.entries(form))
  expect([answer.status, await answer.text()]).toEqual([
    429,
    expect.stringContaining('at most 2,000 messages a day'),
  ])
  expect(await send()).toEqual([])
})
