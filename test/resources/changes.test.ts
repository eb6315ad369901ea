import { beforeAll, describe, expect, test } from 'vitest'
import { everything, putEverything } from '../examples/everything.ts'
import { fields } from '../examples/people.ts'
import { newOrganisation, rowsRead } from '../organisation.ts'
import { rows } from '../store/whole-index.ts'

type Change = {
  collection: string
  id: string
  change: string
  version: number
  at: string
  record?: object
}
type Page = { changes: Change[]; next: string; more: boolean }
type Organisation = Awaited<ReturnType<typeof newOrganisation>>

const event = (id: string, name = id) => ({ id, document: { eventId: id, name } })
const describeChanges = ({ changes }: Page) => changes.map(({ id, change }) => `${id} ${change}`)
const remove = (organisation: Organisation, id: string) =>
  rows('DELETE FROM records WHERE organisation_id = ? AND id = ?', organisation.id, id)

test('lists each record once, with its last change, in order of versions', async () => {
  const organisation = await newOrganisation()
  const { json, put } = organisation
  await put('events', [event('a'), event('b'), event('c')])
  await put('events', [event('a', 'new'), event('b'), event('d')])
  const all = await json<Page>('/changes')
  expect(describeChanges(all)).toEqual(['b created', 'c created', 'a updated', 'd created'])
  expect(all).toMatchObject({ more: false })
  const versions = all.changes.map(({ version }) => version)
  expect(versions).toEqual(versions.toSorted((one, other) => one - other))
  for (const { at } of all.changes) expect(new Date(at).toISOString()).toBe(at)

  await remove(organisation, 'c')
  await remove(organisation, 'd')
  await put('events', [event('d', 'again')])
  const since = await json<Page>(`/changes?$after=${all.next}`)
  expect(describeChanges(since)).toEqual(['c deleted', 'd created'])
  expect(Object.keys(since.changes[0] ?? {})).toEqual([
    'collection',
    'id',
    'change',
    'version',
    'at',
  ])
  expect(await json(`/changes?$after=${since.next}`)).toEqual({ ...since, changes: [] })

  // A new follower has never seen the deleted records.
  expect(describeChanges(await json('/changes'))).toEqual(['b created', 'a updated', 'd created'])
})

test('latest is a cursor for now', async () => {
  const { json, put } = await newOrganisation()
  await put('events', [event('a')])
  const { next, ...empty } = await json<Page>('/changes?$after=latest')
  expect(empty).toEqual({ changes: [], more: false })
  await put('events', [event('b')])
  expect(describeChanges(await json(`/changes?$after=${next}`))).toEqual(['b created'])
})

test('pages continue each other, and changes in between come later', async () => {
  const organisation = await newOrganisation()
  const { json, put } = organisation
  await put(
    'events',
    ['a', 'b', 'c', 'd', 'e'].map((id) => event(id)),
  )
  const first = await json<Page>('/changes?limit=2')
  expect([describeChanges(first), first.more]).toEqual([['a created', 'b created'], true])
  await put('events', [event('a', 'new'), event('d', 'new')])
  await remove(organisation, 'e')
  const second = await json<Page>(`/changes?limit=2&$after=${first.next}`)
  expect([describeChanges(second), second.more]).toEqual([['c created', 'a updated'], true])
  const third = await json<Page>(`/changes?limit=2&$after=${second.next}`)
  expect([describeChanges(third), third.more]).toEqual([['d updated', 'e deleted'], false])
})

test('records are shown as their single answers show them', async () => {
  const organisation = await newOrganisation()
  const { json } = organisation
  await putEverything(organisation)
  const { changes } = await json<Page>('/changes?$include=records')
  const records = Object.fromEntries(changes.map(({ collection, record }) => [collection, record]))
  expect(Object.keys(records)).toEqual(Object.keys(everything))
  for (const [path, name] of [
    ['members', 'member'],
    ['volunteers', 'volunteer'],
    ['partners', 'partner'],
    ['forms', 'form'],
    ['funds', 'fund'],
    ['grant-applications', 'application'],
    ['disbursements', 'disbursement'],
  ] as const) {
    const single = await json(`/${path}/${everything[path]?.id}`)
    expect(records[path]).toEqual(single[name])
  }
  const { bookings } = await json<{ bookings: object[] }>('/bookings')
  expect(records.bookings).toEqual(bookings[0])
  for (const path of ['events', 'survey-responses', 'case-notes']) {
    expect(records[path]).toEqual(everything[path]?.document)
  }
})

test('a booking shows no member of another organisation, in the feed, the list or by itself', async () => {
  const [own, other] = [await newOrganisation(), await newOrganisation()]
  for (const organisation of [own, other]) await organisation.schema('members', fields)
  const name = 'Xylophonia'
  const member = { memberId: 'only-there', 'Full Name': name }
  await other.put('members', [{ id: 'only-there', document: member }])
  const booking = { ...everything.bookings?.document, bookingId: 'b', memberId: 'only-there' }
  for (const { put } of [own, other]) await put('bookings', [{ id: 'b', document: booking }])
  for (const path of ['/changes?$include=records', '/bookings', '/bookings/b']) {
    expect(await (await other.get(path)).text(), path).toContain(name)
    const answer = await own.get(path)
    expect([path, answer.status]).toEqual([path, 200])
    expect(await answer.text(), path).not.toContain(name)
  }
})

test('what SQL writes is followed too', async () => {
  const organisation = await newOrganisation()
  const { id, json, put } = organisation
  await put('events', [event('a'), event('b')])
  let { next } = await json<Page>('/changes')
  const follow = async () => {
    const page = await json<Page>(`/changes?$after=${next}`)
    next = page.next
    return page
  }
  await rows(
    `INSERT INTO records (organisation_id, collection, id, ordinal, document, updated)
    SELECT ?1, 'events', value, 10 + key, '{}', '' FROM json_each('["x", "y"]')`,
    id,
  )
  expect(describeChanges(await follow())).toEqual(['x created', 'y created'])
  await rows(`UPDATE records SET document = '{"n":1}' WHERE organisation_id = ? AND id <> 'b'`, id)
  const changed = await follow()
  expect(describeChanges(changed).toSorted()).toEqual(['a updated', 'x updated', 'y updated'])
  await rows('DELETE FROM records WHERE organisation_id = ?', id)
  expect(describeChanges(await follow()).toSorted()).toEqual([
    'a deleted',
    'b deleted',
    'x deleted',
    'y deleted',
  ])
})

describe('a cursor', () => {
  test('is 400 unless an answer to this organisation gave it', async () => {
    const [{ get, json, put }, other] = [await newOrganisation(), await newOrganisation()]
    for (const it of [put, other.put]) await it('events', [event('a')])
    const { next } = await json<Page>('/changes')
    const theirs = await other.json<Page>('/changes')
    for (const cursor of ['', '0', 'Latest', next.slice(1), `${next}0`, `1${next}`, theirs.next]) {
      const answer = await get(`/changes?$after=${cursor}`)
      expect([cursor, answer.status, await answer.json()]).toEqual([
        cursor,
        400,
        {
          type: 'BAD_REQUEST',
          message: '$after: must be latest, or the next of an answer to this organisation.',
        },
      ])
    }
  })

  test('is 410 once later deletions are forgotten, but not for a cursor after them', async () => {
    const organisation = await newOrganisation()
    const { get, json, put, id } = organisation
    const ids = Array.from({ length: 9 }, (_, index) => `e${index}`)
    await put(
      'events',
      ids.map((id) => event(id)),
    )
    const early = await json<Page>('/changes?limit=1')
    for (const gone of ids.slice(0, 4)) await remove(organisation, gone)
    const late = await json<Page>('/changes?limit=1')
    const readDeletions = () =>
      rows('SELECT id FROM deletions WHERE organisation_id = ? ORDER BY version', id)
    expect(await readDeletions()).toHaveLength(4)
    await rows(`UPDATE deletions SET at = '2020-01-01T00:00:00.000Z' WHERE organisation_id = ?`, id)
    // Each deletion forgets three that are old enough.
    await remove(organisation, 'e4')
    expect(await readDeletions()).toEqual([{ id: 'e3' }, { id: 'e4' }])
    const answer = await get(`/changes?$after=${early.next}`)
    expect([answer.status, await answer.json()]).toEqual([
      410,
      { type: 'GONE', message: expect.stringContaining('start again without $after') },
    ])
    expect(describeChanges(await json(`/changes?$after=${late.next}`))).toEqual([
      'e5 created',
      'e6 created',
      'e7 created',
      'e8 created',
      'e4 deleted',
    ])
    expect(describeChanges(await json('/changes?limit=1'))).toEqual(['e5 created'])
  })

  test('is 410 where the database was brought back to before it', async () => {
    const { get, json, put, id } = await newOrganisation()
    await put('events', [event('a')])
    const { next } = await json<Page>('/changes')
    await rows('UPDATE organisations SET version = version - 1 WHERE id = ?', id)
    expect((await get(`/changes?$after=${next}`)).status).toBe(410)
  })
})

test('rejects invalid parameters by name', async () => {
  const { get } = await newOrganisation()
  for (const [query, message] of Object.entries({
    'collections=members,schemas':
      /^collections: must be names separated by commas, from: members, /,
    'collections=': /^collections: must be names/,
    '$include=times': /^\$include: must be records\.$/,
    'limit=251': /^limit: must be a whole number from 1 to 250\.$/,
    'offset=1': /^offset: is not a parameter of this route\.$/,
  })) {
    const answer = await get(`/changes?${query}`)
    const { message: text } = await answer.json<{ message: string }>()
    expect([query, answer.status, text]).toEqual([query, 400, expect.stringMatching(message)])
  }
})

describe('in a large organisation', () => {
  const many = 3000
  let organisation: Organisation

  beforeAll(async () => {
    organisation = await newOrganisation()
    const { put } = organisation
    await putEverything(organisation)
    const numbered = (of: number, make: (index: number) => object) =>
      Array.from({ length: of }, (_, index) => ({ id: `e${index}`, document: make(index) }))
    await put(
      'events',
      numbered(many, (index) => ({ eventId: `e${index}` })),
    )
    await put('funds', [{ id: 'f', document: { fundId: 'f' } }])
    await put(
      'bookings',
      numbered(200, () => ({ memberId: everything.members?.id })),
    )
    await put(
      'members',
      numbered(200, (index) => ({ memberId: `e${index}` })),
    )
    await rows(
      "DELETE FROM records WHERE organisation_id = ? AND collection = 'events' AND ordinal % 3 = 0",
      organisation.id,
    )
  }, 120_000)

  /** The answer, and the rows it read. */
  async function page(path: string) {
    const answer = await organisation.get(path)
    return { ...(await answer.json<Page>()), read: rowsRead(answer) }
  }

  test('a page over all collections reads little more than it shows, anywhere', async () => {
    const { next: start } = await page('/changes?limit=1')
    for (const show of ['', '$include=records']) {
      let after = `$after=${start}`
      let count = 1
      for (let more = true; more; ) {
        const result = await page(`/changes?${show}&${after}`)
        expect(result.read).toBeLessThanOrEqual(220)
        after = `$after=${result.next}`
        count += result.changes.length
        more = result.more
      }
      expect(count).toBe(11 + 1 + 400 + (many * 2) / 3)
      const { next } = await page('/changes?$after=latest')
      expect((await page(`/changes?${show}&$after=${next}`)).read).toBeLessThanOrEqual(20)
    }
  })

  test('a page of chosen collections goes through a bounded part of the feed', async () => {
    let { next, changes, more, read } = await page('/changes?collections=funds')
    const result = [...changes]
    let pages = 1
    for (; more; pages++) {
      expect(read).toBeLessThanOrEqual(2200)
      ;({ next, changes, more, read } = await page(`/changes?collections=funds&$after=${next}`))
      result.push(...changes)
    }
    expect(result.map(({ id }) => id)).toEqual([everything.funds?.id, 'f'])
    expect(pages).toBe(3)
    const events = await page('/changes?collections=events,funds&limit=100')
    expect(events.changes).toHaveLength(100)
    expect(events.read).toBeLessThanOrEqual(350)
  })
})
