import { beforeAll, describe, expect, test } from 'vitest'
import { everything, putEverything } from '../examples/everything.ts'
import { newOrganisation, rowsRead } from '../organisation.ts'
import { newWriter, type Writer } from '../resources/writing.ts'

const many = 2000
let writer: Writer
let get: (path: string) => Promise<Response>

// 2,000 records of every collection, and some of the same beside them in another organisation.
beforeAll(async () => {
  writer = await newWriter(null)
  const beside = await newOrganisation()
  for (const [{ put }, count] of [
    [writer, many - 1],
    [beside, 300],
  ] as const) {
    for (const [collection, { document }] of Object.entries(everything)) {
      const records = Array.from({ length: count }, (_, index) => ({
        id: `${collection}-${index}`,
        // Every booking has another member.
        document:
          collection === 'bookings' ? { ...document, memberId: `members-${index}` } : document,
      }))
      await put(collection, records)
    }
  }
  await putEverything(writer)
  get = writer.get
}, 120_000)

/** Asks for a page that holds so many records and expects it within a budget of rows. */
async function expectPage(path: string, count: number, budget: number) {
  const answer = await get(path)
  const [records] = Object.values(await answer.json<Record<string, object[]>>())
  expect([path, answer.status, records?.length]).toEqual([path, 200, count])
  expect(rowsRead(answer), path).toBeLessThanOrEqual(budget)
}

describe.each([
  ['members', 'Phone=07700900123'],
  ['volunteers', 'postcode=SW1A'],
  ['partners', 'views=a'],
  ['events', 'bookable=TRUE'],
  ['bookings', 'date=2025-03-04'],
  ['forms', 'isArchived=false'],
  ['survey-responses', 'linkedEntities.memberIds=member-2'],
  ['case-notes', 'Private=true'],
  ['funds', 'financials.totalAmount=100000'],
  ['grant-applications', 'recipientOrgId=org-9'],
  ['disbursements', 'status=PAID'],
])('%s', (collection, filter) => {
  // A booking's profile is one row more.
  const rows = (limit: number, each: number) =>
    collection === 'bookings' ? (each + 1) * limit : each * limit

  test('a page reads its records and few other rows', async () => {
    for (const limit of [1, 100, 250]) {
      await expectPage(`/${collection}?limit=${limit}`, limit, rows(limit, 2) + 10)
      for (const offset of [1, many / 2, many - limit]) {
        const path = `/${collection}?limit=${limit}&offset=${offset}`
        await expectPage(path, limit, rows(limit, 1) + many / 400 + 20)
      }
    }
    await expectPage(`/${collection}?offset=${many}`, 0, 10)
  })

  test('a page of one filter reads as little', async () => {
    for (const limit of [1, 100, 250])
      await expectPage(`/${collection}?limit=${limit}&${filter}`, limit, rows(limit, 2) + 11)
    await expectPage(`/${collection}?nothing=x`, 0, 10)
  })
})

test('a single record reads at most five rows, found or not', async () => {
  for (const collection of [
    'members',
    'volunteers',
    'partners',
    'forms',
    'funds',
    'grant-applications',
    'disbursements',
  ]) {
    for (const id of [everything[collection]?.id, `${collection}-7`, 'nowhere']) {
      const answer = await get(`/${collection}/${id}`)
      expect([id, answer.status]).toEqual([id, id === 'nowhere' ? 404 : 200])
      expect(rowsRead(answer), `${collection}/${id}`).toBeLessThanOrEqual(5)
    }
  }
})

test('several filters read as many rows as the rarest of them', async () => {
  await expectPage('/bookings?attending=true&memberId=members-7&date=2025-03-04', 1, 50)
})

test('an import of a record beside 20,000, and its undo, read few rows', async () => {
  const imported = await writer.send('POST', '/imports?collection=funds', [
    { fundId: 'imported', recipientType: 'organisation' },
  ])
  expect(await imported.json()).toMatchObject({ created: 1 })
  expect(rowsRead(imported)).toBeLessThanOrEqual(250)
  const list = await writer.send('GET', '/imports')
  const {
    imports: [{ importId } = {}],
  } = await list.json<{ imports: { importId?: string }[] }>()
  const undone = await writer.send('POST', `/imports/${importId}/$undo`)
  expect(await undone.json()).toMatchObject({
    import: { undo: { reverted: 1, left: 0 } },
    next: null,
  })
  expect(rowsRead(undone)).toBeLessThanOrEqual(450)
})
