import { beforeAll, describe, expect, test } from 'vitest'
import { newOrganisation, rowsRead } from '../organisation.ts'
import { rows } from './whole-index.ts'

const maxRows = 200_000
type Organisation = Awaited<ReturnType<typeof newOrganisation>>

async function put(organisation: Organisation, collection: string, count: number, of: object) {
  for (let from = 0; from < count; from += 5000) {
    const size = Math.min(5000, count - from)
    await organisation.put(
      collection,
      Array.from({ length: size }, (_, at) => ({ id: `${from + at}`, document: of })),
    )
  }
}

/** How many records a page holds, or the message it is refused with, and the rows it read; never more than the limit. */
async function page({ get }: Organisation, path: string) {
  const answer = await get(path)
  const read = rowsRead(answer)
  expect(read, path).toBeLessThanOrEqual(maxRows)
  const body = await answer.json<Record<string, object[]> & { message?: string }>()
  return { count: Object.values(body)[0]?.length, message: body.message, read }
}

const refused = { message: expect.stringContaining('more than 200,000 rows') }

describe('twenty filters that every record passes', () => {
  const many = 5000
  const fields = Array.from({ length: 20 }, (_, field) => [`f${field}`, ['7', 7]] as const)
  // A text and the number it spells are two terms.
  const filters = fields.map(([field]) => `${field}=7`).join('&')
  let organisation: Organisation

  beforeAll(async () => {
    organisation = await newOrganisation()
    const document = Object.fromEntries(fields)
    await put(organisation, 'members', many, document)
    await put(organisation, 'events', many, document)
  }, 120_000)

  test.each([0, 2000, 4000])('changes are read up to the limit, from offset %i', async (offset) => {
    const path = `/members?$updatedFrom=2000-01-01&limit=250&${filters}&offset=${offset}`
    const { count, read } = await page(organisation, path)
    expect(count).toBe(250)
    expect(read).toBeLessThanOrEqual(1500 + 43 * (offset + 250))
  })

  test.each(['/members?offset=4900', '/members?offset=4900&$createdFrom=2000-01-01', '/events?'])(
    '%s: what changed is refused at the limit',
    async (path) => {
      expect(await page(organisation, `${path}&$updatedFrom=2000-01-01&${filters}`)).toMatchObject(
        refused,
      )
    },
  )

  test('a page of the collection reads each block three times at most', async () => {
    for (const query of ['', '&$createdFrom=2000-01-01']) {
      for (const offset of [0, 5, many / 2, many - 100, many, 10 * many]) {
        const path = `/members?limit=100&${filters}&offset=${offset}${query}`
        const { count, read } = await page(organisation, path)
        expect(count).toBe(Math.max(0, Math.min(100, many - offset)))
        expect(read).toBeLessThanOrEqual(1000 + (3 * 41 * many) / 496)
      }
    }
  })

  test('a page over the limit reads no block', async () => {
    // As if there were a hundred million events.
    await rows(
      'UPDATE terms SET count = 1e8, last = last * 1e8 WHERE organisation_id = ?',
      organisation.id,
    )
    for (const query of ['', '&$createdFrom=2000-01-01', '&offset=100']) {
      const result = await page(organisation, `/events?${filters}${query}`)
      expect(result).toMatchObject(refused)
      expect(result.read).toBeLessThanOrEqual(400)
    }
  })
})

test('changes are read up to the limit without a filter, with one, and with a long text', async () => {
  const organisation = await newOrganisation()
  const long = 'x'.repeat(300)
  const changed = '$updatedFrom=2000-01-01'
  const expectHeld = async (path: string, count: number) =>
    expect([path, await page(organisation, path)]).toEqual([
      path,
      expect.objectContaining({ count: count }),
    ])
  await put(organisation, 'partners', 30_000, { a: 'x', long })
  await expectHeld(`/partners?${changed}&offset=29000&limit=250`, 250)
  await expectHeld(`/partners?${changed}&a=x&offset=20000`, 100)
  await expectHeld(`/partners?${changed}&a=x&long=${long}`, 100)
  await expectHeld(`/partners?${changed}&$createdFrom=2000-01-01&long=${long}`, 100)
  await put(organisation, 'members', 70_000, {})
  await expectHeld(`/members?${changed}&offset=60000`, 100)
  await expectHeld(`/partners?${changed}&a=x&offset=20000`, 100)
  for (const path of [
    `/members?${changed}&offset=70000`,
    `/partners?${changed}&a=x&long=${long}`,
    `/partners?long=${long}`,
  ])
    expect([path, await page(organisation, path)]).toEqual([path, expect.objectContaining(refused)])
})
