import { Hono } from 'hono'
import * as z from 'zod'
import type { Env } from '../auth/env.ts'
import { enumFilter, textFilter } from '../http/named-filters.ts'
import type { Collection } from '../model/collection.ts'
import {
  id,
  managedBy,
  number,
  object,
  oneOf,
  redacted,
  text,
  timestamp,
  updated,
} from '../model/properties/types.ts'
import { listRecords, recordResource } from './routes/record-routes.ts'
import { getRecord } from './routes/single-route.ts'
import { writeRoutes } from './routes/write-routes.ts'

const statuses = ['PENDING', 'SCHEDULED', 'PAID', 'CANCELLED', 'FAILED'] as const

/** Contract 2.12; bank details are redacted before they are kept (decisions 9). */
export const Disbursement = z
  .strictObject({
    disbursementId: id(
      'The id of the payment: unique among the organisation’s disbursements.',
      'disbursement-301',
    ),
    managedBy: managedBy(),
    grantId: text('The id of the grant application that is paid.', 'application-118'),
    fundId: text('The id of the fund that pays.', 'fund-warm-rooms'),
    identifier: text('The reference of the payment, for people.', 'WR-2026-118-1'),
    amount: number('What is paid, in its currency.', 1000),
    currency: text('The currency, by its ISO 4217 code.', 'GBP'),
    status: oneOf(statuses, 'What has become of the payment.', 'PAID'),
    dates: object('When it was to be paid, and was.', {
      scheduled: timestamp('When it is to be paid, in UTC.', '2026-11-02T00:00:00.000Z'),
      processed: timestamp(
        'When it was paid, in UTC; null while it is not.',
        '2026-11-02T10:14:00.000Z',
      ),
    }),
    payment: object('How it is paid.', {
      method: text('By what, such as `BACS` or `CHAPS`.', 'BACS'),
      reference: text('What stands on the statement.', 'OAK WARM ROOMS'),
    }),
    bankAccount: object(
      'Where it is paid to; numbers are kept and shown only by their last digits.',
      {
        accountName: text('The name of the account.', 'Dunmallow Arts Collective'),
        bankName: text('The name of the bank.', 'Northern Community Bank'),
        accountNumber: redacted(
          4,
          '`****` and the last four digits of the account’s number; the others are not kept.',
          '****1868',
        ),
        sortCode: redacted(
          2,
          '`****` and the last two digits of the sort code; the others are not kept.',
          '****52',
        ),
      },
    ),
    description: text('What the payment is for.', 'First half of the grant.'),
    notes: text('What else is to be known of it.', 'Paid a week late by agreement.'),
    modifiedBy: text('The id of the account that last changed it.', 'user-12'),
    dataSource: text('Where it comes from, such as `manual` or `import`.', 'manual'),
    updated: updated(),
  })
  .meta({ id: 'Disbursement' })

export const collection = {
  name: 'disbursements',
  plural: 'disbursements',
  singular: 'disbursement',
  id: 'disbursementId',
  record: Disbursement,
  item: Disbursement,
} satisfies Collection

const resource = recordResource(collection)

export const routes = new Hono<Env>()
  .get(
    '/',
    ...listRecords(
      collection,
      {
        fundId: textFilter(
          'fundId',
          'Only payments from the fund with this id.',
          'fund-warm-rooms',
        ),
        grantId: textFilter(
          'grantId',
          'Only payments of the grant application with this id.',
          'application-118',
        ),
        status: enumFilter('status', statuses, 'Only payments with this status.', 'PAID'),
      },
      { 'payment.method': 'BACS' },
    ),
  )
  .get('/:disbursementId', ...getRecord(resource))
  .route('/', writeRoutes(resource))
