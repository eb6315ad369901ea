import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import type { Restrictions } from '../../../src/access/restrictions.ts'
import { createKey } from '../../keys.ts'
import { newOrganisation } from '../../organisation.ts'

const fields = [
  { id: 'Ward', name: 'Ward', label: 'Ward', type: 'text', order: 0 },
  { id: 'Born', name: 'Born', label: 'Born', type: 'date', order: 1 },
  { id: 'Photos', name: 'Photos', label: 'Photos', type: 'boolean', order: 2 },
  { id: 'Postcode', name: 'Postcode', label: 'Postcode', type: 'postcode', order: 3 },
]

const member = (id: string, Ward: string, Born: string, Photos?: boolean) => ({
  id,
  document: { memberId: id, Ward, Born, ...(Photos !== undefined && { Photos }) },
})

let number = 0

const booking = (memberId: string, date: string, eventId = 'lunch') => {
  const id = `booking-${++number}`
  return { id, document: { bookingId: id, memberId, eventId, date, orgStatus: 'attended' } }
}

const times = <Item>(count: number, make: () => Item) => Array.from({ length: count }, make)

let organisation: Awaited<ReturnType<typeof newOrganisation>>

beforeAll(async () => {
  organisation = await newOrganisation(fields)
  await organisation.put('members', [
    member('ada', 'Armley', '2005-06-15', true),
    member('ben', 'Armley', '1960-01-01', false),
    member('cat', 'Beeston', '2010-12-31'),
  ])
  await organisation.put('events', [
    { id: 'lunch', document: { eventId: 'lunch', name: 'Lunch', tags: ['Food'] } },
    { id: 'gala', document: { eventId: 'gala', name: 'Gala', tags: ['Food', 'Music'] } },
  ])
  await organisation.put('bookings', [
    ...times(3, () => booking('ada', '2026-04-02')),
    ...times(6, () => booking('ben', '2026-05-03')),
    ...times(2, () => booking('cat', '2026-05-04', 'gala')),
    booking('', '2026-05-05'),
    ...times(2, () => booking('ada', '2025-04-09')),
  ])
}, 60_000)

type Figures = Record<string, unknown>

const summarise = async (query: string, key = organisation.key) => {
  const response = await organisation.get(`/bookings/$summary?${query}`, {
    headers: { 'x-api-key': key },
  })
  type Body = { groups: Figures[]; total: Figures; withoutGroup?: Figures; described: string }
  return { response, body: await response.json<Body & { message: string }>() }
}

const thisYear = '$filter=date ge 2026-01-01 and date le 2026-12-31'

describe('a summary', () => {
  test('counts records by default', async () => {
    const { body } = await summarise('')
    expect(body).toEqual({ groups: [], total: { count: 14 }, described: '14 bookings.' })
  })

  test('counts a person in two groups once in the total, and says what it left out', async () => {
    const { body } = await summarise(
      `$by=month(date),event.tags&$measures=count,people&${thisYear}`,
    )
    expect(body).toEqual({
      groups: [
        { by: ['2026-04', 'Food'], count: 3, people: 1 },
        { by: ['2026-05', 'Food'], count: 9, people: 2 },
        { by: ['2026-05', 'Music'], count: 2, people: 1 },
      ],
      total: { count: 12, people: 3 },
      withoutGroup: { count: 0, people: 0 },
      described:
        '12 bookings of 3 different people, where date ge 2026-01-01 and date le 2026-12-31. Grouped by month(date) and event.tags. A booking with several values is in several groups, so the groups do not add up to the total. 1 booking without a person is not counted among the people.',
    })
  })

  test('puts the records without a value apart', async () => {
    const { body } = await summarise(`$by=member.Ward&$measures=count,people&${thisYear}`)
    expect(body.groups).toEqual([
      { by: ['Armley'], count: 9, people: 2 },
      { by: ['Beeston'], count: 2, people: 1 },
    ])
    expect(body.withoutGroup).toEqual({ count: 1, people: 0 })
    expect(body.described).toContain('1 booking without a value is in no group.')
  })

  test('measures people with at least some records, and the share of yes', async () => {
    const { body } = await summarise('$measures=peopleWithAtLeast(3),share(member.Photos)')
    expect(body.total).toEqual({
      'peopleWithAtLeast(3)': 2,
      'share(member.Photos)': 0.45454545454545,
    })
  })

  test('passes conditions on measures, orders and limits groups', async () => {
    const { body } = await summarise(
      '$by=memberId&$having=count gt 2 and (people eq 1 or count eq 99)&$orderby=count desc&$limit=1',
    )
    expect(body.groups).toEqual([{ by: ['ben'], count: 6 }])
    expect(body.described).toContain('The first 1 of 2 groups are listed.')
  })

  test('groups ages by bands, on the day of the request', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-06-14T12:00:00Z') })
    const { body } = await summarise(`$by=age(member.Born)&$bands=16,21,65&${thisYear}`)
    vi.useRealTimers()
    expect(body.groups).toEqual([
      { by: ['0-15'], count: 2 },
      { by: ['16-20'], count: 3 },
      { by: ['65+'], count: 6 },
    ])
    expect(body.described).toContain('Ages are those on Sunday 14 June 2026.')
  })

  test('compares with the year before, also groups that only that has', async () => {
    const { body } = await summarise(
      '$by=day(date)&$compare=previousYear&$filter=date ge 2026-04-01 and date le 2026-04-30',
    )
    expect(body.groups).toEqual([
      { by: ['2026-04-02'], count: 3, previous: { count: 0 } },
      { by: ['2026-04-09'], count: 0, previous: { count: 2 } },
    ])
    expect(body.total).toEqual({ count: 3, previous: { count: 2 } })
  })

  test('writes CSV', async () => {
    const response = await organisation.get(
      `/bookings/$summary?$by=member.Ward&$measures=count,people&$format=csv&${thisYear}`,
    )
    expect(response.headers.get('Content-Type')).toContain('text/csv')
    expect(await response.text()).toBe('member.Ward,count,people\r\nArmley,9,2\r\nBeeston,2,1\r\n')
  })

  test('has an ETag that changes with the records', async () => {
    const { response } = await summarise('$by=memberId')
    const tag = response.headers.get('ETag') ?? ''
    const again = () =>
      organisation.get('/bookings/$summary?$by=memberId', {
        headers: { 'x-api-key': organisation.key, 'If-None-Match': tag },
      })
    expect((await again()).status).toBe(304)
    await organisation.put('events', [{ id: 'x', document: { eventId: 'x', name: 'X' } }])
    expect((await again()).status).toBe(200)
  })

  test('counts the people of case notes of every kind, and members themselves', async () => {
    await organisation.put('case-notes', [
      {
        id: 'note-1',
        document: {
          noteId: 'note-1',
          linkedEntities: { memberIds: ['ada', 'ben'], volunteerIds: ['ada'], partnerIds: [] },
        },
      },
    ])
    const notes = await organisation.json('/case-notes/$summary?$measures=people')
    expect(notes.total).toEqual({ people: 3 })
    const members = await organisation.json('/members/$summary?$measures=people&Ward=Armley')
    expect(members.total).toEqual({ people: 2 })
  })
})

test('a filter on a postcode ignores case and spaces, as in the list', async () => {
  await organisation.put('volunteers', [
    {
      id: 'vic',
      document: { volunteerId: 'vic', Postcode: 'LS11 0ES', '$postcode.Postcode': 'LS110ES' },
    },
  ])
  const query = 'Postcode=ls110es'
  const { volunteers } = await organisation.json<{ volunteers: object[] }>(`/volunteers?${query}`)
  const { total } = await organisation.json(`/volunteers/$summary?${query}`)
  expect([volunteers.length, total]).toEqual([1, { count: 1 }])
})

describe('small numbers', () => {
  test('are hidden with the smallest other group, from which the total would give them away', async () => {
    const { body } = await summarise(`$by=eventId&$hideBelow=3&${thisYear}`)
    expect(body.groups).toEqual([
      { by: ['gala'], count: null, hidden: true },
      { by: ['lunch'], count: null, hidden: true },
    ])
    expect(body.total).toEqual({ count: 12 })
  })

  test('of people are hidden although there are many records', async () => {
    const { body } = await summarise(`$by=memberId&$hideBelow=2&${thisYear}`)
    expect(body.groups.map(({ hidden }) => hidden)).toEqual([true, true, true])
  })

  test('of people who said yes, or no, are hidden with their share', async () => {
    const { put, json } = await newOrganisation(fields)
    await put('members', [
      ...times(10, () => member(`yes-${++number}`, 'Armley', '1990-01-01', true)),
      ...times(2, () => member(`no-${++number}`, 'Armley', '1990-01-01', false)),
    ])
    const share = (least: number) =>
      json(`/members/$summary?$measures=share(Photos)&$hideBelow=${least}`)
    expect((await share(2)).total).toEqual({ 'share(Photos)': expect.closeTo(10 / 12, 6) })
    expect((await share(3)).total).toEqual({ 'share(Photos)': null, hidden: true })
  })

  test('of the total hide everything', async () => {
    const { body } = await summarise(`$by=month(date)&$measures=people&$hideBelow=5&${thisYear}`)
    expect(body.total).toEqual({ people: null, hidden: true })
    expect(JSON.stringify(body)).not.toMatch(/\b[1-4] (booking|different)/)
  })
})

describe('a summary is refused', () => {
  test.each([
    ['$by=Shoe', '$by: There is no field "Shoe".'],
    ['$by=member.Wad', '$by: There is no field "member.Wad". Did you mean "member.Ward"?'],
    ['$by=month(orgStatus)', '$by: month() needs a field with a date or a time.'],
    ['$by=eventId,memberId,date', '$by: must have at most 2.'],
    ['$measures=sum(orgStatus)', '$measures: sum(orgStatus) needs a field with a number.'],
    ['$measures=total', '$measures: expected a measure (count, people, distinct,'],
    ['$measures=peopleWithAtLeast(0)', '$measures: peopleWithAtLeast must have a whole number'],
    ['$having=count ge many', '$having: expected a number at character 10.'],
    ['$orderby=eventId', '$orderby: must name measures or groups of $by: "eventId" is neither.'],
    ['$limit=1001', '$limit: must be a whole number from 1 to 1000.'],
    ['$bands=18,11', '$bands: must be ages from 0 to 150 in ascending order'],
    ['$compare=previousYear', '$compare: needs a period to compare'],
    ['limit=3', 'limit: is not a parameter of this route.'],
    ['$select=eventId', '$select: is not a parameter of this route.'],
    ['$by=eventId&$by=date', '$by: may appear only once.'],
  ])('%s', async (query, message) => {
    const { response, body } = await summarise(query)
    expect(response.status).toBe(400)
    expect(body.message).toContain(message)
  })

  test('with more than 50,000 groups', async () => {
    const { put, get } = await newOrganisation()
    const tags = Array.from({ length: 224 }, (_, index) => `Tag ${index}`)
    const memberIds = tags.map((tag) => `member of ${tag}`)
    await put('case-notes', [
      { id: 'note', document: { noteId: 'note', tags, linkedEntities: { memberIds } } },
    ])
    const response = await get('/case-notes/$summary?$by=tags,linkedEntities.memberIds')
    expect([response.status, await response.text()]).toEqual([
      400,
      expect.stringContaining(
        '$by: must make at most 50,000 groups. Use a longer period, such as a month instead of a day, or add a condition.',
      ),
    ])
  })

  test('with people where records refer to none', async () => {
    const response = await organisation.get('/events/$summary?$measures=people')
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('people needs records that refer to people')
  })
})

describe('restrictions', () => {
  const keyWith = async (restrictions: Restrictions) => {
    const { key } = await createKey(
      env,
      organisation.id,
      'restricted',
      'a test',
      undefined,
      ['read'],
      restrictions,
    )
    return key
  }

  test.each([
    ['$by=member.Ward', '$by: There is no field "member.Ward".'],
    ['$measures=distinct(member.Ward)', '$measures: There is no field "member.Ward".'],
    ['$having=distinct(member.Ward) gt 1', '$having: There is no field "member.Ward".'],
  ])('%s with a hidden field is the error of an unknown name', async (query, message) => {
    const { response, body } = await summarise(query, await keyWith({ hideFields: ['Ward'] }))
    expect([response.status, body.message.replace(/ Did you mean .*/, '')]).toEqual([400, message])
  })

  test('hidden members give no fields', async () => {
    const key = await keyWith({ collections: ['bookings', 'events'] })
    const { response } = await summarise('$by=member.Ward', key)
    expect(response.status).toBe(400)
    expect((await summarise('$by=event.tags', key)).response.status).toBe(200)
  })

  test('people are not counted by a hidden reference', async () => {
    const key = await keyWith({ hideFields: ['memberId'] })
    const { response } = await summarise('$measures=people', key)
    expect(response.status).toBe(400)
  })

  test('hidden collections are forbidden, and hidden records do not count', async () => {
    const key = await keyWith({ collections: ['events'] })
    expect((await summarise('', key)).response.status).toBe(403)
    await organisation.put('case-notes', [
      { id: 'private', document: { noteId: 'private', isPrivate: true, caseId: 'secret' } },
      { id: 'open', document: { noteId: 'open', isPrivate: false, caseId: 'open' } },
    ])
    const noPrivate = await keyWith({ privateNotes: false })
    const response = await organisation.get('/case-notes/$summary?$by=caseId', {
      headers: { 'x-api-key': noPrivate },
    })
    expect(await response.json()).toMatchObject({ groups: [{ by: ['open'], count: 1 }] })
  })
})
