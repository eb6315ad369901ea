import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { AccessPolicy } from '../../src/access/access-policy.ts'
import type { Restrictions } from '../../src/access/restrictions.ts'
import type { Author } from '../../src/model/author.ts'
import { showsAttendance } from '../../src/resources/routes/add-not-marked.ts'
import { readAttendance } from '../../src/sign-up/who-came.ts'
import { trustedStore } from '../../src/store/trusted-store.ts'
import { putRecords } from '../../src/store/write/put.ts'
import { everything } from '../examples/everything.ts'
import { openOData } from '../odata/service.ts'
import { expectOrganisationIndex, rows } from '../store/whole-index.ts'
import { newSignedIn } from './signed-in.ts'

const signUp: Author = { by: 'public page' }
const dashboard: Author = { by: 'person', name: 'ana@example.org', through: 'dashboard' }
const dashboardImport: Author = { ...dashboard, import: 1 }
const api: Author = { by: 'key', id: 'key-1' }

const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

/** Writes the last document of a deleted booking again, as an author does. */
async function restoreAs(organisationId: string, bookingId: string, author: Author) {
  const [deletion] = await rows(
    `SELECT replaced FROM history WHERE organisation_id = ? AND collection = 'bookings' AND id = ?
      AND change = 'deleted' ORDER BY version DESC LIMIT 1`,
    organisationId,
    bookingId,
  )
  const document = String(deletion?.replaced)
  await putRecords(env.DB, organisationId, 'bookings', [{ id: bookingId, document }], author)
}

/** The number of bookings that pass a condition, by `$summary`, `$apply` and the list. */
async function countThroughApi(
  organisation: Pick<Awaited<ReturnType<typeof newSignedIn>>, 'id' | 'key' | 'json'>,
  condition: string,
) {
  const $filter = encodeURIComponent(condition)
  const { total } = await organisation.json<{ total: { count: number } }>(
    `/bookings/$summary?$filter=${$filter}`,
  )
  const apply = encodeURIComponent(`filter(${condition})/aggregate($count as N)`)
  const applied = await openOData(organisation).json(`Bookings?$apply=${apply}`)
  const listed = await organisation.json<{ total: number }>(
    `/bookings?$count=true&$top=0&$filter=${$filter}`,
  )
  return [total.count, applied.value[0]?.N, listed.total]
}

/** An organisation with a past event of each id, and a function to book them. */
async function withEvents(...eventIds: string[]) {
  const person = await newSignedIn('editor')
  const { id } = person
  await person.schema('members', [
    { id: 'Full Name', name: 'Full Name', label: 'Full name', type: 'text', order: 0 },
  ])
  const member = { memberId: 'ada', 'Full Name': 'Ada Obi' }
  await person.put('members', [{ id: 'ada', document: member }])
  await person.put(
    'events',
    eventIds.map((eventId) => ({
      id: eventId,
      document: {
        ...everything.events?.document,
        eventId,
        managedBy: id,
        parentEventId: null,
        start: `${day(-3)}T12:00:00.000Z`,
      },
    })),
  )
  let count = 0
  return {
    ...person,
    /** Books the member on an event, as an author does, and returns the booking's id. */
    async book(eventId: string, author: Author, values: object = {}) {
      const bookingId = `b-${++count}`
      const document = {
        ...everything.bookings?.document,
        bookingId,
        managedBy: id,
        eventId,
        childEventId: null,
        memberId: 'ada',
        userName: 'Ada Obi',
        orgStatus: '',
        attending: true,
        date: day(-3),
        ...values,
      }
      await putRecords(
        env.DB,
        id,
        'bookings',
        [{ id: bookingId, document: JSON.stringify(document) }],
        author,
      )
      return bookingId
    },
    mark: (eventId: string, booking: string, came: string) =>
      person.post(`/events/${eventId}/mark`, [
        ['booking', booking],
        ['came', came],
        ['key', crypto.randomUUID()],
      ]),
    /** The heading of the report on attendances. */
    async report(query = '') {
      const html = await person.html(`/reports/view?$count=attendances&$by=eventId${query}`)
      const [, heading = ''] = /<p class="headline">(.*?)<\/p>/s.exec(html) ?? []
      const condition = query.replace(/^&date~from=/, ' and date ge ')
      const numbers = await countThroughApi(person, `came eq true${condition}`)
      const [, attendances] = /<strong>(\d+)/.exec(heading) ?? []
      expect(numbers).toEqual([0, 1, 2].map(() => Number(attendances)))
      const [, notMarked] = /<span>(\d+) bookings? that nobody has marked</.exec(html) ?? []
      return `${heading}${notMarked ? ` ${notMarked} not marked` : ''}`
        .replaceAll(/<[^>]*>/g, '')
        .replaceAll(/\s+/g, ' ')
        .trim()
    },
    /** What the pages of the member and of an event say. */
    async pages(eventId: string) {
      const [member, event] = await Promise.all([
        person.html('/records/members/ada'),
        person.html(`/records/events/${eventId}`),
      ])
      const textOf = (html: string, start: string) =>
        (html.slice(html.indexOf(start)).split('</section>')[0] ?? '')
          .replaceAll(/<[^>]*>/g, ' ')
          .replaceAll(/\s+/g, ' ')
      return {
        member: textOf(member, 'id="bookings"'),
        event: textOf(event, '<h2> Bookings').concat(textOf(event, '<h2>Bookings')),
      }
    },
  }
}

test('bookings made here count when somebody marks them', async () => {
  const { book, mark, report, pages, html } = await withEvents('lunch')
  const first = await book('lunch', signUp)
  await book('lunch', dashboard)
  await book('lunch', signUp, { userStatus: 'cancelled', attending: false })
  expect(await report()).toBe('0 attendances 2 not marked')
  const before = await pages('lunch')
  expect(before.member).toContain('2 not marked')
  expect(before.member).not.toContain('Came')
  expect(before.event).toContain('2 not marked')
  expect(await html('/reports')).toContain('2 not marked')
  expect(await html('/records/bookings')).toMatch(/Not marked.*Not marked.*Cancelled/s)
  await mark('lunch', first, 'true')
  expect(await report()).toBe('1 attendance 1 not marked')
  expect((await pages('lunch')).member).toContain('Came to 1 of 1, 1 not marked')
  expect((await pages('lunch')).event).toContain('1 came, 1 not marked')
})

test('bookings of another system count as it says until somebody takes the register', async () => {
  const { book, mark, report, pages, html, id } = await withEvents('fair', 'quiz')
  const [first = ''] = [
    await book('fair', api),
    await book('fair', dashboardImport, { userStatus: 'waiting' }),
    await book('fair', api, { attending: false }),
    await book('quiz', api),
    await book('quiz', signUp),
    await book('quiz', api, { date: day(3) }),
  ]
  expect(await report()).toBe('3 attendances 1 not marked')
  expect((await pages('fair')).member).toContain('Came to 3 of 4, 1 not marked, 1 to come')
  await mark('fair', first, 'false')
  expect(await report()).toBe('1 attendance 2 not marked')
  expect((await pages('fair')).event).toContain('1 not marked')
  expect(await report(`&date~from=${day(-2)}`)).toBe('0 attendances')
  await mark('fair', first, 'null')
  expect(await report()).toBe('3 attendances 1 not marked')
  expect(await html('/records/bookings')).toMatch(/Came.*Came.*Did not come.*Came.*Not marked/s)
  await expectOrganisationIndex(id)
})

test('a booking of the dashboard that only says it waits is not on the waiting list', async () => {
  const { book, id } = await withEvents('lunch')
  const values = { userStatus: 'waiting', attending: false }
  const bookingId = await book('lunch', dashboard, values)
  const store = trustedStore(env.DB, id, dashboard)
  const booking = { bookingId, eventId: 'lunch', date: day(-3), ...values }
  const attendance = await readAttendance(store, [booking], day(0))
  expect(attendance.get(bookingId)).toBe('cancelled')
})

test('the register of a date says nothing of the other dates', async () => {
  const { book, mark, report, put, id } = await withEvents('series')
  const dates = ['one', 'two'].map((eventId) => ({
    id: eventId,
    document: {
      ...everything.events?.document,
      eventId,
      managedBy: id,
      parentEventId: 'series',
      start: `${day(-3)}T12:00:00.000Z`,
    },
  }))
  await put('events', dates)
  const first = await book('series', api, { childEventId: 'one' })
  await book('series', api, { childEventId: 'one' })
  await book('series', api, { childEventId: 'two' })
  await mark('one', first, 'true')
  expect(await report()).toBe('2 attendances 1 not marked')
})

test('deleting a booking that was made here clears its entry of the index', async () => {
  const { book, id } = await withEvents('lunch')
  const bookings = [await book('lunch', signUp), await book('lunch', dashboard)]
  await expectOrganisationIndex(id)
  for (const bookingId of bookings) {
    await env.DB.prepare(
      "DELETE FROM records WHERE organisation_id = ? AND collection = 'bookings' AND id = ?",
    )
      .bind(id, bookingId)
      .run()
    await expectOrganisationIndex(id)
  }
  const terms = await rows(
    "SELECT count FROM terms WHERE organisation_id = ? AND field = '$madeHere'",
    id,
  )
  expect(terms).toEqual([])
})

test('a restored booking was still made where it was first made', async () => {
  const { book, post, report, id } = await withEvents('lunch')
  const imported = await book('lunch', api)
  const bulkImported = await book('lunch', dashboardImport)
  const made = await book('lunch', signUp)
  expect(await report()).toBe('2 attendances 1 not marked')
  const restoreWith = {
    dashboard: (bookingId: string) => post(`/records/bookings/${bookingId}/restore`, []),
    key: (bookingId: string) => restoreAs(id, bookingId, api),
  }
  for (const restore of [restoreWith.dashboard, restoreWith.key, restoreWith.dashboard]) {
    for (const bookingId of [imported, bulkImported, made]) {
      await env.DB.prepare(
        "DELETE FROM records WHERE organisation_id = ? AND collection = 'bookings' AND id = ?",
      )
        .bind(id, bookingId)
        .run()
      await restore(bookingId)
    }
    expect(await report()).toBe('2 attendances 1 not marked')
    await expectOrganisationIndex(id)
  }
})

test('reports count the dates of a series instead of the series', async () => {
  const { html, put, id } = await withEvents('series')
  await put('events', [
    {
      id: 'date',
      document: {
        ...everything.events?.document,
        eventId: 'date',
        managedBy: id,
        parentEventId: 'series',
      },
    },
  ])
  expect(await html('/reports/view?$count=events&$by=tags')).toContain('<strong>1</strong> event')
})

test('members are listed, downloaded and reported by the events that they came to', async () => {
  const { book, mark, html, put, post, visit, id } = await withEvents('lunch', 'choir', 'walk')
  const tagged = (eventId: string, tags: string[]) => ({
    id: eventId,
    document: { ...everything.events?.document, eventId, managedBy: id, parentEventId: null, tags },
  })
  await put('events', [tagged('lunch', ['Food']), tagged('choir', ['Singing']), tagged('walk', [])])
  await put('members', [
    { id: 'ben', document: { memberId: 'ben', 'Full Name': 'Ben Okafor' } },
    { id: 'cara', document: { memberId: 'cara', 'Full Name': 'Cara Quaye' } },
  ])
  await mark('lunch', await book('lunch', signUp), 'true')
  await book('choir', api, { date: day(-40) })
  await book('walk', api, { memberId: 'ben' })
  // Booked and not marked, absent, and still to come.
  await book('lunch', signUp, { memberId: 'cara' })
  await mark('lunch', await book('lunch', signUp, { memberId: 'cara' }), 'false')
  await book('walk', api, { memberId: 'cara', date: day(3) })
  const namesIn = (text: string) =>
    ['Ada Obi', 'Ben Okafor', 'Cara Quaye'].filter((name) => text.includes(name)).join()
  const found = async (query: string) => namesIn(await html(`/records/members?${query}`))
  expect(await found('booking.came~least=1')).toBe('Ada Obi,Ben Okafor')
  expect(await found('booking.came~least=2')).toBe('Ada Obi')
  expect(await found('booking.came~tag=Food')).toBe('Ada Obi')
  expect(await found('booking.came~tag=Food&booking.came~least=2')).toBe('')
  expect(await found(`booking.came~from=${day(-5)}&Full Name~contains=okafor`)).toBe('Ben Okafor')
  expect(await found(`booking.came~to=${day(-5)}`)).toBe('Ada Obi')
  expect(await found('booking.came~least=0')).toBe('Ada Obi,Ben Okafor,Cara Quaye')

  const twice = 'booking.came~least=2'
  const panel = await html(`/records/members?${twice}&$panel=filter`)
  expect(panel).toContain('>Came to an event at least 2 times</a>')
  expect(panel).toContain('<option value="Singing">')
  const csv = await visit(`/records/csv/members?${twice}`)
  expect(namesIn(await csv.text())).toBe('Ada Obi')
  const saved = await post('/views', [
    ['page', 'records/members'],
    ['query', twice],
    ['name', 'Regulars'],
  ])
  expect(namesIn(await (await visit(savedPath(saved))).text())).toBe('Ada Obi')
  const report = await html('/reports/view?$count=members&booking.came~least=1')
  expect(report).toContain('<strong>2</strong> members')
  expect(report).not.toContain('value="booking.came~month"')
  expect(await html('/records/volunteers?$panel=filter')).not.toContain('Came to an event')
})

test('reports and filters name records, even missing ones', async () => {
  const { book, html } = await withEvents('lunch')
  await book('lunch', api)
  await book('gone-event', api)
  const report = await html('/reports/view?$count=bookings&$by=eventId&eventId=gone-event')
  expect(report).toContain('Unknown event')
  expect(await html('/records/bookings?eventId=gone-event')).toContain('>Event: Unknown event<')
  for (const shown of [report.replaceAll(/="[^"]*"/g, ''), report.replace(/<[^>]*>/g, ' ')])
    expect(shown).not.toContain('gone-event')
  expect(await html('/reports/view?$count=members')).not.toContain('value="memberId"')
})

/** The path of a saved view within the organisation, from the answer that saved it. */
const savedPath = (answer: Response) =>
  String(answer.headers.get('Location')).replace(/^.*?(?=\/records)/, '')

test.each<[Restrictions, boolean]>([
  [{}, true],
  [{ hideFields: ['userEmail'] }, true],
  [{ hideFields: ['memberId'] }, false],
  [{ hideFields: ['orgStatus'] }, false],
  [{ collections: ['members', 'events'] }, false],
])('with the restrictions %o, members have a filter for who came: %o', (restrictions, isShown) => {
  expect(showsAttendance({ policy: new AccessPolicy(restrictions) })).toBe(isShown)
})
