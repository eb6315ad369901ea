import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRecordTarget } from '../../src/import/targets/record-target.ts'
import { collection } from '../../src/resources/disbursements.ts'
import { putRecords } from '../../src/store/write/put.ts'
import { newOrganisation } from '../organisation.ts'
import { badNumbers, bankDetails, hidden } from '../resources/bank-details.ts'
import { runs } from '../runs.ts'
import { findText } from './find-text.ts'

const disbursement = (bankAccount: object) => ({
  disbursementId: 'd',
  status: 'PAID',
  bankAccount,
})

test('no response and no row has more than the last digits of bank details', async () => {
  const { id, put, get } = await newOrganisation()
  const target = createRecordTarget(collection, id)
  await fc.assert(
    fc.asyncProperty(fc.array(bankDetails, { minLength: 1, maxLength: 3 }), async (details) => {
      for (const { input, stored } of details) {
        const checked = target.check(disbursement(input))
        if ('errors' in checked) throw new Error(JSON.stringify(checked.errors))
        await put('disbursements', [{ id: 'd', document: JSON.parse(checked.value.document) }])
        const whole = new URLSearchParams({ 'bankAccount.accountNumber': input.accountNumber })
        const last = new URLSearchParams({ 'bankAccount.accountNumber': stored.accountNumber })
        for (const [path, isFound] of [
          ['/disbursements', true],
          ['/disbursements/d', true],
          [`/disbursements?${last}`, true],
          [`/disbursements?${whole}`, false],
        ] as const) {
          const text = await (await get(path)).text()
          const visible = [...text.matchAll(/"(accountNumber|sortCode)":("[^"]*")/g)]
          const expected = [stored.accountNumber, stored.sortCode].map((it) => JSON.stringify(it))
          expect([path, visible.map(([, , value]) => value)]).toEqual([
            path,
            isFound ? expected : [],
          ])
          expect(text).not.toContain(hidden)
        }
      }
    }),
    runs(50),
  )
  expect(await findText(env, hidden)).toEqual([])
})

test('an invalid account number is refused, and no error or row contains it', async () => {
  const { id, put } = await newOrganisation()
  const { check } = createRecordTarget(collection, id)
  await fc.assert(
    fc.asyncProperty(
      badNumbers,
      fc.constantFrom('accountNumber', 'sortCode'),
      async (bad, property) => {
        const checked = check(disbursement({ [property]: bad }))
        expect(checked).toEqual({
          errors: [expect.objectContaining({ field: `bankAccount.${property}` })],
        })
        expect(JSON.stringify(checked)).not.toContain(hidden)
        const document = disbursement({ [property]: bad })
        await expect(put('disbursements', [{ id: 'd', document }])).rejects.toThrow('_redacted')
      },
    ),
    runs(50),
  )
  expect(await findText(env, hidden)).toEqual([])
})
const insert = (organisationId: string, bankAccount: unknown) =>
  env.DB.prepare(
    `INSERT INTO records (organisation_id, collection, id, ordinal, document, updated)
    VALUES (?, 'disbursements', 'd', 1, ?, '2025-01-01T00:00:00.000Z')`,
  )
    .bind(organisationId, JSON.stringify({ bankAccount }))
    .run()

test('the database refuses unredacted bank details from any statement', async () => {
  const { id, put } = await newOrganisation()
  const good = { accountNumber: '****5678', sortCode: '****56' }
  await insert(id, good)
  for (const [property, constraint, values] of [
    [
      'accountNumber',
      'account_number_redacted',
      ['12345678', 12345678, '1234****', '****12345', '*****678', ' ****5678', 'x', ['12345678']],
    ],
    ['sortCode', 'sort_code_redacted', ['12-34-56', 123456, '123456', '****567', '***56', {}]],
  ] as const) {
    for (const value of values) {
      const bankAccount = { ...good, [property]: value }
      const beside = await newOrganisation()
      const text = JSON.stringify({ bankAccount })
      for (const write of [
        () => insert(beside.id, bankAccount),
        () => put('disbursements', [{ id: 'd', document: { bankAccount } }]),
        () =>
          env.DB.prepare('UPDATE records SET document = ? WHERE organisation_id = ?')
            .bind(text, id)
            .run(),
      ]) {
        await expect(write(), text).rejects.toThrow(constraint)
      }
    }
  }
  await put('disbursements', [
    { id: 'empty', document: { bankAccount: { accountNumber: '', sortCode: '' } } },
    { id: 'none', document: {} },
  ])
})

test.each([
  ['a number behind a NUL', '{"accountNumber":"****5678\\u000012345678"}'],
  ['a sort code behind a NUL', '{"sortCode":"****56\\u0000123456"}'],
  ['a list', '[{"accountNumber":"12345678"}]'],
  ['a text', '"12345678"'],
  ['a number', '12345678'],
  ['one name twice', '{"accountNumber":"****5678","accountNumber":"12345678"}'],
  ['one name, spelt in two ways', '{"accountNumber":"****5678","accountN\\u0075mber":"12345678"}'],
  ['two of them', '{"accountNumber":"****5678"},"bankAccount":{"accountNumber":"12345678"}'],
])('the database refuses bank details that are %s', async (_, bankAccount) => {
  const document = `{"bankAccount":${bankAccount}}`
  const [empty, full] = [await newOrganisation(), await newOrganisation()]
  await insert(full.id, null)
  for (const write of [
    () => putRecords(env.DB, empty.id, 'disbursements', [{ id: 'd', document }]),
    () => putRecords(env.DB, full.id, 'disbursements', [{ id: 'd', document }]),
    () =>
      env.DB.prepare('UPDATE records SET document = ? WHERE organisation_id = ?')
        .bind(document, full.id)
        .run(),
  ])
    await expect(write()).rejects.toThrow('bank_details_redacted')
  expect(await (await full.get('/disbursements')).json()).toMatchObject({
    disbursements: [{ bankAccount: null }],
  })
})
