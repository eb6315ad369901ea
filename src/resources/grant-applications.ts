import { Hono } from 'hono'
import * as z from 'zod'
import type { Env } from '../auth/env.ts'
import { enumFilter, textFilter } from '../http/named-filters.ts'
import type { Collection } from '../model/collection.ts'
import {
  boolean,
  date,
  id,
  listOf,
  nullableText,
  number,
  object,
  oneOf,
  text,
  timestamp,
} from '../model/properties.ts'
import { list, records } from '../routes/record-routes.ts'
import { single } from '../routes/single-route.ts'
import { writes } from '../routes/write-routes.ts'

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

const recipientOfItem = {
  organisationId: text(),
  name: text(),
  email: text(),
  phone: text(),
  postcode: text(),
  type: text(),
}

const Submission = z.strictObject({
  date: timestamp(),
  interactionId: text(),
  status: text(),
  rejectionReason: nullableText(),
  funderApproved: boolean(),
  funderApprovedAt: timestamp(),
})

const MonitoringRequest = z
  .strictObject({
    id: text(),
    monitoringFormId: text(),
    deadline: timestamp(),
    emailReminderSentAt: timestamp(),
    sendReminder: boolean(),
    warningDays: number(),
    submissions: listOf(Submission),
  })
  .meta({ id: 'MonitoringRequest' })

/** Contract 2.11. */
export const GrantApplication = z
  .strictObject({
    applicationId: id(),
    fundId: text(),
    granteeId: text(),
    identifier: number(),
    title: text(),
    description: text(),
    currency: text(),
    amountApplied: number(),
    amountAwarded: number(),
    amountDisbursed: number(),
    status: oneOf(statuses),
    managedBy: id(),
    recipient: object({
      ...recipientOfItem,
      registeredId: text(),
      registrationType: text(),
      address: text(),
      country: text(),
    }),
    dates: object({
      awarded: timestamp(),
      submitted: timestamp(),
      recommended: timestamp(),
      rejected: timestamp(),
      grantStart: timestamp(),
      grantEnd: timestamp(),
      plannedStart: date(),
      plannedEnd: date(),
    }),
    durationMonths: number(),
    summary: text(),
    feedback: text(),
    language: text(),
    fromOpenCall: boolean(),
    external: object({ id: text(), source: text() }),
    created: timestamp(),
    updated: timestamp(),
    monitoring: object({
      requests: listOf(MonitoringRequest),
      latestSubmissionId: text(),
      latestSubmissionDate: timestamp(),
    }),
    actions: object({
      approvedBy: nullableText(),
      rejectedBy: nullableText(),
      recommendedBy: nullableText(),
    }),
  })
  .meta({ id: 'GrantApplication' })

const GrantApplicationListItem = GrantApplication.omit({ monitoring: true, actions: true })
  .extend({ recipient: object(recipientOfItem) })
  .meta({ id: 'GrantApplicationListItem' })

export const collection = {
  name: 'grant-applications',
  plural: 'applications',
  singular: 'application',
  id: 'applicationId',
  record: GrantApplication,
  item: GrantApplicationListItem,
} satisfies Collection

const subject = records(collection)

export const routes = new Hono<Env>()
  .get(
    '/',
    ...list(collection, {
      fundId: textFilter('fundId'),
      status: enumFilter('status', statuses),
      granteeId: textFilter('granteeId'),
      recipientOrgId: textFilter('recipient.organisationId'),
    }),
  )
  .get('/:applicationId', ...single(subject))
  .route('/', writes(subject))
