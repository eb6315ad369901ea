import { Hono } from 'hono'
import * as z from 'zod'
import type { Env } from '../auth/env.ts'
import { booleanFilter, enumFilter } from '../http/named-filters.ts'
import type { Collection } from '../model/collection.ts'
import {
  boolean,
  created,
  external,
  id,
  listOf,
  managedBy,
  number,
  object,
  oneOf,
  text,
  texts,
  timestamp,
  updated,
} from '../model/properties/types.ts'
import { listRecords, recordResource } from './routes/record-routes.ts'
import { getRecord } from './routes/single-route.ts'
import { writeRoutes } from './routes/write-routes.ts'

const recipientTypes = ['individual', 'organisation'] as const

/** Contract 2.10. */
export const Fund = z
  .strictObject({
    fundId: id('The id of the fund: unique among the organisation’s funds.', 'fund-warm-rooms'),
    managedBy: managedBy(),
    name: text('What the fund is called.', 'Warm Rooms'),
    description: text('What the fund is.', 'Grants for places where people can be warm in winter.'),
    identifier: text('A code for people, such as one in letters to grantees.', 'WR-2026'),
    contact: object('Whom to ask.', {
      name: text('The name of whom to ask.', 'Priya Shah'),
      email: text('The e-mail address of whom to ask.', 'grants@example.org'),
    }),
    guidelines: text('What applicants are to keep to.', 'Apply by the end of September.'),
    eligibilityCriteria: text(
      'Who may apply.',
      'Charities in Leeds with an income below £250,000.',
    ),
    currency: text('The currency of all its amounts, by its ISO 4217 code.', 'GBP'),
    financials: object('Its money, in its currency and in whole units with decimals.', {
      totalAmount: number('What there is to give, in all.', 50000),
      amountAwarded: number('What has been awarded so far.', 27500),
      amountDisbursed: number('What has been paid out so far.', 12000),
      maxGrantSize: number('The largest grant; null if that is not limited.', 5000),
    }),
    dates: object('When it runs and takes applications.', {
      start: timestamp('When it begins, in UTC.', '2026-09-01T00:00:00.000Z'),
      end: timestamp('When it ends, in UTC.', '2027-03-31T22:59:59.000Z'),
      applicationsOpen: timestamp(
        'From when it takes applications, in UTC.',
        '2026-08-01T08:00:00.000Z',
      ),
      applicationsClose: timestamp(
        'Until when it takes applications, in UTC.',
        '2026-09-30T16:00:00.000Z',
      ),
    }),
    whatWeFund: text('What it pays for.', 'Heating, food and staff.'),
    whatWeWontFund: text('What it does not pay for.', 'Building works.'),
    isOpenCall: boolean('Whether anybody may apply, and not only those who are asked to.'),
    recipientType: oneOf(recipientTypes, 'Whom it gives to.', 'organisation'),
    forms: object('The forms that it uses.', {
      applicationFormId: text('The id of the form to apply by.', 'form-application'),
      assessmentFormId: text(
        'The id of the form that applications are assessed by.',
        'form-scorecard',
      ),
      monitoringFormIds: texts('The ids of the forms that grantees report by.', 'form-progress'),
    }),
    external: external(),
    created: created(),
    updated: updated(),
    strengths: text('What assessors are to look for.', 'Run by people who live nearby.'),
    weaknesses: text('What assessors are to be wary of.', 'No plan for the time after.'),
    assessment: object('How applications are assessed.', {
      simpleAssessment: boolean('Whether one score is given, and not one for each criterion.'),
      verbosity: number('How much is to be written in an assessment, as the source grades it.', 2),
    }),
    assessors: object('Who assesses applications.', {
      userIds: texts('The ids of the accounts that assess.', 'user-12'),
      groups: listOf(
        z.strictObject({
          id: text('The id of the group.', 'panel-1'),
          name: text('What the group is called.', 'Leeds panel'),
          assessorIds: texts('The ids of the accounts in it.', 'user-12', 'user-31'),
        }),
        'Groups of accounts that assess together.',
      ),
    }),
    geography: object('Where grantees must be.', {
      geopoint: object('The middle of a circle.', {
        latitude: number('In degrees, WGS 84, north of the equator positive.', 53.79),
        longitude: number('In degrees, WGS 84, east of Greenwich positive.', -1.55),
      }),
      radius: number('How large the circle is, in `radiusUnit`.', 10),
      radiusUnit: text('The unit of `radius`, such as `miles` or `km`.', 'miles'),
      geoMode: text(
        'Whether the circle or the boundaries count; its values are the source’s.',
        'radius',
      ),
      boundaryLocations: text(
        'The areas within which grantees must be, as the source writes them.',
        'Leeds; Bradford',
      ),
    }),
    applicationNumbering: object('How applications are numbered.', {
      latestApplicationNumber: number('The number of the latest application.', 118),
      firstApplicationNumber: number('The number of the first application.', 100),
    }),
    agreement: object('The agreement that grantees sign.', {
      templateId: text('The id of its template in the system it comes from.', 'template-grant'),
      requiredGranteeSignatures: number('How many must sign for the grantee.', 1),
      requiredFunderSignatures: number('How many must sign for the funder.', 2),
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

const resource = recordResource(collection)

export const routes = new Hono<Env>()
  .get(
    '/',
    ...listRecords(
      collection,
      {
        isOpenCall: booleanFilter(
          'isOpenCall',
          'Only funds that anybody may apply to, or the others.',
        ),
        recipientType: enumFilter(
          'recipientType',
          recipientTypes,
          'Only funds that give to these.',
          'organisation',
        ),
      },
      { 'contact.email': 'grants@example.org' },
    ),
  )
  .get('/:fundId', ...getRecord(resource))
  .route('/', writeRoutes(resource))
