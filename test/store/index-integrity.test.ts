import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { newOrganisation } from '../organisation.ts'
import { miscounts } from './miscounts.ts'

const rows = async (sql: string, ...values: unknown[]) =>
  (
    await env.DB.prepare(sql)
      .bind(...values)
      .all()
  ).results

/** What the index of an organisation holds: each record's id with each field and value it is found by. */
const indexed = (organisationId: string) =>
  rows(
    `SELECT records.id, field, hex(value) AS value, typeof(value) AS type
    FROM terms CROSS JOIN postings ON postings.term = terms.id CROSS JOIN records USING (row)
    WHERE terms.organisation_id = ? ORDER BY 1, 2, 3, 4`,
    organisationId,
  )

/** What it must hold, made of the documents as they are. */
const indexable = (organisationId: string) =>
  rows(
    `SELECT DISTINCT records.id, field, hex(value) AS value, typeof(value) AS type
    FROM leaves CROSS JOIN records USING (row)
    WHERE leaves.organisation_id = ? ORDER BY 1, 2, 3, 4`,
    organisationId,
  )

async function expectWhole(organisationId: string, ids: string[]) {
  expect(await indexed(organisationId)).toEqual(await indexable(organisationId))
  expect(await miscounts(organisationId)).toEqual([])
  expect(
    await rows(
      `SELECT id, position FROM records WHERE organisation_id = ? ORDER BY row`,
      organisationId,
    ),
  ).toEqual(ids.map((id, index) => ({ id, position: index + 1 })))
}

// A generator of its own, so that every run does the same.
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (state * 48271) % 2147483647
    yield state
  }
}

const values: unknown[] = [
  ...['a', 'b', '', '1', 'true', 'é'.repeat(200), `${'é'.repeat(200)}!`],
  ...[1, 1.5, 0, true, false, null],
  ...[[], ['a', 'b'], ['b', 'a'], ['a', 'a'], [1, '1', true], [{ a: 'a' }], [['a']]],
  ...[{ a: 'a' }, { a: { b: ['a', 'b'] } }, {}],
]

test.each([1, 2, 3])('the index follows random changes by SQL (%i)', async (seed) => {
  const { id: organisationId, put } = await newOrganisation()
  const random = numbers(seed)
  const any = <Item>(items: readonly Item[]) => items[random.next().value % items.length] as Item
  const document = () =>
    Object.fromEntries(
      ['x', 'y', 'a field', 'a.dotted[0] "field"'].map((field) => [field, any(values)]),
    )
  const alive: string[] = []
  for (let step = 0; step < 120; step++) {
    const id = any(alive)
    const change = any(['put', 'put', 'put again', 'update', 'update', 'delete', 'delete many'])
    if (change === 'put' || id === undefined) {
      alive.push(`r${step}`)
      await put('events', [{ id: `r${step}`, document: document() }])
    } else if (change === 'put again') {
      await put('events', [{ id, document: document() }])
    } else if (change === 'update') {
      await rows(
        'UPDATE records SET document = ? WHERE organisation_id = ? AND id = ?',
        JSON.stringify(document()),
        organisationId,
        id,
      )
    } else {
      const doomed = change === 'delete' ? [id] : alive.filter((_, index) => index % 3 === 0)
      await rows(
        'DELETE FROM records WHERE organisation_id = ? AND id IN (SELECT value FROM json_each(?))',
        organisationId,
        JSON.stringify(doomed),
      )
      for (const gone of doomed) alive.splice(alive.indexOf(gone), 1)
    }
    if (step % 10 === 9) await expectWhole(organisationId, alive)
  }
  await rows('DELETE FROM records WHERE organisation_id = ?', organisationId)
  expect(await rows('SELECT * FROM terms WHERE organisation_id = ?', organisationId)).toEqual([])
})

test('below a field whose name is quoted, nothing is found but its elements', async () => {
  const { id: organisationId, put } = await newOrganisation()
  const documents = [['a', 'b'], [{ a: 'a' }], [['a']], { a: 'a' }, { a: ['a'] }, 'a']
  await put(
    'members',
    documents.map((value, index) => ({ id: `m${index}`, document: { 'Full Name': value } })),
  )
  const found = (await indexed(organisationId)).map(({ id, field }) => [id, field])
  expect(found).toEqual(['m0', 'm0', 'm5'].map((id) => [id, 'Full Name']))
})

test('a value that no record holds any more is nowhere in the database', async () => {
  const { put } = await newOrganisation()
  const secret = `Secret ${crypto.randomUUID()}`
  const held = () => rows('SELECT 1 FROM terms WHERE value = ?', secret)
  await put('members', [{ id: 'm', document: { 'Full Name': secret, friends: [secret] } }])
  expect(await held()).toHaveLength(2)
  await put('members', [{ id: 'm', document: { 'Full Name': 'Ada' } }])
  expect(await held()).toEqual([])
})

test('records of one batch are numbered in its order, and a known one keeps its place', async () => {
  const { id, put } = await newOrganisation()
  const batch = (...ids: string[]) =>
    put(
      'events',
      ids.map((id) => ({ id, document: { eventId: id } })),
    )
  await batch('b', 'a')
  await batch('c', 'a', 'd')
  await expectWhole(id, ['b', 'a', 'c', 'd'])
})

test('a batch with one bad record keeps none of it', async () => {
  const { id, put } = await newOrganisation()
  await put('disbursements', [{ id: 'known', document: { notes: 'before' } }])
  const bankAccount = { accountNumber: '12345678' }
  await expect(
    put('disbursements', [
      { id: 'known', document: { notes: 'after' } },
      { id: 'good', document: {} },
      { id: 'bad', document: { bankAccount } },
    ]),
  ).rejects.toThrow('account_number_redacted')
  expect(await rows('SELECT document FROM records WHERE organisation_id = ?', id)).toEqual([
    { document: '{"notes":"before"}' },
  ])
  await expectWhole(id, ['known'])
})
