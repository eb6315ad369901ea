import { expect, test } from 'vitest'
import { recordType } from '../../src/model/properties/record-type.ts'
import { disbursementRecord } from '../../src/resources/disbursements.ts'
import example from '../examples/disbursements.json'
import { testDocumentCollection } from './documents.ts'

testDocumentCollection({
  path: '/disbursements',
  plural: 'disbursements',
  singular: 'disbursement',
  id: 'disbursementId',
  record: disbursementRecord,
  example,
  differing: { fundId: 'fund-2', grantId: 'application-2', status: 'FAILED' },
  minimal: { disbursementId: 'd', managedBy: 'org-1', status: 'PENDING' },
  finds: {
    'fundId=fund-1': ['example'],
    'grantId=application-2': ['other'],
    'status=PAID': ['example'],
    'bankAccount.accountNumber=****5678': ['example', 'other'],
    'bankAccount.accountNumber=5678': [],
  },
  refuses: {
    'status=paid': 'status: must be one of: PENDING, SCHEDULED, PAID, CANCELLED, FAILED.',
  },
})

test('of bank details only the last digits stay', () => {
  const storedNumbers = (accountNumber: unknown, sortCode: unknown) => {
    const bankAccount = { ...example.bankAccount, accountNumber, sortCode }
    return recordType(disbursementRecord).safeParse({ ...example, bankAccount }).data?.bankAccount
  }
  for (const [account, sort] of [
    ['12345678', '12-34-56'],
    ['1234 5678', '12 34 56'],
    ['****5678', '****56'],
    ['GB29NWBK60161331925678', '123456'],
  ]) {
    expect(storedNumbers(account, sort)).toMatchObject({
      accountNumber: '****5678',
      sortCode: '****56',
    })
  }
  expect(storedNumbers(undefined, null)).toMatchObject({ accountNumber: '', sortCode: '' })
  for (const refused of ['***5678', '1234567X', '5678', 12345678]) {
    expect(storedNumbers(refused, '****56')).toBeUndefined()
  }
})
