import type { Env } from '../auth/env.ts'
import { enumFilter, textFilter } from '../http/filters.ts'
import { Hono } from '../http/hono.ts'
import type { Collection } from '../model/collection.ts'
import {
  choice,
  id,
  managedBy,
  maskedNumber,
  number,
  object,
  record,
  text,
  timestamp,
  updated,
} from '../model/properties/types.ts'
import { listRoute } from './routes/list-route.ts'
import { recordList, recordResource } from './routes/record-routes.ts'
import { getRecord } from './routes/single-route.ts'
import { writeRoutes } from './routes/write-routes.ts'

const statuses = ['PENDING', 'SCHEDULED', 'PAID', 'CANCELLED', 'FAILED'] as const

/** A disbursement. Bank details are masked before they are stored. */
export const disbursementRecord = record('Disbursement', {
  disbursementId: id(
    'The id of the disbursement: unique among the organisation’s disbursements.',
    'disbursement-301',
  ),
  managedBy: managedBy(),
  grantId: text('The id of the grant application.', 'application-118'),
  fundId: text('The id of the fund.', 'fund-warm-rooms'),
  identifier: text('The human-readable reference of the disbursement.', 'WR-2026-118-1'),
  amount: number('The amount, in its currency.', 1000),
  currency: text('The currency, by its ISO 4217 code.', 'GBP'),
  status: choice(statuses, 'The status of the disbursement.', 'PAID'),
  dates: object('The dates of the disbursement.', {
    scheduled: timestamp('The planned time of payment, in UTC.', '2026-11-02T00:00:00.000Z'),
    processed: timestamp(
      'The time of payment, in UTC; null before it.',
      '2026-11-02T10:14:00.000Z',
    ),
  }),
  payment: object('The details of the payment.', {
    method: text('The payment method, such as `BACS` or `CHAPS`.', 'BACS'),
    reference: text('The reference on the bank statement.', 'OAK WARM ROOMS'),
  }),
  bankAccount: object(
    'The bank account of the recipient; only the last digits of numbers are stored.',
    {
      accountName: text('The name of the account.', 'Dunmallow Arts Collective'),
      bankName: text('The name of the bank.', 'Northern Community Bank'),
      accountNumber: maskedNumber(
        4,
        '`****` and the last four digits of the account’s number; the others are not kept.',
        '****1868',
      ),
      sortCode: maskedNumber(
        2,
        '`****` and the last two digits of the sort code; the others are not kept.',
        '****52',
      ),
    },
  ),
  description: text('The purpose of the disbursement.', 'First half of the grant.'),
  notes: text('Further notes about the disbursement.', 'Paid a week late by agreement.'),
  modifiedBy: text('The id of the account that last changed it.', 'user-12'),
  dataSource: text('The source, such as `manual` or `import`.', 'manual'),
  updated: updated(),
})

export const collection = {
  name: 'disbursements',
  plural: 'disbursements',
  singular: 'disbursement',
  id: 'disbursementId',
  record: disbursementRecord,
} satisfies Collection

export const resource = recordResource(collection)

export const list = recordList(
  collection,
  {
    fundId: textFilter(
      'fundId',
      'Only disbursements from the fund with this id.',
      'fund-warm-rooms',
    ),
    grantId: textFilter(
      'grantId',
      'Only disbursements of the grant application with this id.',
      'application-118',
    ),
    status: enumFilter('status', statuses, 'Only disbursements with this status.', 'PAID'),
  },
  {
    'grant-applications': () => import('./grant-applications.ts'),
    funds: () => import('./funds.ts'),
  },
)

export const routes = new Hono<Env>()
  .get('/', listRoute(list))
  .get('/:disbursementId', getRecord(resource))
  .route('/', writeRoutes(resource))
