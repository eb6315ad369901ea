import { Hono } from 'hono'
import * as z from 'zod'
import type { Env } from '../auth/env.ts'
import { enumFilter, textFilter } from '../http/named-filters.ts'
import type { Collection } from '../model/collection.ts'
import { id, number, object, oneOf, redacted, text, timestamp } from '../model/properties.ts'
import { list, records } from '../routes/record-routes.ts'
import { single } from '../routes/single-route.ts'
import { writes } from '../routes/write-routes.ts'

const statuses = ['PENDING', 'SCHEDULED', 'PAID', 'CANCELLED', 'FAILED'] as const

/** Contract 2.12; bank details are redacted before they are kept (decisions 9). */
export const Disbursement = z
  .strictObject({
    disbursementId: id(),
    managedBy: id(),
    grantId: text(),
    fundId: text(),
    identifier: text(),
    amount: number(),
    currency: text(),
    status: oneOf(statuses),
    dates: object({ scheduled: timestamp(), processed: timestamp() }),
    payment: object({ method: text(), reference: text() }),
    bankAccount: object({
      accountName: text(),
      bankName: text(),
      accountNumber: redacted(4),
      sortCode: redacted(2),
    }),
    description: text(),
    notes: text(),
    modifiedBy: text(),
    dataSource: text(),
    updated: timestamp(),
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

const subject = records(collection)

export const routes = new Hono<Env>()
  .get(
    '/',
    ...list(collection, {
      fundId: textFilter('fundId'),
      grantId: textFilter('grantId'),
      status: enumFilter('status', statuses),
    }),
  )
  .get('/:disbursementId', ...single(subject))
  .route('/', writes(subject))
