import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { operatorStore } from '../../src/admin/operator-store.ts'
import { withDerivedFields } from '../../src/model/properties/area-fields.ts'
import type { Field } from '../../src/model/properties/schema.ts'
import { changeMany } from '../../src/records/change-many.ts'
import { loadCollection } from '../../src/resources/resources.ts'
import { everything } from '../examples/everything.ts'
import { rowsRead } from '../organisation.ts'
import { newSignedIn, readForm } from './signed-in.ts'

const field = (id: string, type: Field['type']): Field => ({
  id,
  name: id,
  label: id,
  type,
  order: 0,
})
const fields = withDerivedFields([
  field('Full Name', 'text'),
  field('Age', 'number'),
  field('Tags', 'tags'),
])

/** An editor with so many members, of whom every third has the tag Carer. */
async function withMembers(count: number, role: 'admin' | 'editor' | 'reader' = 'editor') {
  const person = await newSignedIn(role)
  await person.schema('members', fields)
  await person.put(
    'members',
    Array.from({ length: count }, (_, n) => ({
      id: `m${n}`,
      document: {
        memberId: `m${n}`,
        'Full Name': `Ada ${n}`,
        ...(n % 3 === 0 && { Tags: ['Carer'] }),
      },
    })),
  )
  const documents = async () => {
    const { results } = await env.DB.prepare(
      'SELECT id, document FROM records WHERE organisation_id = ? ORDER BY ordinal',
    )
      .bind(person.id)
      .all<{ id: string; document: string }>()
    return results.map(({ document }) => JSON.parse(document))
  }
  /** Selects members on the list, and submits the form of an action. */
  async function act(action: string, ids: string[], values: [string, string][], query = '') {
    const selected: [string, string][] = ids.map((id) => ['id', id])
    const page = await person.post(`/records/members/selected${query}`, [
      ['action', action],
      ...selected,
    ])
    expect(page.status).toBe(200)
    const form = [...(await readForm(page))].filter(
      ([name]) => !values.some(([given]) => given === name),
    )
    return person.post(`/records/members/selected/apply${query}`, [...form, ...values])
  }
  return { ...person, documents, act }
}

test('a bulk edit is in the activity of the organisation', async () => {
  const person = await withMembers(3, 'admin')
  await person.act('tag', ['m0', 'm1', 'm2'], [['tag', 'Swims']])
  const page = await person.html('/settings/activity?kind=edits')
  const [row = ''] = /<tbody>.*?<\/tr>/s.exec(page) ?? []
  expect(row).toContain(person.email)
  expect(row).toContain('Edited members')
  expect(row).toMatch(/<a href="[^"]*\/import\/done\/\d+">Tags of 3 members<\/a>/)
  expect(await person.html('/settings/activity?kind=imports')).not.toContain('Tags of')
})

test('a bulk edit is undone as one, except for records that changed since', async () => {
  const person = await withMembers(60)
  await person.act('tag', ['m0', 'm1'], [['tag', 'Swims']])
  const ids = Array.from({ length: 60 }, (_, n) => `m${n}`)
  const choice = await person.act('field', ids, [['field', 'Age']])
  const form = await readForm(choice)
  form.set('Age', '42')
  await person.post('/records/members/selected/apply', [...form])
  const [, undo = ''] =
    /<form[^>]*action="\/dashboard\/[^/]*(\/import\/done\/\d+\/undo)"/.exec(
      await person.html('/records/members'),
    ) ?? []
  await person.submit('/records/members/m7/edit', { Age: '7' })
  const page = await (await person.post(undo, [])).text()
  expect(page).toMatch(
    /This bulk edit is undone: 59 reverted, 1 left.*Records that are left.*Ada 7</s,
  )
  const documents = await person.documents()
  expect(
    documents.flatMap(({ memberId, Age }) => (Age === undefined ? [] : [[memberId, Age]])),
  ).toEqual([['m7', 7]])
  // The edit before it stays, and can be undone too.
  expect(documents.slice(0, 2).map(({ Tags }) => Tags)).toEqual([['Carer', 'Swims'], ['Swims']])
  expect(await person.html('/import/done')).toMatch(
    /Age of members.*59 reverted, 1 left.*Tags of members/s,
  )
})

test('the undo of a bulk edit reads as much in a small organisation as in a large one', async () => {
  const costs: number[] = []
  for (const others of [0, 2000]) {
    const person = await withMembers(20 + others)
    await person.act('tag', ['m1', 'm2'], [['tag', 'Swims']])
    const [, undo = ''] =
      /(\/import\/done\/\d+\/undo)"/.exec(await person.html('/records/members')) ?? []
    const response = await person.post(undo, [])
    costs.push(rowsRead(response))
    expect(await response.text()).toContain('2 reverted')
  }
  const [small = 0, large = 0] = costs
  expect(small).toBeGreaterThan(0)
  // The sizes of an organisation are measured from time to time.
  expect(Math.abs(large - small)).toBeLessThan(100)
})

test('adds a tag to the selected members that lack it, once', async () => {
  const person = await withMembers(4)
  for (const notice of ['1 member. 1 needed no change.', '0 members. 2 needed no change.']) {
    const answer = await person.act('tag', ['m0', 'm1'], [['tag', 'carer']])
    expect(answer.status).toBe(303)
    expect(await person.html('/records/members')).toContain(`Added the tag “carer”: ${notice}`)
  }
  expect((await person.documents()).map(({ Tags }) => Tags)).toEqual([
    ['Carer'],
    ['carer'],
    undefined,
    ['Carer'],
  ])
})

test('a bulk edit that changes something is stored with its counts', async () => {
  const person = await withMembers(4)
  await person.act('tag', ['m0', 'm1', 'm2'], [['tag', 'Carer']])
  await person.act('tag', ['m0'], [['tag', 'Carer']])
  const { results } = await env.DB.prepare(
    'SELECT edited, updated, unchanged, rejected FROM imports WHERE organisation_id = ?',
  )
    .bind(person.id)
    .all()
  expect(results).toEqual([{ edited: 'Tags', updated: 2, unchanged: 1, rejected: 0 }])
})

test('gives all members that the list shows a value, in any order', async () => {
  const person = await withMembers(120)
  const query = '?Tags=Carer&$orderby=Full+Name'
  const choice = await person.act('field', ['m0'], [['field', 'Age']], query)
  const form = await readForm(choice)
  form.set('scope', 'all')
  form.set('Age', 'old')
  const wrong = await person.post(`/records/members/selected/apply${query}`, [...form])
  expect([wrong.status, await wrong.text()]).toEqual([
    400,
    expect.stringContaining('must be a number.'),
  ])
  form.set('Age', '42')
  const answer = await person.post(`/records/members/selected/apply${query}`, [...form])
  expect([answer.status, answer.headers.get('Location')]).toEqual([
    303,
    `/dashboard/${person.id}/records/members${query}`,
  ])
  const documents = await person.documents()
  expect(documents.filter(({ Age }) => Age === 42).map(({ memberId }) => memberId)).toEqual(
    Array.from({ length: 40 }, (_, n) => `m${3 * n}`),
  )
})

test('an action takes at most 1,000 members, and at least one', async () => {
  const person = await withMembers(1001)
  const answer = await person.act(
    'tag',
    ['m0'],
    [
      ['tag', 'New'],
      ['scope', 'all'],
    ],
  )
  expect([answer.status, await answer.text()]).toEqual([
    400,
    expect.stringContaining('These are 1,001 records, and the action takes at most 1,000.'),
  ])
  const none = await person.post('/records/members/selected', [['action', 'tag']])
  expect([none.status, await none.text()]).toEqual([400, expect.stringContaining('at least one')])
  expect((await person.documents()).some(({ Tags }) => Tags?.includes('New'))).toBe(false)
})

test('deletes the selected records with their dependents', async () => {
  const person = await newSignedIn('admin')
  await person.schema('members', fields)
  const put = (collection: string, id: string, values: object) =>
    person.put(collection, [
      { id, document: { ...everything[collection]?.document, managedBy: person.id, ...values } },
    ])
  for (const id of ['e1', 'e2', 'e3', 'e4'])
    await put('events', id, {
      eventId: id,
      name: `Lunch ${id}`,
      parentEventId: id === 'e4' ? 'e1' : null,
    })
  await put('bookings', 'b1', { bookingId: 'b1', eventId: 'e1', childEventId: null, memberId: '' })
  await put('bookings', 'b3', { bookingId: 'b3', eventId: 'e3', childEventId: null, memberId: '' })
  const selected: [string, string][] = [
    ['id', 'e1'],
    ['id', 'e2'],
    ['id', 'e4'],
  ]
  const page = await person.post('/records/events/selected', [['action', 'delete'], ...selected])
  const html = await page.text()
  expect(html).toMatch(/Lunch e1.*Lunch e2/)
  expect(html).toContain('Deleted with the selected: 1 booking.')
  const list = async () => {
    const [events, bookings] = await Promise.all([
      person.json<{ events: object[] }>('/events'),
      person.json<{ bookings: object[] }>('/bookings'),
    ])
    return [events.events, bookings.bookings]
  }
  const before = await list()
  const apply = () =>
    person.post('/records/events/selected/apply', [['action', 'delete'], ...selected])
  expect((await apply()).status).toBe(303)
  const [, undo = ''] =
    /action="[^"]*?(\/import\/done\/\d+\/undo)"/.exec(await person.html('/records/events')) ?? []
  expect((await apply()).status).toBe(303)
  expect((await list()).map(({ length }) => length)).toEqual([1, 1])
  expect(await person.html('/settings/activity?kind=deletions')).toMatch(
    /<tbody><tr>(?:(?!<tr>).)*Deleted events(?:(?!<tr>).)*\/import\/done\/\d+">3 events<\/a>.*<\/tr><\/tbody>/s,
  )
  expect(await person.html(undo.replace('/undo', ''))).toMatch(
    /Deletion of 3 events.*3 deleted\..*Lunch e1.*Deleted/s,
  )
  await put('events', 'e2', { eventId: 'e2', name: 'Supper' })
  expect(await (await person.post(undo, [])).text()).toMatch(
    /This deletion is undone: 3 reverted, 1 left.*Supper/s,
  )
  const [events = [], bookings] = await list()
  expect(events).toEqual(
    expect.arrayContaining(
      (before[0] ?? [])
        .filter((event) => !('eventId' in event) || event.eventId !== 'e2')
        .map((event) => expect.objectContaining({ ...event, updated: expect.anything() })),
    ),
  )
  expect(bookings).toHaveLength(before[1]?.length ?? 0)
  expect(await person.html('/settings/activity?kind=restores')).toContain('3 events')
})

test('downloads the selected records only, and opens the merge of two', async () => {
  const person = await withMembers(5)
  const select = (action: string, ...ids: string[]) =>
    person.post('/records/members/selected?$columns=Full+Name', [
      ['action', action],
      ...ids.map((id): [string, string] => ['id', id]),
    ])
  const csv = await select('csv', 'm1', 'm3')
  expect((await csv.text()).split('\r\n').slice(1, -1).toSorted()).toEqual(['Ada 1', 'Ada 3'])
  const merge = await select('merge', 'm1', 'm3')
  expect(merge.headers.get('Location')).toMatch(/\/records\/members\/m1\/merge\?with=m3$/)
  expect((await select('merge', 'm1')).status).toBe(400)
})

test('readers can download but not change, and other organisations’ records stay', async () => {
  const [reader, other] = [await withMembers(2, 'reader'), await withMembers(2)]
  const actions = await reader.html('/records/members')
  expect(actions).toContain('value="xlsx"')
  expect(actions).not.toMatch(/value="(?:tag|field|delete|merge)"/)
  for (const action of ['tag', 'field', 'delete'])
    for (const path of ['/records/members/selected', '/records/members/selected/apply'])
      expect(
        (
          await reader.post(path, [
            ['action', action],
            ['id', 'm0'],
          ])
        ).status,
      ).toBe(403)
  const before = await reader.documents()
  await other.act('tag', ['m0'], [['tag', 'Ours']])
  expect(await reader.documents()).toEqual(before)
})

test('a record that fails is named, and the others are changed', async () => {
  const person = await withMembers(120)
  const { resource } = await loadCollection('members')
  const parts = { store: operatorStore(env.DB, person.id), geography: env.GEOGRAPHY }
  const ids = [...Array.from({ length: 120 }, (_, n) => `m${n}`), 'nobody']
  const result = await changeMany(parts, resource, ids, ({ memberId }) => ({
    Age: ['m7', 'm70'].includes(String(memberId)) ? 'old' : 7,
  }))
  expect(result).toMatchObject({ changed: 118, unchanged: 0 })
  expect([...result.failed.keys()].toSorted()).toEqual(['m7', 'm70', 'nobody'])
  expect(result.failed.get('m7')).toBe('Age: must be a finite number.')
  expect(result.failed.get('nobody')).toBe('It no longer exists.')
  expect(await person.documents()).toHaveLength(120)
})
