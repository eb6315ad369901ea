import { expect, test } from 'vitest'
import { hashHeadings, serialiseMapping } from '../../../src/import/mapping/mapping.ts'
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
        eventId: 'club',
        childEventId,
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
    'Record to change',
  ]
  expect(await hashHeadings(rest)).toBe(await hashHeadings(['Came', 'Name']))
})

test('a sign-in sheet marks the register and adds people who came, except those with the name of a member', async () => {
  const { take, all, schema, put } = await withEvents()
  await schema('members', [
    ...[{ id: 'Full Name', name: 'Full Name', label: 'Name', type: 'text', order: 0 }],
    ...[{ id: 'Email', name: 'Email', label: 'E-mail', type: 'email', order: 1 }],
  ])
  await put('members', [
    { id: 'm1', document: { memberId: 'm1', 'Full Name': 'Ann', Email: 'ann@b.org' } },
    { id: 'm2', document: { memberId: 'm2', 'Full Name': 'Cy', Email: 'cy@b.org' } },
  ])
  const text =
    'Name,E-mail,Came\nAnn,ann@b.org,Yes\nBo,bo@b.org,Yes\nBob,BO@b.org,Yes\nCý,,Yes\nDi,di@b.org,No\n'
  const how = { name, collection: 'bookings', event: 'club-1' }
  const { proposal } = await take(text, { ...how, writes: false })
  const mapping = { ...proposal.mapping, marksAttendance: true, addsMembers: true }
  const dry = await take(text, { ...how, mapping, writes: false })
  expect(dry.outcome).toMatchObject({ created: 5, addedMembers: 1 })
  expect(dry.outcome.unclearMembers).toEqual([
    { line: 5, name: 'Cý', members: [{ id: 'm2', name: 'Cy' }] },
  ])
  expect(await all('members')).toHaveLength(2)
  const { outcome } = await take(text, { ...how, mapping })
  expect(outcome).toMatchObject({ created: 5, addedMembers: 1, warnings: dry.outcome.warnings })
  const bo = (await all('members')).find((member) => member.Email === 'bo@b.org')
  expect(bo).toMatchObject({ 'Full Name': 'Bo' })
  const marked = (await all('bookings')).map(({ userName, memberId, orgStatus, attending }) =>
    [userName, memberId, orgStatus, attending].join(' '),
  )
  expect(marked).toEqual([
    'Ann m1 attended true',
    `Bo ${bo.memberId} attended true`,
    `Bob ${bo.memberId} attended true`,
    'Cý  attended true',
    'Di  absent false',
  ])
  const answers = { members: new Map([[5, 'm2']]) }
  expect((await take(text, { ...how, mapping, answers })).counts).toEqual([5, 0, 1, 4, 0])
  const again = await take(text, { ...how, mapping, answers: { members: new Map([[5, 'new']]) } })
  expect(again.counts).toEqual([5, 0, 1, 4, 0])
  expect(await all('members')).toHaveLength(4)
})
