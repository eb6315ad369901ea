import { expect, test } from 'vitest'
import { newOrganisation } from '../organisation.ts'
import { expectRecordsAndIndex, readOrganisationIndex, rows } from './whole-index.ts'

test('a filter on a quoted field name finds only its elements', async () => {
  const { id: organisationId, put } = await newOrganisation()
  const documents = [['a', 'b'], [{ a: 'a' }], [['a']], { a: 'a' }, { a: ['a'] }, 'a']
  await put(
    'members',
    documents.map((value, index) => ({ id: `m${index}`, document: { 'Full Name': value } })),
  )
  const indexRows = (await readOrganisationIndex(organisationId)).map(({ id, field }) => [
    id,
    field,
  ])
  expect(indexRows).toEqual(['m0', 'm0', 'm5'].map((id) => [id, 'Full Name']))
})

test('the last record with a value takes it out of the database', async () => {
  const { put } = await newOrganisation()
  const secret = `Secret ${crypto.randomUUID()}`
  const secretTerms = () => rows('SELECT 1 FROM terms WHERE value = ?', secret)
  await put('members', [{ id: 'm', document: { 'Full Name': secret, friends: [secret] } }])
  expect(await secretTerms()).toHaveLength(2)
  await put('members', [{ id: 'm', document: { 'Full Name': 'Ada' } }])
  expect(await secretTerms()).toEqual([])
})

test('a batch assigns ordinals in its order, and a known record keeps its ordinal', async () => {
  const { id, put } = await newOrganisation()
  const batch = (...ids: string[]) =>
    put(
      'events',
      ids.map((id) => ({ id, document: { eventId: id } })),
    )
  await batch('b', 'a')
  await batch('c', 'a', 'd')
  await expectRecordsAndIndex(id, ['b', 'a', 'c', 'd'])
})

test('an ordinal is never reused, even after the last record is deleted', async () => {
  const { id, put } = await newOrganisation()
  const event = (eventId: string) => ({ id: eventId, document: { eventId } })
  const ordinals = async () =>
    (await rows('SELECT ordinal FROM records WHERE organisation_id = ? ORDER BY row', id)).map(
      ({ ordinal }) => ordinal,
    )
  await put('events', [event('a'), event('b')])
  await rows("DELETE FROM records WHERE organisation_id = ? AND id = 'b'", id)
  await put('events', [event('c'), event('a')])
  expect(await ordinals()).toEqual([1, 3])
  await rows('DELETE FROM records WHERE organisation_id = ?', id)
  await expectRecordsAndIndex(id, [])
  await put('events', [event('d')])
  expect(await ordinals()).toEqual([4])
  await expectRecordsAndIndex(id, ['d'])
  await expect(
    rows('UPDATE records SET ordinal = 1 WHERE organisation_id = ?', id),
  ).rejects.toThrow('cannot be moved')
})

test('a change between similar values is a change', async () => {
  const { id, put } = await newOrganisation()
  const values = [true, 1, '1', 'true', false, 0, '0', 'false', null, '', ['1'], [1], { a: 1 }, 1.5]
  const pairs = values.flatMap((one) => values.map((other) => [one, other] as const))
  for (const side of [0, 1] as const) {
    const fields = pairs.map((pair, field) => [`f${field}`, pair[side]])
    await put('members', [{ id: 'm', document: Object.fromEntries(fields) }])
    await expectRecordsAndIndex(id, ['m'])
  }
})

test('a batch with one invalid record writes nothing', async () => {
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
  await expectRecordsAndIndex(id, ['known'])
})
