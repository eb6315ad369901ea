import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { newOrganisation } from '../organisation.ts'

const insert = (organisationId: string, bankAccount: unknown) =>
  env.DB.prepare(
    `INSERT INTO records (organisation_id, collection, id, position, document, updated)
    VALUES (?, 'disbursements', 'd', 1, ?, '2025-01-01T00:00:00.000Z')`,
  )
    .bind(organisationId, JSON.stringify({ bankAccount }))
    .run()

test('the database refuses unredacted bank details, whoever writes them and however', async () => {
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
      const written = JSON.stringify({ bankAccount })
      for (const write of [
        () => insert(beside.id, bankAccount),
        () => put('disbursements', [{ id: 'd', document: { bankAccount } }]),
        () =>
          env.DB.prepare('UPDATE records SET document = ? WHERE organisation_id = ?')
            .bind(written, id)
            .run(),
      ]) {
        await expect(write(), written).rejects.toThrow(constraint)
      }
    }
  }
  await put('disbursements', [
    { id: 'empty', document: { bankAccount: { accountNumber: '', sortCode: '' } } },
    { id: 'none', document: {} },
  ])
})
