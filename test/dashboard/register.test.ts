import { env } from 'cloudflare:workers'
import { drizzle } from 'drizzle-orm/d1'
import { expect, test } from 'vitest'
import type { Role } from '../../src/access/roles.ts'
import { sha256 } from '../../src/platform/sha256.ts'
import { givePlace } from '../../src/sign-up/give-places.ts'
import { hashSecret } from '../../src/sign-up/link.ts'
import { bookingLinks } from '../../src/store/sign-up-tables.ts'
import { newOrganisation } from '../organisation.ts'
import { inDays, newRegister } from '../sign-up/register/signed-up.ts'
import { newSite } from '../sign-up/site.ts'
import { expectOrganisationIndex, rows } from '../store/whole-index.ts'
import { newSignedIn } from './signed-in.ts'

/** A register with somebody who booked, somebody on the waiting list, and a known member. */
async function withRegister(role: Role, start?: string) {
  const register = await newRegister(undefined, start)
  await register.send('PUT', '/members/ada', { 'Full Name': 'Ada Obi', Phone: '07700 900123' })
  const ada = await register.signUp({
    userName: 'Ada Obi',
    answers: { 'Full Name': 'Ada Obi', Postcode: 'LS11 0ES' },
    contact: { name: 'Rukhsana <b>', email: 'rukhsana@example.org' },
  })
  await register.signUp({
    userName: 'Ben Okri',
    answers: { 'Full Name': 'Ben Okri' },
    booking: { userStatus: 'waiting', attending: false },
  })
  const person = await newSignedIn(role, register)
  const mark = (fields: Record<string, string>, accept = 'application/json') =>
    person.visit('/events/event/mark', {
      method: 'POST',
      headers: { Accept: accept },
      body: new URLSearchParams({ booking: ada, key: crypto.randomUUID(), ...fields }),
    })
  return { ...register, ...person, ada, mark }
}

test('an editor marks a booking, and chooses the member', async () => {
  const { html, mark, booking, ada, attendees, signUp } = await withRegister('editor')
  const page = await html('/events/event')
  expect(page).toContain('Booked by Rukhsana &lt;b&gt;')
  expect(page).toMatch(
    /Waiting <span>1<.*aria-label="Booked">.*Ada Obi.*aria-label="Waiting".*Ben Okri/s,
  )
  // In a booking of another system, the status is a text.
  await signUp({ userName: 'Cem Ozan', booking: { userStatus: 'waiting', attending: false } })
  expect(await html('/events/event')).toMatch(
    /Waiting <span>1<.*Cancelled <span class="quiet">1<.*Cem Ozan/s,
  )
  expect((await mark({ came: 'true' }, 'text/html')).headers.get('Location')).toMatch(
    /\/events\/event$/,
  )
  expect(await html('/events/event')).toContain('May be <a href="/dashboard/')
  const { row } = await (await mark({ came: 'true', memberId: 'ada' })).json<{ row: string }>()
  expect(row).toMatch(
    /^<li data-booking="booking-1" data-mark="attended">.*members\/ada">Open Ada Obi’s page/s,
  )
  expect(row).not.toContain('May be')
  expect(await booking(ada)).toMatchObject({ memberId: 'ada', orgStatus: 'attended' })
  expect(await attendees()).toBe(1)
})

const detailFields = (
  [
    ['Full Name', 'text'],
    ['Phone', 'phone'],
    ['Date of Birth', 'date'],
  ] as const
).map(([id, type], order) => ({ id, name: id, label: id, type, order }))

/** A register with a parent and a child of one sign-up, whose event asks about allergies and photos. */
async function withFamily(role: Role, start = inDays(1)) {
  const register = await newRegister(detailFields, start)
  const editor = await newSignedIn('editor', register)
  const question = (index: number, id: string, label: string): [string, string][] => [
    [`${index}.id`, id],
    [`${index}.label`, label],
    [`${index}.purpose`, 'To keep everybody safe'],
    [`${index}.deleteAfter`, '2096-01-01'],
  ]
  await editor.post('/events/event/questions', [
    ...question(0, 'allergies', 'Allergies'),
    ...question(1, 'photos', 'Photos'),
  ])
  const contact = { name: 'Rukhsana Aldermere', email: 'rukhsana@example.org' }
  const bookPerson = (userName: string, birthDate: string, others: object, answer: string) =>
    register.signUp({
      userName,
      contact,
      answers: { 'Full Name': userName, 'Date of Birth': birthDate, ...others },
      questionAnswers: { allergies: answer, photos: 'Yes, please' },
      booking: { orderId: 'family' },
    })
  const child = await bookPerson('Idris Aldermere', `${yearsBefore(start, 8)}-01-01`, {}, 'Nuts')
  const parent = await bookPerson(
    'Rukhsana Aldermere',
    `${yearsBefore(start, 40)}-01-01`,
    { Phone: '07700 900145' },
    'None',
  )
  return { ...register, ...(await newSignedIn(role, register)), child, parent, editor }
}

const yearsBefore = (time: string, years: number) => Number(time.slice(0, 4)) - years

/** The row of a person on a register. */
const rowOf = (page: string, name: string) =>
  page.split('<li data-booking=').find((row) => row.includes(`<span>${name}</span>`)) ?? ''

test('a name opens age, answers and the contact, whose phone counts for the whole family', async () => {
  const { html } = await withFamily('editor')
  const page = await html('/events/event')
  const child = rowOf(page, 'Idris Aldermere')
  expect(child).toMatch(/Aged 8, Booked by Rukhsana Aldermere<.*class="tag warn">.* Nuts</s)
  expect(child).toMatch(
    /<strong>Allergies<\/strong> Nuts<.*<strong>Photos<\/strong> Yes, please<.*href="tel:07700900145".*href="mailto:rukhsana%40example.org"/s,
  )
  const parent = rowOf(page, 'Rukhsana Aldermere')
  expect(parent).toContain('Aged 40')
  expect(parent).not.toContain('tag warn')
})

test('a steward sees the ages of children and the answers, and no contact', async () => {
  const { html } = await withFamily('steward')
  const page = await html('/events/event')
  expect(rowOf(page, 'Idris Aldermere')).toMatch(/Aged 8,.* Nuts</s)
  expect(rowOf(page, 'Rukhsana Aldermere')).not.toContain('Aged')
  for (const hidden of ['tel:', 'mailto:', '900145', 'rukhsana@'])
    expect(page).not.toContain(hidden)
})

test('a sign-in sheet has allergies only if somebody chooses them, and no contacts for a steward', async () => {
  const editor = await withFamily('editor')
  const sheet = await editor.html('/events/event/sheet')
  expect(sheet).toMatch(
    /<p>.+<\/p><h2>Lunch<.*>Idris Aldermere<\/th><td>8<\/td><td>Rukhsana Aldermere <span class="phone">07700 900145<.*>Rukhsana Aldermere<\/th><td>40</s,
  )
  expect(sheet).not.toContain('Nuts')
  const withNeeds = await editor.html('/events/event/sheet?chosen=true&columns=needs&lines=8')
  expect(withNeeds).toMatch(/>Idris Aldermere<\/th><td>Nuts</)
  expect(withNeeds).not.toContain('900145')
  expect([...withNeeds.matchAll(/class="box"/g)]).toHaveLength(10)
  const steward = await withFamily('steward')
  const ofSteward = await steward.html('/events/event/sheet?chosen=true&columns=contact')
  expect(ofSteward).toContain('Idris Aldermere')
  expect(ofSteward).not.toMatch(/900145|>Contact</)
  expect((await (await newSignedIn('reader', steward)).visit('/events/event/sheet')).status).toBe(
    403,
  )
})

test('a mark that is sent twice counts once', async () => {
  const { mark, attendees } = await withRegister('editor')
  const tap = { came: 'true', key: 'tap' }
  await mark(tap)
  await mark({ came: 'null' })
  expect((await mark(tap)).status).toBe(200)
  expect(await attendees()).toBe(0)
})

test('a mark that is refused says why', async () => {
  const { mark, html } = await withRegister('editor')
  const refused = await mark({ booking: 'nowhere', came: 'true' })
  const message = 'There is no booking with this bookingId.'
  expect([refused.status, await refused.json()]).toEqual([404, { message }])
  expect((await mark({ booking: 'nowhere', came: 'true' }, 'text/html')).status).toBe(303)
  expect(await html('/events/event')).toContain(message)
  expect((await mark({ came: 'maybe' })).status).toBe(400)
})

test('a steward sees registers and nothing else', async () => {
  const { html, visit, mark, booking, ada, members } = await withRegister('steward', inDays(-6))
  expect((await visit('')).headers.get('Location')).toMatch(/\/events$/)
  const page = await html('/events/event')
  for (const part of ['/records', '/import', '/connect', '/settings'])
    expect(page).not.toContain(part)
  expect((await mark({ came: 'true' })).status).toBe(200)
  // The known member is no business of a steward.
  expect(await html('/events/event')).not.toContain('May be')
  expect(await booking(ada)).toMatchObject({ memberId: '', orgStatus: 'attended' })
  expect(await members()).toHaveLength(1)
  for (const path of [
    '/reports',
    '/reports/view',
    '/reports/quality',
    '/views/new?page=reports/view',
    '/records/members',
    '/records/members/ada',
    '/records/search?q=ada',
    '/records/events/event',
    '/records/new/members',
    '/import',
    '/connect',
    '/settings/schema',
    '/settings/people',
    '/settings/api-keys',
  ]) {
    const response = await visit(path)
    expect([path, response.status]).toEqual([path, 403])
    expect(await response.text()).not.toContain('Ada')
  }
})

test('a steward finds the dates around today', async () => {
  const { send, html } = await withRegister('steward')
  await send('PUT', '/events/Series', { name: 'Series', start: inDays(-3) })
  for (const [name, days] of Object.entries({ Past: -30, Recent: -3, Coming: 3 }))
    await send('PUT', `/events/${name}`, { name, start: inDays(days), parentEventId: 'Series' })
  const page = await html('/events')
  expect([...page.matchAll(/events\/(\w+)">/g)].map(([, name]) => name)).toEqual([
    'Recent',
    'Coming',
  ])
})

test('a steward takes no register by its address that the list does not show', async () => {
  const { visit, mark, booking, ada, members } = await withRegister('steward', inDays(-8))
  const page = await visit('/events/event')
  expect([page.status, (await page.text()).includes('Ada')]).toEqual([404, false])
  const marked = await mark({ came: 'true' })
  expect([marked.status, await marked.json()]).toEqual([
    404,
    { message: 'There is no booking with this bookingId.' },
  ])
  const walkIn = { method: 'POST', body: new URLSearchParams({ 'Full Name': 'Cy Twombly' }) }
  expect((await visit('/events/event/walk-in', walkIn)).status).toBe(404)
  expect((await booking(ada)).orgStatus).toBe('')
  expect(await members()).toHaveLength(1)
})

test('a steward chooses no member: the page offers none', async () => {
  const { mark, signUp, booking, send, html } = await withRegister('steward', inDays(0))
  await send('PUT', '/members/secret', { 'Full Name': 'Secret Person' })
  const nameless = await signUp({ userName: '' })
  const statuses = []
  for (const memberId of ['secret', 'nobody', 'new'])
    statuses.push((await mark({ booking: nameless, came: 'true', memberId })).status)
  expect(statuses).toEqual([403, 403, 403])
  expect(await booking(nameless)).toMatchObject({ memberId: '', orgStatus: '' })
  expect(await html('/events/event')).not.toContain('Secret')
})

test('tabs show who is booked, to mark and waiting, and a mark leads back to its tab', async () => {
  const { html, post, ada, signUp } = await withRegister('editor')
  await signUp({ userName: 'Cem Ozan', booking: { orgStatus: 'absent', attending: false } })
  const shown = async (query: string) => {
    const page = await html(`/events/event${query}`)
    const current = />(\S+(?: \S+)?) <span>(\d+)<\/span><\/a>/
    const names = ['Ada Obi', 'Ben Okri', 'Cem Ozan'].filter((name) => {
      const [panel = ''] = page.split(`<span>${name}</span>`)
      const row = panel.slice(panel.lastIndexOf('<li data-booking'))
      const parts = panel.split('data-panel').at(-2) ?? ''
      const isPanelHidden = parts.slice(parts.lastIndexOf('<')).includes('hidden')
      return !isPanelHidden && !/^<li[^>]*hidden/.test(row)
    })
    return [current.exec(page.split('aria-current="page"').at(-1) ?? '')?.slice(1), names]
  }
  expect(await shown('')).toEqual([
    ['Booked', '2'],
    ['Ada Obi', 'Cem Ozan'],
  ])
  expect(await shown('?tab=to-mark')).toEqual([['To mark', '1'], ['Ada Obi']])
  expect(await shown('?tab=waiting')).toEqual([['Waiting', '1'], ['Ben Okri']])
  const marked = await post('/events/event/mark?tab=to-mark', [
    ['booking', ada],
    ['came', 'true'],
    ['key', 'one'],
  ])
  expect(marked.headers.get('Location')).toMatch(/\/events\/event\?tab=to-mark$/)
})

/** A register with one place, which is taken, and two families on the waiting list: first of two people, then of one. */
async function withWaiting(role: Role) {
  const site = await newSite({ capacityTotal: 1 })
  await site.signUp(['Ada'])
  await site.signUp(['Bea', 'Cem'])
  await site.signUp(['Dan'])
  const person = await newSignedIn(role, site)
  const bookings = await site.bookings()
  const idOf = (name: string) => bookings.find(({ userName }) => userName === name)?.bookingId ?? ''
  const act = (action: string, ...names: string[]) =>
    person.post('/events/event-1/waiting', [
      ['do', action],
      ...names.map((name): [string, string] => ['booking', idOf(name)]),
    ])
  const waiting = async () => {
    const page = await person.html('/events/event-1?tab=waiting')
    return page.slice(page.indexOf('data-panel="waiting"'), page.indexOf('id="walk-in"'))
  }
  const notice = async () =>
    /role="status"><div class="notice"><p>(.*?)</.exec(
      await person.html('/events/event-1?tab=waiting'),
    )?.[1]
  return { ...site, ...person, idOf, act, waiting, notice }
}

test('staff give a free place to people who wait, and refuse without one', async () => {
  const { act, waiting, notice, states, change, idOf, context, id } = await withWaiting('editor')
  expect(await waiting()).toMatch(/Need 2 places, 0 are free.*No place is free/s)
  await act('give', 'Dan')
  expect(await notice()).toBe('There are not enough free places. Raise the number of places first.')
  await change('Ada', { userStatus: 'cancelled', attending: false })
  expect(await waiting()).toMatch(/Need 2 places, 1 is free.*Give a place: Dan/s)
  expect(await givePlace(context(true), 'event-1', idOf('Dan'))).toBe(
    'Dan has a place. A message is on its way.',
  )
  expect(
    await rows('SELECT purpose, recipients FROM mailings WHERE organisation_id = ?', id),
  ).toMatchObject([{ purpose: 'booked' }])
  expect(await states()).toEqual(['Ada cancelled', 'Bea waiting', 'Cem waiting', 'Dan confirmed'])
  await act('give', 'Dan')
  expect(await notice()).toBe('These people no longer wait for a place. Look at the list again.')
})

test('raising the places offers them to those who have waited longest, until the offer is withdrawn', async () => {
  const { act, post, waiting, notice, states } = await withWaiting('editor')
  expect(await waiting()).toContain('With 3 places, the next are Bea and Cem.')
  await post('/events/event-1/places', [['places', '3']])
  expect(await notice()).toBe('The event has 3 places. Bea and Cem have an offer now.')
  expect(await waiting()).toMatch(/Offered until .*Withdraw offer: Bea and Cem.*No place is free/s)
  await act('withdraw', 'Bea', 'Cem')
  expect(await notice()).toBe('The offer was withdrawn. Dan has an offer now.')
  expect(await states()).toEqual(['Ada confirmed', 'Bea lapsed', 'Cem lapsed', 'Dan offered'])
  await act('withdraw', 'Bea', 'Cem')
  expect(await notice()).toBe('The offer was accepted, or has ended. Look at the list again.')
  await act('cancel', 'Ada')
  expect(await notice()).toBe('The booking is cancelled. No message was sent.')
  expect((await states())[0]).toBe('Ada cancelled')
  await act('cancel', 'Ada')
  expect(await notice()).toBe('The booking has a mark, or has ended. Look at it again.')
  await post('/events/event-1/places', [['places', 'many']])
  expect(await notice()).toBe('Places: type a whole number, such as 18. Nothing was saved.')
})

test('staff offer a place for a limited time, and a steward gives none', async () => {
  const { act, notice, states, change, waiting } = await withWaiting('editor')
  await change('Ada', { userStatus: 'cancelled', attending: false })
  await act('offer', 'Dan')
  expect(await notice()).toMatch(/^Dan has an offer until /)
  expect(await states()).toContain('Dan offered')
  expect(await waiting()).toMatch(/Offered until .*Withdraw offer: Dan.*Need 2 places, 0 are free/s)
  const steward = await withWaiting('steward')
  expect(await steward.waiting()).toMatch(/Bea.*Cem.*Dan/s)
  expect(await steward.waiting()).not.toMatch(/Give|Offer|Number of places/)
  for (const [path, fields] of [
    [
      'waiting',
      [
        ['do', 'give'],
        ['booking', steward.idOf('Dan')],
      ],
    ],
    ['places', [['places', '9']]],
  ] as const)
    expect(
      (
        await steward.post(
          `/events/event-1/${path}`,
          fields.map(([n, v]) => [n, v]),
        )
      ).status,
    ).toBe(403)
  expect(await steward.states()).toContain('Dan waiting')
})

/** The links from a register to others: their text and the id of the event. */
const neighboursOn = (page: string) =>
  [...page.matchAll(/events\/(\w+)" rel="(prev|next)".*?<\/span>(.*?)<(?:svg|\/a)/gs)].map(
    ([, id, rel, text]) => [rel, id, text?.replace(/^<svg.*<\/svg>/, '')],
  )

test('a register leads to the dates before and after it, or to the events of its day', async () => {
  const steward = await withRegister('steward')
  const { html, send } = steward
  await send('PUT', '/events/series', { name: 'Series', start: inDays(-3) })
  const starts = { one: '2096-03-01', two: '2096-03-08', three: '2096-03-15' }
  for (const [id, day] of Object.entries(starts))
    await send('PUT', `/events/${id}`, {
      name: 'A date',
      start: `${day}T12:00:00.000Z`,
      parentEventId: 'series',
    })
  expect(neighboursOn(await html('/events/two'))).toEqual([
    ['prev', 'one', '1 Mar 2096'],
    ['next', 'three', '15 Mar 2096'],
  ])
  const editor = await newSignedIn('editor', steward)
  expect(await editor.html('/events/two')).toMatch(/records\/events\/series">All dates</)
  expect(await html('/events/two')).not.toContain('All dates')
  await send('PUT', '/events/alone', { name: 'Alone', start: '2096-03-08T15:00:00.000Z' })
  expect(neighboursOn(await html('/events/alone'))).toEqual([['prev', 'two', 'A date']])
  // The register of an earlier date does not exist for a steward.
  await send('PUT', '/events/one', {
    name: 'A date',
    start: inDays(-8),
    parentEventId: 'series',
  })
  expect(neighboursOn(await html('/events/two'))).toEqual([['next', 'three', '15 Mar 2096']])
})

test('a series with dates has no register', async () => {
  const { visit, mark, send, booking, ada } = await withRegister('editor')
  await send('PUT', '/events/date', { name: 'A date', parentEventId: 'event' })
  const page = await visit('/events/event')
  expect([page.status, page.headers.get('Location')]).toEqual([
    303,
    expect.stringMatching(/\/records\/events\/event$/),
  ])
  expect((await mark({ came: 'true' })).status).toBe(400)
  expect((await booking(ada)).orgStatus).toBe('')
  expect((await visit('/events/date')).status).toBe(200)
})

test('a reader takes no register, and nobody that of another organisation', async () => {
  const { visit, mark } = await withRegister('reader')
  expect((await visit('/events/event')).status).toBe(403)
  expect((await mark({ came: 'true' })).status).toBe(403)
  const { visit: visitOwn, post } = await newSignedIn('steward', await newOrganisation())
  expect((await visitOwn('/events/event')).status).toBe(404)
  const fields: [string, string][] = Object.entries({
    booking: 'booking-1',
    came: 'true',
    key: 'a',
  })
  expect((await post('/events/event/mark', fields)).status).toBe(303)
})

test('a walk-in becomes a member who came, and a repeated form adds nobody', async () => {
  const { visit, html, members, attendees, json, id } = await withRegister('editor')
  expect(await html('/events/event')).toMatch(
    /name="Full Name".*name="Email".*name="Phone".*name="Postcode"/s,
  )
  const send = (fields: Record<string, string>, accept = 'application/json') =>
    visit('/events/event/walk-in', {
      method: 'POST',
      headers: { Accept: accept },
      body: new URLSearchParams(fields),
    })
  const fields = { $key: 'one', 'Full Name': 'Cy Twombly', Email: 'cy@example.org' }
  const added = await (await send(fields)).json<{ row: string }>()
  expect(added.row).toMatch(/data-mark="attended".*Cy Twombly/s)
  expect((await send(fields)).status).toBe(200)
  expect([(await members()).length, await attendees()]).toEqual([2, 1])
  const { bookings } = await json<{ bookings: object[] }>('/bookings?userName=Cy%20Twombly')
  expect(bookings).toEqual([
    expect.objectContaining({
      eventId: 'event',
      orgStatus: 'attended',
      attending: true,
      userEmail: 'cy@example.org',
      memberId: expect.stringMatching(/.{36}/),
      date: '2026-03-04',
      duration: 120,
    }),
  ])
  await expectOrganisationIndex(id)
  const [origin] = await rows(
    `SELECT created_by ->> '$.through' AS through FROM records
    WHERE organisation_id = ? AND collection = 'members' ORDER BY ordinal DESC LIMIT 1`,
    id,
  )
  expect(origin).toEqual({ through: 'walk-in' })

  const invalid = { $key: 'two', 'Full Name': ' ', Email: 'cy' }
  expect(await (await send(invalid)).json()).toMatchObject({
    errors: { 'Full Name': 'must not be empty.', Email: 'must be one email address.' },
  })
  const page = await send(invalid, 'text/html')
  expect(page.status).toBe(400)
  expect(await page.text()).toMatch(/Nobody was added.*value="cy"/s)
  expect((await send({ $key: 'three', 'Full Name': 'Di Athill' }, 'text/html')).status).toBe(303)
  expect(await attendees()).toBe(2)
})

test('a walk-in who may be known keeps the answers until staff choose', async () => {
  const { visit, html, mark, members, get, id } = await withRegister('editor')
  await visit('/events/event/walk-in', {
    method: 'POST',
    body: new URLSearchParams({
      'Full Name': 'A. Obi',
      Phone: '07700 900123',
      Postcode: 'LS11 0ES',
    }),
  })
  expect(await members()).toHaveLength(1)
  expect(await html('/events/event')).toContain('Ada Obi</a>: same phone number.')
  const [row] = await rows(
    'SELECT booking_id, delete_after FROM sign_ups WHERE organisation_id = ? ORDER BY rowid DESC',
    id,
  )
  expect(row?.delete_after).toBe('2026-04-03')
  await mark({ booking: String(row?.booking_id), came: 'true', memberId: 'new' })
  const [, added] = await members()
  expect(await (await get(`/members/${added?.memberId}`)).text()).toContain('LS11 0ES')
})

/** Makes a private link to a booking, and returns its secret. */
async function newLink(organisationId: string, bookingId: string, isFamily = false) {
  const secret = await sha256(bookingId + organisationId + isFamily)
  const hash = await hashSecret(secret)
  await drizzle(env.DB)
    .insert(bookingLinks)
    .values({ hash, organisationId, bookingId, isFamily: Number(isFamily), created: '2026-01-01' })
  return secret
}

/** A function that sends a scanned code. */
const scannerOf =
  (visit: Awaited<ReturnType<typeof newSignedIn>>['visit']) =>
  (fields: Record<string, string>, accept = 'application/json') =>
    visit('/events/scan', {
      method: 'POST',
      headers: { Accept: accept },
      body: new URLSearchParams(fields),
    })

test('one code marks a family, and one of them can be taken back', async () => {
  const { visit, html, id, child, parent, signUp, booking, post, send } =
    await withFamily('steward')
  await send('PUT', '/events/other', { name: 'Quiz', start: inDays(2) })
  const family = { contact: { name: 'R. Aldermere', email: 'Rukhsana@example.org' }, answers: {} }
  const cancelled = { userStatus: 'cancelled', attending: false }
  const ill = await signUp({ ...family, userName: 'Noor Aldermere', booking: cancelled })
  const other = { eventId: 'other' }
  const elsewhere = await signUp({ ...family, userName: 'Idris Aldermere', booking: other })
  const scan = scannerOf(visit)
  const link = await newLink(id, child, true)
  const response = await scan({ link, event: 'event' })
  const { message, rows, people } = await response.json<{
    message: string
    rows: { booking: string; row: string }[]
    people: string
  }>()
  expect(message).toBe('Idris Aldermere and Rukhsana Aldermere came.')
  expect(rows.map((marked) => marked.booking)).toEqual([child, parent])
  expect(people).toMatch(/>Idris Aldermere<.*Take back.*>Rukhsana Aldermere<.*Take back/s)
  const statuses = async () => {
    const ids = [child, parent, ill, elsewhere]
    return Promise.all(ids.map(async (bookingId) => (await booking(bookingId)).orgStatus))
  }
  expect(await statuses()).toEqual(['attended', 'attended', '', ''])
  const takeBack = (bookingId: string) =>
    post('/events/event/mark', [
      ['booking', bookingId],
      ['came', 'null'],
      ['key', crypto.randomUUID()],
    ])
  await takeBack(parent)
  expect(await statuses()).toEqual(['attended', '', '', ''])
  await takeBack(child)
  // Without the script, the page of the register says who came. The page of one person of a family has a code, too.
  await scan({ link: `${link}?booking=${parent}`, event: 'event' }, 'text/html')
  expect(await html('/events/event')).toContain('Rukhsana Aldermere came.')
  expect(await statuses()).toEqual(['', 'attended', '', ''])
})

test('a scanned code marks its booking, or says why not', async () => {
  const { signUp, booking, ada, send, id, visit } = await withRegister('editor')
  const scan = scannerOf(visit)
  await send('PUT', '/events/other', { name: 'Quiz', start: new Date().toISOString() })
  const quiz = await signUp({ userName: 'Cy', booking: { eventId: 'other' }, answers: {} })
  const gone = await signUp({
    userName: 'Di',
    answers: {},
    booking: { userStatus: 'cancelled', attending: false },
  })
  const [adaSecret, quizSecret, goneSecret] = [
    await newLink(id, ada),
    await newLink(id, quiz),
    await newLink(id, gone),
  ]
  const link = `https://data.test/o/${id}/bookings/${adaSecret}`
  for (const [scanned, status, message] of [
    [{ link, event: 'event' }, 200, 'Ada Obi came.'],
    [{ link, event: 'event' }, 200, 'Ada Obi is marked already.'],
    [{ link: quizSecret, event: 'event' }, 200, 'Cy is booked for another event: Quiz.'],
    [{ link }, 200, 'Lunch is on another day, so nothing was marked.'],
    [
      { link: goneSecret, event: 'event' },
      200,
      'Di has no place: the booking is cancelled. Mark it by hand if there is room.',
    ],
    [
      { link: 'https://example.org', event: 'event' },
      404,
      'This code belongs to no booking here. Search for the name instead.',
    ],
  ] as const) {
    const response = await scan(scanned)
    expect([response.status, await response.json()]).toEqual([
      status,
      expect.objectContaining({ message }),
    ])
  }
  expect([(await booking(quiz)).orgStatus, (await booking(gone)).orgStatus]).toEqual(['', ''])
  const opened = await scan({ link: quizSecret }, 'text/html')
  expect(opened.headers.get('Location')).toMatch(/\/events\/other$/)
  expect((await booking(quiz)).orgStatus).toBe('attended')
})
