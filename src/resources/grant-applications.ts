import type { Env } from '../auth/env.ts'
import { enumFilter, textFilter } from '../http/filters.ts'
import { Hono } from '../http/hono.ts'
import type { Collection } from '../model/collection.ts'
import {
  boolean,
  choice,
  created,
  date,
  external,
  id,
  listOf,
  managedBy,
  nullableText,
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

/** The statuses of an application, in their usual order. */
export const applicationStatuses = [
  'pending',
  'applied',
  'in_review',
  'reviewed',
  'recommended',
  'rejected',
  'approved',
  'fully_paid',
  'completed',
] as const

const listedRecipient = {
  organisationId: text('The id of the recipient, if it is an organisation.', 'dunmallow-arts'),
  name: text('The name of the recipient.', 'Dunmallow Arts Collective'),
  email: text('The email address of the recipient.', 'office@example.org'),
  phone: text('The telephone number of the recipient.', '0113 496 0111'),
  postcode: text('The postcode of the recipient, as the source wrote it.', 'LS11 0ES'),
  type: text('The type of recipient: `individual` or `organisation`.', 'organisation'),
}

const submissionProperties = {
  date: timestamp('The submission of the report, in UTC.'),
  interactionId: text('The id of the survey response that is the report.', 'response-58'),
  status: text('The status of the report; the source defines its values.', 'approved'),
  rejectionReason: nullableText(
    'The reason for sending it back; null if it was not.',
    'The budget is missing.',
  ),
  funderApproved: boolean('Whether the funder accepted the report.'),
  funderApprovedAt: timestamp(
    'The acceptance by the funder, in UTC; null before it.',
    '2026-03-20T16:05:00.000Z',
  ),
}

const requestProperties = {
  id: text('The id of the request: unique within its application.', 'request-1'),
  monitoringFormId: text('The id of the form for the report.', 'form-progress'),
  deadline: timestamp('The deadline of the report, in UTC.', '2026-09-30T22:59:59.000Z'),
  emailReminderSentAt: timestamp(
    'The last reminder, in UTC; null if none was sent.',
    '2026-09-16T08:00:00.000Z',
  ),
  sendReminder: boolean('Whether to send a reminder before the deadline.'),
  warningDays: number('The number of days between reminder and deadline.', 14),
  submissions: listOf(submissionProperties, 'The submitted reports, oldest first.'),
}

export const grantApplicationRecord = record('GrantApplication', {
  applicationId: id(
    'The id of the application: unique among the organisation’s applications.',
    'application-118',
  ),
  fundId: text('The id of the fund.', 'fund-warm-rooms'),
  granteeId: text('The id of the applicant in the source system.', 'grantee-40'),
  identifier: number('The human-readable number of the application.', 118),
  title: text('The purpose of the grant in one line.', 'A warm room on Thursdays'),
  description: text(
    'The purpose of the grant.',
    'Soup, heating and somebody to talk to, from November to March.',
  ),
  currency: text('The currency of all its amounts, by its ISO 4217 code.', 'GBP'),
  amountApplied: number('The requested amount, in its currency.', 3000),
  amountAwarded: number('The awarded amount, in its currency; null before an award.', 2750),
  amountDisbursed: number('The paid amount, in its currency.', 1000),
  status: choice(applicationStatuses, 'The status of the application.', 'approved'),
  managedBy: managedBy(),
  recipient: object('The recipient of the grant.', {
    ...listedRecipient,
    registeredId: text('The number in the register.', '1123456'),
    registrationType: text('The type of register.', 'charity'),
    address: text('Their address, without the postcode.', '3 Mill Lane, Leeds'),
    country: text('The country they are in.', 'England'),
  }),
  dates: object('The dates of the application and the grant.', {
    awarded: timestamp('The award, in UTC; null before it.', '2026-10-20T09:00:00.000Z'),
    submitted: timestamp('The submission, in UTC.', '2026-09-28T14:41:00.000Z'),
    recommended: timestamp(
      'The recommendation, in UTC; null without one.',
      '2026-10-12T10:00:00.000Z',
    ),
    rejected: timestamp('The rejection, in UTC; null without one.', '2026-10-12T10:00:00.000Z'),
    grantStart: timestamp('The start of the grant, in UTC.', '2026-11-01T00:00:00.000Z'),
    grantEnd: timestamp('The end of the grant, in UTC.', '2027-03-31T22:59:59.000Z'),
    plannedStart: date('The planned start of the work, as `YYYY-MM-DD`.', '2026-11-05'),
    plannedEnd: date('The planned end of the work, as `YYYY-MM-DD`.', '2027-03-25'),
  }),
  durationMonths: number('The duration of the grant, in months.', 5),
  summary: text('The assessors’ summary.', 'Small, well placed, and ready to begin.'),
  feedback: text('The feedback to the applicant.', 'We were glad to read of your volunteers.'),
  language: text('The language of the application, by its ISO 639 code.', 'en'),
  fromOpenCall: boolean('Whether it came through an open call instead of an invitation.'),
  external: external(),
  created: created(),
  updated: updated(),
  monitoring: object('The reports of the grantee.', {
    requests: listOf(requestProperties, 'The requested reports.', 'MonitoringRequest'),
    latestSubmissionId: text('The id of the latest report.', 'response-58'),
    latestSubmissionDate: timestamp(
      'The submission of the latest report, in UTC; null without one.',
    ),
  }),
  actions: object('The accounts that made decisions.', {
    approvedBy: nullableText('The id of the account that approved the application.', 'user-12'),
    rejectedBy: nullableText('The id of the account that rejected the application.', 'user-12'),
    recommendedBy: nullableText(
      'The id of the account that recommended the application.',
      'user-31',
    ),
  }),
})

const {
  monitoring: _monitoring,
  actions: _actions,
  ...listedProperties
} = grantApplicationRecord.properties

export const collection = {
  name: 'grant-applications',
  plural: 'applications',
  singular: 'application',
  id: 'applicationId',
  record: grantApplicationRecord,
  item: record('GrantApplicationListItem', {
    ...listedProperties,
    recipient: object('The recipient of the grant.', listedRecipient),
  }),
} satisfies Collection

export const resource = recordResource(collection)

export const list = recordList(
  collection,
  {
    fundId: textFilter('fundId', 'Only applications to the fund with this id.', 'fund-warm-rooms'),
    status: enumFilter(
      'status',
      applicationStatuses,
      'Only applications with this status.',
      'approved',
    ),
    granteeId: textFilter(
      'granteeId',
      'Only applications of the grantee with this id.',
      'grantee-40',
    ),
    recipientOrgId: textFilter(
      'recipient.organisationId',
      'Only applications for the organisation with this id.',
      'dunmallow-arts',
    ),
  },
  { funds: () => import('./funds.ts') },
)

export const routes = new Hono<Env>()
  .get('/', listRoute(list))
  .get('/:applicationId', getRecord(resource))
  .route('/', writeRoutes(resource))
