import { Hono } from 'hono'
import * as z from 'zod'
import type { Env } from '../auth/env.ts'
import { booleanFilter, enumFilter } from '../http/named-filters.ts'
import type { Collection } from '../model/collection.ts'
import {
  boolean,
  id,
  listOf,
  number,
  object,
  oneOf,
  text,
  texts,
  timestamp,
} from '../model/properties.ts'
import { list, records } from '../routes/record-routes.ts'
import { single } from '../routes/single-route.ts'
import { writes } from '../routes/write-routes.ts'

const recipientTypes = ['individual', 'organisation'] as const

/** Contract 2.10. */
export const Fund = z
  .strictObject({
    fundId: id(),
    managedBy: id(),
    name: text(),
    description: text(),
    identifier: text(),
    contact: object({ name: text(), email: text() }),
    guidelines: text(),
    eligibilityCriteria: text(),
    currency: text(),
    financials: object({
      totalAmount: number(),
      amountAwarded: number(),
      amountDisbursed: number(),
      maxGrantSize: number(),
    }),
    dates: object({
      start: timestamp(),
      end: timestamp(),
      applicationsOpen: timestamp(),
      applicationsClose: timestamp(),
    }),
    whatWeFund: text(),
    whatWeWontFund: text(),
    isOpenCall: boolean(),
    recipientType: oneOf(recipientTypes),
    forms: object({
      applicationFormId: text(),
      assessmentFormId: text(),
      monitoringFormIds: texts(),
    }),
    external: object({ id: text(), source: text() }),
    created: timestamp(),
    updated: timestamp(),
    strengths: text(),
    weaknesses: text(),
    assessment: object({ simpleAssessment: boolean(), verbosity: number() }),
    assessors: object({
      userIds: texts(),
      groups: listOf(z.strictObject({ id: text(), name: text(), assessorIds: texts() })),
    }),
    geography: object({
      geopoint: object({ latitude: number(), longitude: number() }),
      radius: number(),
      radiusUnit: text(),
      geoMode: text(),
      boundaryLocations: text(),
    }),
    applicationNumbering: object({
      latestApplicationNumber: number(),
      firstApplicationNumber: number(),
    }),
    agreement: object({
      templateId: text(),
      requiredGranteeSignatures: number(),
      requiredFunderSignatures: number(),
    }),
  })
  .meta({ id: 'Fund' })

const FundListItem = Fund.omit({
  strengths: true,
  weaknesses: true,
  assessment: true,
  assessors: true,
  geography: true,
  applicationNumbering: true,
  agreement: true,
}).meta({ id: 'FundListItem' })

export const collection = {
  name: 'funds',
  plural: 'funds',
  singular: 'fund',
  id: 'fundId',
  record: Fund,
  item: FundListItem,
} satisfies Collection

const subject = records(collection)

export const routes = new Hono<Env>()
  .get(
    '/',
    ...list(collection, {
      isOpenCall: booleanFilter('isOpenCall'),
      recipientType: enumFilter('recipientType', recipientTypes),
    }),
  )
  .get('/:fundId', ...single(subject))
  .route('/', writes(subject))
