import { expect, test } from 'vitest'
import { hashHeadings, serialiseMapping } from '../../../src/import/infer/mapping.ts'
import { taking } from './importing.ts'

const sheet = 'Name,E-mail,Came\nAnn,ann@b.org,Yes\nBo,bo@b.org,No\n'
const name = 'sign-in.csv'

async function withEvents() {
  const taken = await taking()
  await taken.put(
    'events',
    [
      { eventId: 'club', name: 'Lunch club', recurrence: { recurring: true } },
      { eventId: 'club-1', start: '2025-06-01T23:30:00.000Z', parentEventId: 'club' },
      { eventId: 'club-2', start: '2025-06-08T23:30:00.000Z', parentEventId: 'club' },
      { eventId: 'tea', name: 'Tea', start: '2025-12-01T10:00:00.000Z' },
    ].map((document) => ({ id: document.eventId, document })),
  )
  return taken
}

test('a sign-in sheet is rejected until its event is named, and then has its event and date', async () => {
  const { take, all } = await withEvents()
  const none = await take(sheet, { name, collection: 'bookings' })
  expect(none.counts).toEqual([2, 0, 0, 0, 2])
  expect(none.refused[0]).toEqual([
    2,
    'has no event. Which event was this for? Name it by --event, or in a column.',
  ])
  expect(none.proposal.missing.map(({ path }) => path)).toEqual(['eventId'])
  const named = await take(sheet, { name, collection: 'bookings', event: 'tea' })
  expect(named.counts).toEqual([2, 2, 0, 0, 0])
  expect(await all('bookings')).toMatchObject([
    { eventId: 'tea', date: '2025-12-01', name: 'Tea', userName: 'Ann', childEventId: null },
    { eventId: 'tea', date: '2025-12-01', name: 'Tea', userName: 'Bo', childEventId: null },
  ])
})

test.each([
  ['without numbers', sheet],
  ['with numbers from 1', 'Number,Name,Came\n1,Ann,Yes\n2,Bo,No\n'],
])(
  "next week's sheet %s is of other bookings, and this week's again of the same",
  async (_, text) => {
    const { take, all } = await withEvents()
    const how = { name, collection: 'bookings' }
    const first = await take(text, { ...how, event: 'club-1' })
    const mapping = JSON.parse(
      serialiseMapping({ ...first.proposal.mapping, same: { eventId: 'x' } }),
    )
    expect(mapping.same).toEqual({})
    expect((await take(text, { ...how, mapping, event: 'club-2' })).counts).toEqual([2, 2, 0, 0, 0])
    expect((await take(text, { ...how, mapping, event: 'club-1' })).counts).toEqual([2, 0, 0, 2, 0])
    expect(await all('bookings')).toMatchObject(
      ['club-1', 'club-1', 'club-2', 'club-2'].map((childEventId) => ({
        ...{ eventId: 'club', childEventId },
        date: childEventId === 'club-1' ? '2025-06-02' : '2025-06-09',
      })),
    )
  },
)

test('a booking without an event in its row, or with the id of one for another event, is rejected', async () => {
  const { take, kept } = await withEvents()
  const text = 'Booking ID,Event ID,Name\nB1,tea,Ann\nB2,,Bo\n'
  const how = { name, collection: 'bookings' }
  expect((await take(text, how)).refused).toEqual([
    [3, 'Event ID has no event. Which event was this for?'],
  ])
  const other = await take(text.replace('tea', 'club'), how)
  expect(other.refused[0]).toEqual([
    2,
    'Booking ID is that of a booking for another event: choose another id.',
  ])
  expect(await kept('bookings', 'B1')).toMatchObject({ eventId: 'tea' })
  const { mapping } = other.proposal
  const chosen = other.rest.replace(/""\r\n/, '"B1"\r\n')
  expect((await take(chosen, { ...how, mapping })).counts).toEqual([2, 0, 1, 0, 1])
})

test('files of one kind are recognised by their headings, for any event', async () => {
  const rest = [
    ...['Name', 'Came', 'Line in the file', 'Why it was not imported'],
    'Record to change (its id, or new)',
  ]
  expect(await hashHeadings(rest)).toBe(await hashHeadings(['Came', 'Name']))
})
