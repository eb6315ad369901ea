import { env } from 'cloudflare:workers'
import { expect, test, vi } from 'vitest'
import type { Field } from '../../src/model/properties/schema.ts'
import { everything, putEverything } from '../examples/everything.ts'
import { rowsRead } from '../organisation.ts'
import { newSignedIn } from './signed-in.ts'

const fields: Field[] = [
  { id: 'Full Name', name: 'Full Name', label: 'Full name', type: 'text', order: 0 },
  { id: 'Phone', name: 'Phone', label: 'Phone', type: 'phone', order: 1 },
  { id: 'Consent', name: 'Consent', label: 'Consent', type: 'boolean', order: 2 },
  { id: 'Age', name: 'Age', label: 'Age', type: 'number', order: 3 },
  { id: 'Joined', name: 'Joined', label: 'Joined', type: 'date', order: 4 },
  { id: 'Tags', name: 'Tags', label: 'Tags', type: 'tags', order: 5 },
]

type Member = Record<string, unknown>

/** A person signed in to an organisation with some members. */
async function withMembers(members: readonly Member[]) {
  const person = await newSignedIn()
  await person.schema('members', fields)
  await person.put(
    'members',
    members.map((values, index) => ({
      id: `m-${index}`,
      document: { memberId: `m-${index}`, ...values },
    })),
  )
  return person
}

const people: Member[] = [
  { 'Full Name': 'Amara Abara', Phone: '0113 496 0000', Age: 40, Consent: true, Tags: ['Food'] },
  { 'Full Name': 'Ben Okafor', Consent: false, Joined: '2026-03-14', Tags: ['Food', 'Music'] },
  { 'Full Name': 'Cara Quaye', Age: 1250, Joined: '2026-07-01' },
]

/** A person signed in to an organisation with bookings of two events. */
async function withBookings() {
  const person = await newSignedIn()
  await putEverything(person)
  const managedBy = person.id
  await person.put(
    'events',
    ['Lunch club', 'Choir'].map((name, index) => ({
      id: `e-${index}`,
      document: {
        ...everything.events?.document,
        ...{
          eventId: `e-${index}`,
          managedBy,
          name,
          tags: [name === 'Choir' ? 'Singing' : 'Lunch'],
        },
      },
    })),
  )
  const names = ['Ada Obi', '=cmd()', 'Zoë & <i>']
  await person.put(
    'bookings',
    names.map((userName, index) => ({
      id: `b-${index}`,
      document: {
        ...everything.bookings?.document,
        bookingId: `b-${index}`,
        managedBy,
        userName,
        eventId: `e-${index % 2}`,
        date: `2026-07-0${index + 1}`,
        userStatus: 'not-attending',
        customPrice: 1.5,
      },
    })),
  )
  return person
}

/** The row headers of a list page in order. */
const rowsOf = (page: string) =>
  [...page.matchAll(/<th scope="row"><a [^>]*>([^<]*)<\/a>/g)].map(([, text]) => text)

const captionOf = (page: string) => /<caption>([^<]*)/.exec(page)?.[1]

test.each([
  ['', ['Amara Abara', 'Ben Okafor', 'Cara Quaye'], '3 members'],
  ['Consent=Yes', ['Amara Abara'], '1 of 3 members'],
  ['Consent=No', ['Ben Okafor'], '1 of 3 members'],
  ['Age=1%2C250', ['Cara Quaye'], '1 of 3 members'],
  ['Age~to=100', ['Amara Abara'], '1 of 3 members'],
  ['Joined=14+Mar+2026', ['Ben Okafor'], '1 of 3 members'],
  ['Joined~from=1+Jul+2026', ['Cara Quaye'], '1 of 3 members'],
  ['Joined=', ['Amara Abara'], '1 of 3 members'],
  ['Tags=food', ['Amara Abara', 'Ben Okafor'], '2 of 3 members'],
  ['Tags=Music&Consent=Yes&Consent=No', ['Ben Okafor'], '1 of 3 members'],
  ['Full+Name~contains=QUAY', ['Cara Quaye'], '1 of 3 members'],
  ['$search=0113+496', ['Amara Abara'], '1 of 3 members'],
  ['$search=okafor&Tags=Music', ['Ben Okafor'], '1 of 3 members'],
  ['$orderby=Full+Name+desc', ['Cara Quaye', 'Ben Okafor', 'Amara Abara'], '3 members'],
  ['memberId=m-1', ['Ben Okafor'], '1 of 3 members'],
])('a list with %s shows these members and the total', async (query, names, caption) => {
  const { html } = await withMembers(people)
  const page = await html(`/records/members?${query}`)
  expect(rowsOf(page)).toEqual(names)
  expect(captionOf(page)).toBe(caption)
})

test('filters are chips in words that link to the list without them', async () => {
  const { html } = await withMembers(people)
  const page = await html('/records/members?Consent=Yes&Age~from=18&$orderby=Age&$search=am')
  expect(page).toContain('aria-label="Remove filter: Consent: Yes"')
  expect(page).toContain('href="?Age%7Efrom=18&amp;%24search=am&amp;%24orderby=Age"')
  expect(page).toMatch(/<th scope="col" class="number" aria-sort="ascending">/)
  expect(page).toContain('Age, largest first')
})

test('wrong filters and costly queries are explained beside the list', async () => {
  const { html, visit } = await withMembers(people)
  const page = await html('/records/members?Fullname=x&Age=old&Consent=Yes')
  expect(page).toContain('Fullname: This list has no such field.')
  expect(page).toContain('Age: “old” is not a number, such as 1,250.')
  expect(rowsOf(page)).toEqual(['Amara Abara'])
  const refused = await visit(`/records/members?Full+Name~contains=${'é'.repeat(200)}`)
  expect(refused.status).toBe(200)
  expect(await refused.text()).toContain('These filters are too much for one list.')
  expect(await html('/records/members?Age=7')).toContain('None of 3 members matches.')
  expect(await html('/records/volunteers')).toContain('There are no volunteers yet.')
})

test('an empty list offers to add a record with the article that its name needs', async () => {
  const { html } = await newSignedIn('editor')
  expect(await html('/records/events')).toContain('>Add an event</a>')
  expect(await html('/records/volunteers')).toContain('>Add a volunteer</a>')
})

test('the filter panel counts values among the records that pass the other filters', async () => {
  const { html, visit } = await withMembers(people)
  const page = await html('/records/members?Consent=No&$panel=filter')
  const choice = (value: string, label: string, count: number, checked = '') =>
    `value="${value}"${checked}/><span>${label}</span><span class="number">${count}</span>`
  expect(page).toContain(choice('true', 'Yes', 1))
  expect(page).toContain(choice('false', 'No', 1, ' checked=""'))
  expect(page).toContain(choice('', 'No value', 1))
  expect(page).toContain(choice('Music', 'Music', 1))
  expect(page).toContain('name="Joined~period" value="last-quarter"')
  expect(page).not.toContain('name="Age~from"')
  expect(await html('/records/members?$field=Age')).toContain('name="Age~from"')
  // A form without a script sends its empty fields too.
  const sent = await visit(
    '/records/members?$search=&Joined~period=&Joined~from=&Tags~is=Food&Age~to=50&$orderby=Age',
  )
  expect(sent.status).toBe(303)
  expect(sent.headers.get('Location')).toMatch(
    /\/records\/members\?Tags=Food&Age%7Eto=50&%24orderby=Age$/,
  )
})

test('bookings show what people say, and filter by their event', async () => {
  const { html } = await withBookings()
  const page = await html(
    '/records/bookings?event.tags=Lunch&$columns=userName&$columns=eventId&$columns=date&$columns=userStatus&$columns=customPrice',
  )
  expect(captionOf(page)).toBe('2 of 4 bookings')
  expect(rowsOf(page)).toEqual(['Zoë &amp; &lt;i&gt;', 'Ada Obi'])
  expect(page).toMatch(/<a href="[^"]*\/records\/events\/e-0">Lunch club<\/a>/)
  for (const text of ['1 Jul 2026', 'Not attending', '£1.50', 'Event tags: Lunch'])
    expect(page).toContain(text)
  expect(await html('/records/bookings?userStatus=Not+attending')).toContain('3 of 4 bookings')
  expect(rowsOf(await html('/records/bookings?$search=obi'))).toEqual(['Ada Obi', 'Ada Obi'])
  const panel = await html('/records/bookings?$panel=filter&date~from=2026-07-01')
  expect(panel).toContain('value="Lunch"/><span>Lunch</span><span class="number">2</span>')
  expect(await html('/records/events?$columns=name&$columns=colour')).toContain('class="swatch"')
})

test('bookings are listed where the organisation has no schema of members', async () => {
  const person = await newSignedIn()
  await person.put('bookings', [{ id: 'b', document: everything.bookings?.document ?? {} }])
  expect(captionOf(await person.html('/records/bookings'))).toBe('1 booking')
})

test('pages of a list contain every record once, in the order of the index', async () => {
  const values = ['b', 'a', 'c', null, 'a', 'b']
  const { html } = await withMembers(
    Array.from({ length: 130 }, (_, index) => ({
      Phone: `0113 496 ${1000 + index}`,
      ...(values[index % 6] && { 'Full Name': values[index % 6] }),
    })),
  )
  const ids: string[] = []
  let path: string | undefined = '/records/members?$orderby=Full+Name+desc&$size=50'
  let pages = 0
  while (path) {
    const page: string = await html(path)
    pages++
    expect(page).toContain(`Page ${pages} of 3`)
    ids.push(...[...page.matchAll(/name="id" value="(m-\d+)"/g)].map(([, id]) => String(id)))
    const next: string | undefined = /href="(\?[^"]*)" rel="next"/.exec(page)?.[1]
    path = next && `/records/members${next.replaceAll('&amp;', '&')}`
  }
  expect(new Set(ids).size).toBe(130)
  const order = ids.map((id) => values[Number(id.slice(2)) % 6])
  // Records without a value come last.
  expect([...new Set(order)]).toEqual(['c', 'b', 'a', null])
})

test('a page reads two rows for each record, eight for each one skipped, and 4,000 more', async () => {
  const count = 3000
  const { visit, html } = await withMembers(
    Array.from({ length: count }, (_, index) => ({
      'Full Name': `Ada ${index % 1000}`,
      Consent: index % 2 === 0,
      Age: index % 80,
    })),
  )
  for (const path of [
    '/records/members?$size=100',
    '/records/members?$size=100&$offset=400',
    '/records/members?Age=7',
    '/records/members?Consent=Yes&$offset=400',
    '/records/members?Consent=Yes&Age=7',
    '/records/members?$orderby=Age+desc&$size=100',
    '/records/members?Consent=Yes&$panel=filter',
  ]) {
    const page = await visit(path)
    expect([path, page.status]).toEqual([path, 200])
    const { searchParams } = new URL(path, 'https://data.test')
    const size = Number(searchParams.get('$size') ?? 25)
    const offset = Number(searchParams.get('$offset') ?? 0)
    expect(rowsRead(page), path).toBeLessThanOrEqual(2 * size + 8 * offset + 4000)
  }
  // A link to the next page skips nothing.
  const next = /href="(\?[^"]*)" rel="next"/.exec(await html('/records/members?$offset=2000'))
  const page = await visit(`/records/members${next?.[1]?.replaceAll('&amp;', '&')}`)
  expect(rowsRead(page)).toBeLessThanOrEqual(1400)
  expect(await page.text()).toContain('2,026 to 2,050 of 3,000')
})

test('a list of people reads their schema in its own statement, and shows a changed one at once', async () => {
  const { id: organisationId, html } = await withMembers(people)
  const path = '/records/members?Age~from=41'
  expect(await html(path)).toContain('Cara Quaye')
  const prepare = vi.spyOn(env.DB, 'prepare')
  expect(await html(path)).toContain('Cara Quaye')
  const queries = prepare.mock.calls.map(([query]) => query)
  prepare.mockRestore()
  const readSchema = queries.filter((query) => query.includes('FROM schemas'))
  expect(readSchema.length).toBeGreaterThan(0)
  expect(readSchema.filter((query) => !query.includes('terms'))).toEqual([])
  const role: Field = { id: 'Role', name: 'Role', label: 'Role', type: 'text', order: 6 }
  const changedFields = JSON.stringify([...fields.filter(({ id }) => id !== 'Age'), role])
  await env.DB.prepare(
    "UPDATE schemas SET fields = ? WHERE organisation_id = ? AND kind = 'members'",
  )
    .bind(changedFields, organisationId)
    .run()
  const changed = await html(path)
  expect(changed).toContain('>Role</')
  expect(changed).toContain('Amara Abara')
})
