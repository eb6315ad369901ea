import { env } from 'cloudflare:workers'
import { drizzle } from 'drizzle-orm/d1'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { operatorStore } from '../../src/admin/operator-store.ts'
import { app } from '../../src/app.ts'
import { readSessions } from '../../src/publishing/sessions.ts'
import { openPublishedStore, saveSessionPublishing } from '../../src/publishing/settings.ts'
import { savePublicPages } from '../../src/sign-up/public-pages.ts'
import { publicPages } from '../../src/store/sign-up-tables.ts'
import { everything } from '../examples/everything.ts'
import { openEvent, origin } from '../public/site.ts'
import { newWriter } from '../resources/writing.ts'
import { large, runs } from '../runs.ts'

type Item = {
  state: 'updated' | 'deleted'
  kind: string
  id: string
  modified: number
  data?: Record<string, unknown>
}

type FeedPage = { next: string; items: Item[]; license: string }

/** An event that is a session in the feed. */
const session = { ...openEvent, tags: ['Walking', 'Outdoors'] }

/** An organisation that publishes its sessions. */
async function newPublisher() {
  const organisation = await newWriter(null)
  const { id } = organisation
  const store = operatorStore(env.DB, id)
  await drizzle(env.DB)
    .insert(publicPages)
    .values({ organisationId: id, enabled: 1, settings: '{"privacyNotice":"https://oak.test/p"}' })
  await saveSessionPublishing(store, true)
  const visit = (path: string, headers: Record<string, string> = {}) =>
    app.request(
      new URL(path, `${origin}/o/${id}/`).href,
      { headers: { 'CF-Connecting-IP': crypto.randomUUID(), ...headers } },
      env,
    )
  const readPage = async (path: string) => {
    const response = await visit(path)
    expect(response.status).toBe(200)
    return response.json<FeedPage>()
  }
  return {
    ...organisation,
    store,
    visit,
    readPage,
    putEvents: (...events: ({ eventId: string } & Record<string, unknown>)[]) =>
      organisation.put(
        'events',
        events.map((event) => ({ id: event.eventId, document: { ...session, ...event } })),
      ),
    follower: () => newFollower(`${origin}/o/${id}/openactive/sessions`, readPage),
  }
}

/** Somebody who follows a feed as OpenActive says. */
function newFollower(start: string, readPage: (address: string) => Promise<FeedPage>) {
  const copy = new Map<string, Record<string, unknown>>()
  let address = start
  let last = { modified: 0, id: '' }
  /** Reads the next page; false if it was the last. */
  const readNext = async (): Promise<boolean> => {
    const { next, items } = await readPage(address)
    for (const { state, kind, id, modified, data } of items) {
      const isLater = modified > last.modified || (modified === last.modified && id > last.id)
      expect(isLater).toBe(true)
      last = { modified, id }
      if (state === 'deleted') copy.delete(`${kind} ${id}`)
      else copy.set(`${kind} ${id}`, data ?? {})
    }
    const isLast = next === address
    expect(isLast).toBe(items.length === 0)
    address = next
    return !isLast
  }
  return {
    copy,
    readNext,
    async catchUp() {
      while (await readNext());
      return [...copy.values()]
    },
  }
}

/** The JSON-LD of a page. */
const parseData = (page: string) =>
  JSON.parse(/<script type="application\/ld\+json">([^<]*)<\/script>/.exec(page)?.[1] ?? 'null')

test('an organisation that does not publish its sessions answers as one that does not exist', async () => {
  const { store, visit, putEvents } = await newPublisher()
  await putEvents({ eventId: 'a' })
  const switches = [
    () => saveSessionPublishing(store, false),
    async () => {
      await saveSessionPublishing(store, true)
      await savePublicPages(store, { name: '', fields: [] }, { enabled: false, settings: {} })
    },
  ]
  for (const switchOff of switches) {
    await switchOff()
    for (const path of [
      'openactive',
      'openactive/sessions',
      'openactive/sessions?afterTimestamp=1',
    ]) {
      const off = await visit(path)
      const unknown = await app.request(`${origin}/o/nobody/${path}`, {}, env)
      expect([off.status, await off.text()]).toEqual([404, await unknown.text()])
      expect(unknown.status).toBe(404)
    }
  }
})

test('a session and a series with its dates are in the feed, as OpenActive describes them', async () => {
  const { id, visit, readPage, putEvents } = await newPublisher()
  await putEvents(
    { eventId: 'walk', name: 'Winter Walk' },
    { eventId: 'weekly', name: 'Weekly Walk', start: '2096-01-01T10:00:00.000Z', end: null },
    { eventId: 'date', name: 'Weekly Walk', parentEventId: 'weekly' },
    { eventId: 'untagged', tags: ['Outdoors'] },
    { eventId: 'nowhere', venue: {} },
    { eventId: 'unknown-price', bookingDetails: { ...session.bookingDetails, free: false } },
    { eventId: 'momentary', end: session.start },
  )
  const address = `${origin}/o/${id}`
  const { items, next, license } = await readPage('openactive/sessions')
  const last = items.at(-1)
  expect(next).toBe(
    `${address}/openactive/sessions?afterTimestamp=${last?.modified}&afterId=${last?.id}`,
  )
  expect(license).toBe('https://creativecommons.org/licenses/by/4.0/')
  const published = items.flatMap(({ state, kind, data }) =>
    state === 'updated' ? [[kind, data]] : [],
  )
  const activity = [
    {
      '@type': 'Concept',
      '@id': 'https://openactive.io/activity-list#95092977-5a20-4d6e-b312-8fddabe71544',
      prefLabel: 'Walking',
      inScheme: 'https://openactive.io/activity-list',
    },
  ]
  const shared = {
    location: { '@type': 'Place', name: 'Larkwell Mill', address: 'Tannery Row, LS10 1LT' },
    offers: [{ '@type': 'Offer', price: 0, priceCurrency: 'GBP' }],
    isAccessibleForFree: true,
    maximumAttendeeCapacity: 20,
    description: 'Bring a friend.',
  }
  const series = { '@type': 'SessionSeries', ...shared, activity, category: session.tags }
  expect(published).toHaveLength(3)
  expect(published).toEqual(
    expect.arrayContaining([
      [
        'ScheduledSession',
        expect.objectContaining({
          '@context': 'https://openactive.io/',
          '@type': 'ScheduledSession',
          '@id': `${address}/events/walk`,
          url: `${address}/events/walk`,
          name: 'Winter Walk',
          startDate: '2096-12-15T14:00:00Z',
          endDate: '2096-12-15T16:00:00Z',
          duration: 'PT120M',
          ...shared,
          superEvent: expect.objectContaining({ ...series, name: 'Winter Walk' }),
        }),
      ],
      [
        'SessionSeries',
        expect.objectContaining({
          '@context': 'https://openactive.io/',
          ...series,
          name: 'Weekly Walk',
          eventSchedule: [
            { '@type': 'PartialSchedule', startTime: '10:00', scheduleTimezone: 'Europe/London' },
          ],
        }),
      ],
    ]),
  )
  const [, weekly] = published.find(([kind]) => kind === 'SessionSeries') ?? []
  expect(published).toContainEqual([
    'ScheduledSession',
    expect.objectContaining({
      '@id': `${address}/events/date`,
      superEvent: Object(weekly)['@id'],
    }),
  ])
  const dataset = await visit('openactive')
  const page = await dataset.text()
  expect([dataset.status, dataset.headers.get('Content-Type')]).toEqual([
    200,
    expect.stringContaining('text/html'),
  ])
  expect(parseData(page)).toMatchObject({
    '@type': 'Dataset',
    '@id': `${address}/openactive`,
    license,
    distribution: ['SessionSeries', 'ScheduledSession'].map((name) => ({
      name,
      contentUrl: `${address}/openactive/sessions`,
    })),
  })
})

test('pages may be stored for a stated time, and have an ETag that follows changes', async () => {
  const { visit, readPage, putEvents, put } = await newPublisher()
  await putEvents({ eventId: 'a' })
  const page = await visit('openactive/sessions')
  const { next } = await page.json<FeedPage>()
  expect(Object.fromEntries(page.headers)).toMatchObject({
    'access-control-allow-origin': '*',
    'cache-control': 'public, max-age=3600',
    'content-type': 'application/vnd.openactive.rpde+json; version=1',
  })
  const etag = page.headers.get('ETag') ?? ''
  const known = await visit('openactive/sessions', { 'If-None-Match': etag })
  expect([known.status, known.headers.get('Cache-Control')]).toEqual([304, 'public, max-age=8'])
  const kept = await visit('openactive/sessions')
  expect([kept.headers.get('ETag'), kept.headers.get('Cache-Control')]).toEqual([
    etag,
    'public, max-age=3600',
  ])
  const last = await visit(next)
  expect(last.headers.get('Cache-Control')).toBe('public, max-age=8')
  expect(await last.json()).toEqual(await readPage(next))
  await put('events', [{ id: 'a', document: { ...session, eventId: 'a', name: 'Changed' } }])
  const changed = await visit('openactive/sessions', { 'If-None-Match': etag })
  expect(await changed.text()).toContain('Changed')
  const far = `openactive/sessions?afterTimestamp=${2 ** 40}&afterId=x`
  expect((await readPage(far)).items).toEqual([])
  expect((await visit('openactive/sessions?afterTimestamp=soon')).status).toBe(400)
})

/** A text that must not become public. */
const secret = 'Xylophonia'

/** Adds the secret to every text of a document besides the properties with these paths. */
function plant(value: unknown, isPublic: RegExp, path = ''): unknown {
  if (typeof value === 'string' && !isPublic.test(path)) return `${value}${secret}`
  if (Array.isArray(value)) return value.map((item) => plant(item, isPublic, path))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      plant(part, isPublic, path === '' ? name : `${path}.${name}`),
    ]),
  )
}

test('nothing private of events, bookings and contacts is in a feed or the data of a page', async () => {
  const { visit, put, readPage } = await newPublisher()
  const document = {
    ...everything.events?.document,
    ...session,
    bookingDetails: {
      ...Object(everything.events?.document).bookingDetails,
      ...session.bookingDetails,
      privateEvent: false,
      closed: false,
    },
    concluded: null,
  }
  const structural = 'start|end|created|updated|concluded'
  const shown =
    /^(?:eventId|name|tags|bookingDetails\.description|venue\.(?:name|address|postcode))$/
  const shownOrTime = new RegExp(`${shown.source}|^(?:${structural})$`)
  const onlyTimes = new RegExp(`^(?:${structural})$`)
  const open = Object(plant(document, shownOrTime))
  const hidden = Object(plant(document, onlyTimes))
  await put('events', [
    { id: 'open', document: { ...open, eventId: 'open', parentEventId: `hidden${secret}` } },
    {
      id: `hidden${secret}`,
      document: {
        ...hidden,
        eventId: `hidden${secret}`,
        parentEventId: null,
        bookingDetails: { ...hidden.bookingDetails, privateEvent: true },
      },
    },
  ])
  for (const collection of ['bookings', 'members'])
    await put(collection, [
      {
        id: `b${secret}`,
        document: { ...Object(plant(everything[collection]?.document, /^$/)), eventId: 'open' },
      },
    ])
  const { items } = await readPage('openactive/sessions')
  expect(items.map(({ state }) => state)).toContain('updated')
  expect(JSON.stringify(items)).not.toContain(secret)
  const page = await visit('events/open')
  expect(JSON.stringify(parseData(await page.text()))).not.toContain(secret)
  expect(await (await visit('openactive')).text()).not.toContain(secret)
  const calendar = await (await visit('events.ics')).text()
  expect([calendar.includes('BEGIN:VEVENT'), calendar.includes(secret)]).toEqual([true, false])
})

const ids = ['a', 'b', 'c'] as const

const { bookingDetails } = session

/** States of an event, of which the last ones hide it. */
const states = {
  open: {},
  later: { start: '2097-01-01T00:00:00.000Z', end: '2097-01-01T01:00:00.000Z' },
  cancelled: { bookingDetails: { ...bookingDetails, closed: true }, bookable: false },
  private: { bookingDetails: { ...bookingDetails, privateEvent: true } },
  concluded: { concluded: '2026-01-01T00:00:00.000Z' },
  over: { start: '2025-01-01T00:00:00.000Z', end: '2025-01-01T01:00:00.000Z' },
} as const

type Change = {
  action: 'put' | 'delete' | 'restore'
  id: (typeof ids)[number]
  /** The series of an event that is put. */
  series: (typeof ids)[number] | null
  state: keyof typeof states
  /** Whether the follower reads on after the change. */
  follows: boolean
}

const change: fc.Arbitrary<Change> = fc.record({
  action: fc.constantFrom('put', 'put', 'put', 'delete', 'restore'),
  id: fc.constantFrom(...ids),
  series: fc.constantFrom(null, ...ids),
  state: fc.constantFrom('open', 'open', 'open', ...(Object.keys(states) as Change['state'][])),
  follows: fc.boolean(),
})

const put = (id: Change['id'], series: Change['series'] = null): Change => ({
  action: 'put',
  id,
  series,
  state: 'open',
  follows: true,
})
const remove = (id: Change['id']): Change => ({ ...put(id), action: 'delete' })

/** Changes that make an event a series, and back. */
const examples: [Change[]][] = [
  [[put('a'), put('b', 'a'), remove('b')]],
  [[put('a'), put('b', 'a'), put('b')]],
  [[put('a'), put('c'), put('b', 'a'), put('b', 'c')]],
  [[put('b', 'a'), put('a'), remove('b'), { ...put('b'), action: 'restore' }]],
  [[put('a'), { ...remove('a'), follows: false }, { ...put('a'), action: 'restore' }]],
]

/** What a follower needs to know of an event, from the feed and from its page. */
const essentials = ({
  name,
  startDate,
  endDate,
  url,
  location,
  offers,
  description,
}: Record<string, unknown>) => ({
  ...{ name, startDate, endDate, url, location, offers, description },
})

test('what a follower has equals what is public now, while events change', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 2, maxLength: 12 }), async (changes) => {
      const { send, visit, putEvents, follower } = await newPublisher()
      const early = follower()
      for (const { action, id, series, state, follows } of changes) {
        if (action === 'put') {
          const parentEventId = series === id ? null : series
          await putEvents({ eventId: id, parentEventId, name: `Event ${id}`, ...states[state] })
        } else if (action === 'delete') await send('DELETE', `/events/${id}?$cascade=true`)
        else {
          const { versions = [] } = await (await send('GET', `/events/${id}/$versions`)).json<{
            versions?: { version: number }[]
          }>()
          const version = versions[0]?.version
          if (version !== undefined) await send('POST', `/events/${id}/$restore`, { version })
        }
        if (follows) await early.catchUp()
      }
      const pages = await Promise.all(
        ids.map(async (id) => parseData(await (await visit(`events/${id}`)).text())),
      )
      const expected = pages
        .filter((data) => data !== null)
        .map((data) => [
          data['@type'] === 'Event' ? 'ScheduledSession' : 'SessionSeries',
          essentials(data),
        ])
      for (const one of [early, follower()]) {
        const copy = await one.catchUp()
        const found = copy.map((data) => [data['@type'], essentials(data)])
        expect(found).toHaveLength(expected.length)
        expect(found).toEqual(expect.arrayContaining(expected))
      }
    }),
    { ...runs(12), examples },
  )
})

test('a change between two pages reaches the follower, and a page costs the same in a large organisation', async () => {
  const { id, put, putEvents, send, follower } = await newPublisher()
  for (let from = 0; from < large; from += 1000)
    await putEvents(
      ...Array.from({ length: 1000 }, (_, index) => {
        const number = from + index
        const hasSeries = number % 10 !== 0
        return {
          eventId: `e${number}`,
          parentEventId: hasSeries ? `e${number - (number % 10)}` : null,
        }
      }),
    )
  for (let from = 0; from < large; from += 5000)
    await put(
      'bookings',
      Array.from({ length: 5000 }, (_, index) => ({
        id: `b${from + index}`,
        document: { bookingId: `b${from + index}` },
      })),
    )
  const published = openPublishedStore(env, id, 'sessions')
  const organiser = { name: 'Oak', address: origin }
  for (const [after, maxRows] of [
    [0, 2500],
    [large / 2, 2500],
    [large, 20],
  ] as const) {
    const before = published.cost.rowsRead
    await readSessions(published, organiser, after)
    expect([after, published.cost.rowsRead - before <= maxRows]).toEqual([after, true])
  }
  const reader = follower()
  for (let page = 0; page < 3; page++) await reader.readNext()
  await putEvents(
    { eventId: 'e1', parentEventId: 'e0', name: 'Changed on a page that was read' },
    { eventId: `e${large - 1}`, parentEventId: `e${large - 10}`, name: 'Changed on a later page' },
  )
  await send('DELETE', '/events/e2')
  await send('DELETE', `/events/e${large - 2}`)
  const copy = await reader.catchUp()
  expect(copy).toHaveLength(large - 2)
  expect(copy.filter(({ name }) => String(name).startsWith('Changed'))).toHaveLength(2)
  expect(
    copy.filter(({ url }) => ['e2', `e${large - 2}`].includes(String(url).split('/').at(-1) ?? '')),
  ).toEqual([])
}, 120_000)
