import type { Env } from '../auth/env.ts'
import { booleanFilter, enumFilter } from '../http/filters.ts'
import { Hono } from '../http/hono.ts'
import type { Collection } from '../model/collection.ts'
import {
  boolean,
  choice,
  created,
  external,
  id,
  listOf,
  managedBy,
  number,
  object,
  record,
  text,
  textList,
  timestamp,
  updated,
} from '../model/properties/types.ts'
import { listRoute } from './routes/list-route.ts'
import { recordList, recordResource } from './routes/record-routes.ts'
import { getRecord } from './routes/single-route.ts'
import { writeRoutes } from './routes/write-routes.ts'

const recipientTypes = ['individual', 'organisation'] as const

export const fundRecord = record('Fund', {
  fundId: id('The id of the fund: unique among the organisation’s funds.', 'fund-warm-rooms'),
  managedBy: managedBy(),
  name: text('The name of the fund.', 'Warm Rooms'),
  description: text(
    'The description of the fund.',
    'Grants for places where people can be warm in winter.',
  ),
  identifier: text('A human-readable code, such as in letters to grantees.', 'WR-2026'),
  contact: object('The contact for questions.', {
    name: text('The name of the contact.', 'Priya Shah'),
    email: text('The email address of the contact.', 'grants@example.org'),
  }),
  guidelines: text('The guidelines for applicants.', 'Apply by the end of September.'),
  eligibilityCriteria: text(
    'The conditions for applicants.',
    'Charities in Leeds with an income below £250,000.',
  ),
  currency: text('The currency of all its amounts, by its ISO 4217 code.', 'GBP'),
  financials: object('The amounts of the fund, in its currency and in whole units with decimals.', {
    totalAmount: number('The total amount of the fund.', 50000),
    amountAwarded: number('The amount awarded so far.', 27500),
    amountDisbursed: number('The amount paid so far.', 12000),
    maxGrantSize: number('The maximum grant; null for no limit.', 5000),
  }),
  dates: object('The dates of the fund.', {
    start: timestamp('The start, in UTC.', '2026-09-01T00:00:00.000Z'),
    end: timestamp('The end, in UTC.', '2027-03-31T22:59:59.000Z'),
    applicationsOpen: timestamp('The opening of applications, in UTC.', '2026-08-01T08:00:00.000Z'),
    applicationsClose: timestamp(
      'The deadline for applications, in UTC.',
      '2026-09-30T16:00:00.000Z',
    ),
  }),
  whatWeFund: text('The purposes that the fund supports.', 'Heating, food and staff.'),
  whatWeWontFund: text('The purposes that the fund excludes.', 'Building works.'),
  isOpenCall: boolean('Whether anyone can apply without an invitation.'),
  recipientType: choice(recipientTypes, 'The type of recipient.', 'organisation'),
  forms: object('The forms of the fund.', {
    applicationFormId: text('The id of the application form.', 'form-application'),
    assessmentFormId: text('The id of the assessment form.', 'form-scorecard'),
    monitoringFormIds: textList('The ids of the forms for grantees’ reports.', 'form-progress'),
  }),
  external: external(),
  created: created(),
  updated: updated(),
  strengths: text('The strengths that assessors look for.', 'Run by people who live nearby.'),
  weaknesses: text('The weaknesses that assessors watch for.', 'No plan for the time after.'),
  assessment: object('The settings for assessments.', {
    simpleAssessment: boolean('Whether assessors give one score instead of one per criterion.'),
    verbosity: number('The level of detail of an assessment, on the source’s scale.', 2),
  }),
  assessors: object('The assessors of applications.', {
    userIds: textList('The ids of the assessors’ accounts.', 'user-12'),
    groups: listOf(
      {
        id: text('The id of the group.', 'panel-1'),
        name: text('The name of the group.', 'Leeds panel'),
        assessorIds: textList('The ids of the accounts in the group.', 'user-12', 'user-31'),
      },
      'Groups of accounts that assess together.',
    ),
  }),
  geography: object('The area for grantees.', {
    geopoint: object('The centre of the circle.', {
      latitude: number('In degrees, WGS 84, north of the equator positive.', 53.79),
      longitude: number('In degrees, WGS 84, east of Greenwich positive.', -1.55),
    }),
    radius: number('The radius of the circle, in `radiusUnit`.', 10),
    radiusUnit: text('The unit of `radius`, such as `miles` or `km`.', 'miles'),
    geoMode: text(
      'Whether the circle or the boundaries apply; the source defines the values.',
      'radius',
    ),
    boundaryLocations: text(
      'The areas for grantees, as the source writes them.',
      'Leeds; Bradford',
    ),
  }),
  applicationNumbering: object('The numbering of applications.', {
    latestApplicationNumber: number('The number of the latest application.', 118),
    firstApplicationNumber: number('The number of the first application.', 100),
  }),
  agreement: object('The agreement that grantees sign.', {
    templateId: text('The id of its template in the source system.', 'template-grant'),
    requiredGranteeSignatures: number('The number of signatures from the grantee.', 1),
    requiredFunderSignatures: number('The number of signatures from the funder.', 2),
  }),
})

const {
  strengths: _strengths,
  weaknesses: _weaknesses,
  assessment: _assessment,
  assessors: _assessors,
  geography: _geography,
  applicationNumbering: _applicationNumbering,
  agreement: _agreement,
  ...listedProperties
} = fundRecord.properties

export const collection = {
  name: 'funds',
  plural: 'funds',
  singular: 'fund',
  id: 'fundId',
  record: fundRecord,
  item: record('FundListItem', listedProperties),
} satisfies Collection

export const resource = recordResource(collection)

export const list = recordList(collection, {
  isOpenCall: booleanFilter('isOpenCall', 'Only funds that anyone can apply to, or only others.'),
  recipientType: enumFilter(
    'recipientType',
    recipientTypes,
    'Only funds for this type of recipient.',
    'organisation',
  ),
})

export const routes = new Hono<Env>()
  .get('/', listRoute(list))
  .get('/:fundId', getRecord(resource))
  .route('/', writeRoutes(resource))
