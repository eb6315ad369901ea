import { Hono } from 'hono'
import * as z from 'zod'
import type { Env } from '../auth/env.ts'
import { enumFilter, textFilter } from '../http/named-filters.ts'
import type { Collection } from '../model/collection.ts'
import {
  boolean,
  created,
  date,
  external,
  id,
  listOf,
  managedBy,
  nullableText,
  number,
  object,
  oneOf,
  text,
  timestamp,
  updated,
} from '../model/properties/types.ts'
import { listRecords, recordResource } from './routes/record-routes.ts'
import { getRecord } from './routes/single-route.ts'
import { writeRoutes } from './routes/write-routes.ts'

/** The statuses of an application, in the order in which it goes through them. */
export const statuses = [
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
  organisationId: text(
    'The id of the organisation that is to get the grant, where it is one.',
    'dunmallow-arts',
  ),
  name: text('The name of who is to get the grant.', 'Dunmallow Arts Collective'),
  email: text('The e-mail address of who is to get the grant.', 'office@example.org'),
  phone: text('The telephone number of who is to get the grant.', '0113 496 0111'),
  postcode: text('The postcode of who is to get the grant, as it was given.', 'LS11 0ES'),
  type: text('Whether that is an `individual` or an `organisation`.', 'organisation'),
}

const Submission = z.strictObject({
  date: timestamp('When the report was handed in, in UTC.'),
  interactionId: text('The id of the survey response that is the report.', 'response-58'),
  status: text('What has become of the report; its values are the source’s.', 'approved'),
  rejectionReason: nullableText(
    'Why it was sent back; null if it was not.',
    'The budget is missing.',
  ),
  funderApproved: boolean('Whether the funder has accepted it.'),
  funderApprovedAt: timestamp(
    'When the funder accepted it, in UTC; null while it has not.',
    '2026-03-20T16:05:00.000Z',
  ),
})

const MonitoringRequest = z
  .strictObject({
    id: text('The id of the request: unique within its application.', 'request-1'),
    monitoringFormId: text('The id of the form to report by.', 'form-progress'),
    deadline: timestamp('Until when the report is due, in UTC.', '2026-09-30T22:59:59.000Z'),
    emailReminderSentAt: timestamp(
      'When a reminder was sent, in UTC; null if none was.',
      '2026-09-16T08:00:00.000Z',
    ),
    sendReminder: boolean('Whether a reminder is sent before the deadline.'),
    warningDays: number('How many days before the deadline the reminder is sent.', 14),
    submissions: listOf(Submission, 'The reports that were handed in, oldest first.'),
  })
  .meta({ id: 'MonitoringRequest' })

/** Contract 2.11. */
export const GrantApplication = z
  .strictObject({
    applicationId: id(
      'The id of the application: unique among the organisation’s applications.',
      'application-118',
    ),
    fundId: text('The id of the fund that is applied to.', 'fund-warm-rooms'),
    granteeId: text('The id of who applies, in the system it comes from.', 'grantee-40'),
    identifier: number('The number of the application, for people.', 118),
    title: text('What the money is for, in a line.', 'A warm room on Thursdays'),
    description: text(
      'What the money is for.',
      'Soup, heating and somebody to talk to, from November to March.',
    ),
    currency: text('The currency of all its amounts, by its ISO 4217 code.', 'GBP'),
    amountApplied: number('What was applied for, in its currency.', 3000),
    amountAwarded: number('What was awarded, in its currency; null while nothing is.', 2750),
    amountDisbursed: number('What has been paid out, in its currency.', 1000),
    status: oneOf(statuses, 'How far it has come.', 'approved'),
    managedBy: managedBy(),
    recipient: object('Who is to get the grant.', {
      ...listedRecipient,
      registeredId: text('Their number in the register they are in.', '1123456'),
      registrationType: text('Which register that is.', 'charity'),
      address: text('Their address, without the postcode.', '3 Mill Lane, Leeds'),
      country: text('The country they are in.', 'England'),
    }),
    dates: object('When what happened to it, and when the grant runs.', {
      awarded: timestamp(
        'When it was awarded, in UTC; null while it is not.',
        '2026-10-20T09:00:00.000Z',
      ),
      submitted: timestamp('When it was handed in, in UTC.', '2026-09-28T14:41:00.000Z'),
      recommended: timestamp(
        'When it was recommended, in UTC; null if it was not.',
        '2026-10-12T10:00:00.000Z',
      ),
      rejected: timestamp(
        'When it was rejected, in UTC; null if it was not.',
        '2026-10-12T10:00:00.000Z',
      ),
      grantStart: timestamp('When the grant begins, in UTC.', '2026-11-01T00:00:00.000Z'),
      grantEnd: timestamp('When the grant ends, in UTC.', '2027-03-31T22:59:59.000Z'),
      plannedStart: date('The day on which the work is to begin, as `YYYY-MM-DD`.', '2026-11-05'),
      plannedEnd: date('The day on which the work is to end, as `YYYY-MM-DD`.', '2027-03-25'),
    }),
    durationMonths: number('How long the grant runs, in months.', 5),
    summary: text('What assessors wrote of it.', 'Small, well placed, and ready to begin.'),
    feedback: text('What the applicant was told.', 'We were glad to read of your volunteers.'),
    language: text('The language of the application, by its ISO 639 code.', 'en'),
    fromOpenCall: boolean('Whether it came by an open call, and not by invitation.'),
    external: external(),
    created: created(),
    updated: updated(),
    monitoring: object('The reports that the grantee owes and has given.', {
      requests: listOf(MonitoringRequest, 'The reports that are asked for.'),
      latestSubmissionId: text('The id of the latest report.', 'response-58'),
      latestSubmissionDate: timestamp(
        'When the latest report was handed in, in UTC; null if none was.',
      ),
    }),
    actions: object('Who decided, by their accounts.', {
      approvedBy: nullableText('The id of the account that approved it.', 'user-12'),
      rejectedBy: nullableText('The id of the account that rejected it.', 'user-12'),
      recommendedBy: nullableText('The id of the account that recommended it.', 'user-31'),
    }),
  })
  .meta({ id: 'GrantApplication' })

const GrantApplicationListItem = GrantApplication.omit({ monitoring: true, actions: true })
  .extend({ recipient: object('Who is to get the grant.', listedRecipient) })
  .meta({ id: 'GrantApplicationListItem' })

export const collection = {
  name: 'grant-applications',
  plural: 'applications',
  singular: 'application',
  id: 'applicationId',
  record: GrantApplication,
  item: GrantApplicationListItem,
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
          'Only applications to the fund with this id.',
          'fund-warm-rooms',
        ),
        status: enumFilter(
          'status',
          statuses,
          'Only applications that have come this far.',
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
      { 'recipient.postcode': 'LS11 0ES' },
    ),
  )
  .get('/:applicationId', ...getRecord(resource))
  .route('/', writeRoutes(resource))
