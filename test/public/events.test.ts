import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { operatorStore } from '../../src/admin/operator-store.ts'
import { storeBooksAllDates } from '../../src/store/sign-up/event-questions.ts'
import { newSite, openEvent, origin } from './site.ts'

const { bookingDetails } = openEvent

test('the events of an organisation are listed by month, with their tags and places left', async () => {
  const site = await newSite()
  await site.putEvents(
    {
      eventId: 'later',
      name: 'Summer Fair',
      start: '2097-07-01T09:30:00.000Z',
      end: '2097-07-01T12:00:00.000Z',
    },
    { eventId: 'first', bookingDetails: { ...bookingDetails, capacityTotal: 3 } },
  )
  await site.put('bookings', [
    { id: 'a', document: { bookingId: 'a', eventId: 'first', attending: true } },
    { id: 'b', document: { bookingId: 'b', eventId: 'first', attending: false } },
  ])
  const page = await site.html()
  const texts = ['December 2096', 'Lantern Workshop', '2 places left', 'July 2097', 'Summer Fair']
  expect(texts.map((text) => page.indexOf(text)).toSorted((a, b) => a - b)).toEqual(
    texts.map((text) => page.indexOf(text)),
  )
  expect(page).toContain('10:30am')
  expect(page).toContain('20 places left')
  expect(await site.html('?tag=Other')).not.toContain('Summer Fair')
})

test.each([
  ['not bookable', { bookable: false }],
  ['not bookable by its details', { bookingDetails: { ...bookingDetails, bookable: false } }],
  ['closed', { bookingDetails: { ...bookingDetails, closed: true } }],
  ['private', { bookingDetails: { ...bookingDetails, privateEvent: true } }],
  ['concluded', { concluded: '2026-01-01T00:00:00.000Z' }],
  ['over', { start: '2025-01-01T00:00:00.000Z', end: '2025-01-01T01:00:00.000Z' }],
])('an event that is %s is on no page', async (_, properties) => {
  const site = await newSite()
  await site.putEvents({ eventId: 'hidden', name: 'Hidden Event', ...properties })
  for (const path of ['', '/events.ics']) expect(await site.html(path)).not.toContain('Hidden')
  expect((await site.visit('/events/hidden')).status).toBe(404)
})

test('a series is listed and booked by its dates', async () => {
  const site = await newSite()
  await site.putEvents(
    { eventId: 'series', name: 'The whole series' },
    { eventId: 'occurrence', name: 'One date', parentEventId: 'series' },
    { eventId: 'closed', name: 'Closed series' },
    { eventId: 'private', parentEventId: 'closed', bookingDetails: { privateEvent: true } },
  )
  for (const path of ['', '/events.ics'])
    expect(await site.html(path)).not.toMatch(/The whole series|Closed series/)
  expect(await site.html('/events/occurrence')).toContain('One date')
  const page = await site.html('/events/series')
  expect(page).toContain('The whole series')
  expect([...page.matchAll(/href="[^"]+events\/(\w+)"/g)].map(([, id]) => id)).toEqual([
    'occurrence',
  ])
  expect(page).toContain('20 places left')
  expect(parseData(page)).toMatchObject({
    '@type': 'EventSeries',
    name: 'The whole series',
    subEvent: [{ '@type': 'Event', name: 'One date', startDate: '2096-12-15T14:00:00Z' }],
  })
  expect(page).not.toContain('<form')
  expect(
    (await site.visit('/events/series', { method: 'POST', body: new URLSearchParams() })).status,
  ).toBe(404)
  expect((await site.visit('/events/series/sign-up')).status).toBe(404)
  await storeBooksAllDates(operatorStore(env.DB, site.id), 'series', true)
  const whole = await site.html('/events/series')
  for (const text of ['The form is for this date.', 'events/occurrence"', '<form'])
    expect(whole).toContain(text)
  const form = {
    ...{ name: 'Ada', email: 'ada@example.org', people: '1', token: crypto.randomUUID() },
    ...{ started: (Date.now() - 10_000).toString(36), 'attendees.0.fields.Full Name': 'Idris' },
  }
  const sent = await site.send('/events/series', { ...form, step: 'send' })
  expect(await sent.text()).toContain('You are signed up')
  expect(await site.json('/bookings')).toMatchObject({ bookings: [{ eventId: 'occurrence' }] })
  const withoutDates = await site.html('/events/closed')
  expect(withoutDates).toContain('There are no dates to come.')
  expect(withoutDates).not.toContain('events/private')
  await site.putEvents({ eventId: 'closed', bookingDetails: { privateEvent: true } })
  expect((await site.visit('/events/closed')).status).toBe(404)
})

test('nothing is public before the pages are on', async () => {
  const off = await newSite({}, false)
  await off.putEvents({ eventId: 'first' })
  const unknown = await off.visit('/../nobody')
  for (const path of ['', '/events/first', '/events.ics', '/logo.png', '/elsewhere']) {
    const answer = await off.visit(path)
    expect(answer.status).toBe(404)
    const text = await answer.text()
    expect(text).not.toContain('Organisation ')
    if (path === '') expect(text).toBe(await unknown.text())
  }
})

test('an event shows its time in the UK, its place and its text, escaped', async () => {
  const site = await newSite()
  await site.putEvents({
    eventId: 'a/b',
    name: '<Fair>',
    start: '2097-07-01T11:00:00.000Z',
    end: '2097-07-01T13:30:00.000Z',
  })
  const page = await site.html('/events/a%2Fb')
  for (const text of [
    '&lt;Fair&gt;',
    'Monday 1 July 2097',
    'midday to 2:30pm',
    'Larkwell Mill',
    'Bring a friend.',
    'Free',
    '20 left of 20',
  ])
    expect(page).toContain(text)
})

/** The JSON-LD of a page. */
const parseData = (page: string) =>
  JSON.parse(/<script type="application\/ld\+json">([^<]*)<\/script>/.exec(page)?.[1] ?? '')

test('the page of an event describes it by schema.org, without the contact, and no text ends the script', async () => {
  const site = await newSite()
  const name = '</script><script>alert(1)</script><!--'
  const details = { ...bookingDetails, free: false, price: 4.5, description: name }
  await site.putEvents({
    eventId: 'a/b',
    name,
    bookingDetails: { ...details, contactEmail: 'ada@oak.test', contactPhone: '0113 496 0000' },
  })
  const page = await site.html('/events/a%2Fb')
  expect(page.match(/<script/g)).toHaveLength(1)
  const address = `${origin}/o/${site.id}`
  expect(parseData(page)).toEqual({
    '@context': 'https://schema.org',
    '@type': 'Event',
    url: `${address}/events/a%2Fb`,
    name,
    description: name,
    startDate: '2096-12-15T14:00:00Z',
    endDate: '2096-12-15T16:00:00Z',
    eventStatus: 'https://schema.org/EventScheduled',
    location: { '@type': 'Place', name: 'Larkwell Mill', address: 'Tannery Row, LS10 1LT' },
    organizer: {
      '@type': 'Organization',
      '@id': address,
      name: expect.any(String),
      url: address,
    },
    offers: [{ '@type': 'Offer', price: 4.5, priceCurrency: 'GBP' }],
    isAccessibleForFree: false,
    maximumAttendeeCapacity: 20,
  })
})

test('a time that the clock shows twice has its zone', async () => {
  const site = await newSite()
  const [early, first, second] = [0, 1, 2].map((n) => `2096-10-28T0${n}:15:00.000Z`)
  await site.putEvents({ eventId: 'first', start: early, end: first })
  await site.putEvents({ eventId: 'second', start: first, end: second })
  expect(await site.html('/events/first')).toContain('1:15am BST to 1:15am GMT')
  expect(await site.html('/events/second')).toContain('1:15am GMT to 2:15am')
})

test('one place is not called places', async () => {
  const site = await newSite()
  await site.putEvents({
    eventId: 'first',
    bookingDetails: { ...bookingDetails, capacityTotal: 1 },
  })
  await site.put('bookings', [
    { id: 'a', document: { bookingId: 'a', eventId: 'first', attending: true } },
  ])
  expect(await site.html('/events/first')).toContain('Full (1 place)')
})

test('only the websites that the organisation allows show its pages in a frame', async () => {
  const site = await newSite({ frameAncestors: ['https://charity.test'], colour: '#5b2a6e' })
  const policy = async (path: string) => {
    const { headers } = await site.visit(path)
    return [headers.get('Content-Security-Policy'), headers.get('X-Frame-Options')]
  }
  expect(await policy('?embed=1')).toEqual([
    expect.stringContaining('frame-ancestors https://charity.test'),
    null,
  ])
  expect(await policy('')).toEqual([expect.stringContaining("frame-ancestors 'none'"), 'DENY'])
  const other = await newSite()
  expect((await other.visit('?embed=1')).headers.get('X-Frame-Options')).toBe('DENY')
  const page = await site.html('?embed=1')
  expect(page).not.toContain('class="banner"')
  expect(page).toContain(`/o/${site.id}/colours/5b2a6e.css`)
  expect(await site.html('/colours/5b2a6e.css')).toContain('--brand:#5b2a6e')
})

test('the events are a calendar in UK time that follows RFC 5545', async () => {
  const site = await newSite()
  await site.putEvents({
    eventId: 'summer',
    name: 'Tea, cake; and more',
    start: '2097-07-01T11:00:00.000Z',
    end: '2097-07-01T13:00:00.000Z',
    bookingDetails: { ...bookingDetails, description: `One\r\nTwo \\ ${'ö€🎉'.repeat(40)}` },
  })
  expect(await site.html()).toContain(`href="webcal://data.test/o/${site.id}/events.ics"`)
  const answer = await site.visit('/events.ics')
  expect(answer.headers.get('Content-Type')).toBe('text/calendar; charset=utf-8')
  const text = await answer.text()
  const lines = text.split('\r\n')
  expect(lines.pop()).toBe('')
  for (const line of lines) expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75)
  expect(text).not.toMatch(/[^\r]\n/)
  const unfolded = text.replaceAll('\r\n ', '').split('\r\n')
  expect(unfolded).toContain('DTSTART;TZID=Europe/London:20970701T120000')
  expect(unfolded).toContain('DTEND;TZID=Europe/London:20970701T140000')
  expect(unfolded).toContain('SUMMARY:Tea\\, cake\\; and more')
  expect(unfolded).toContain(`DESCRIPTION:One\\nTwo \\\\ ${'ö€🎉'.repeat(40)}`)
  expect(unfolded).toContain(`URL:${origin}/o/${site.id}/events/summer`)
  const versionOf = (text: string) => Number(/SEQUENCE:(\d+)/.exec(text)?.[1])
  await site.putEvents({ eventId: 'summer', start: '2097-07-01T11:30:00.000Z' })
  const changed = await site.html('/events.ics')
  expect(versionOf(changed)).toBeGreaterThan(versionOf(text))
  expect(/UID:.*/.exec(changed)?.[0]).toBe(/UID:.*/.exec(text)?.[0])
})

test('a time that the clock shows twice is in UTC in a calendar the second time', async () => {
  const site = await newSite()
  await site.putEvents({
    eventId: 'night',
    start: '2096-10-28T00:30:00.000Z',
    end: '2096-10-28T01:30:00.000Z',
  })
  const calendar = await site.html('/events.ics')
  expect(calendar).toContain('DTSTART;TZID=Europe/London:20961028T013000')
  expect(calendar).toContain('DTEND:20961028T013000Z')
})
