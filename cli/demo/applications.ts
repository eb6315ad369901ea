import {
  at,
  dayOf,
  daysAfter,
  dayWithin,
  earlier,
  earliestFirst,
  later,
  monthsAfter,
  officeTime,
} from './calendar.ts'
import type { Disbursement } from './disbursements.ts'
import type { Fund } from './funds.ts'
import type { Member } from './members.ts'
import { monitoring } from './monitoring.ts'
import { organisation, staffIds } from './organisation.ts'
import type { Partner } from './partners.ts'
import { projects } from './projects.ts'
import { type Recipient, recipients } from './recipients.ts'
import { type Seeded, seeded } from './seeded.ts'
import { type Status, submittedWithin, tally } from './statuses.ts'

export type Application = ReturnType<typeof application>

/** What was applied for at each fund, in the order in which it was begun; nothing has been paid yet. */
export function applications(funds: Fund[], partners: Partner[], members: Member[]): Application[] {
  const random = seeded('applications')
  return funds
    .flatMap((fund) =>
      tally(fund.fundId)
        .map((status) => ({ status, submitted: submissionDay(random, fund, status) }))
        .toSorted((one, other) => earliestFirst(one.submitted, other.submitted))
        .map(({ status, submitted }, index) => {
          const identifier = fund.applicationNumbering.firstApplicationNumber + index
          const recipient = random.pick(recipients(fund, submitted, partners, members))
          return application(random, fund, { identifier, status, submitted, recipient })
        }),
    )
    .toSorted((one, other) => earliestFirst(one.created, other.created))
}

/** The applications with what was paid of each. */
export function withPayments(
  applications: Application[],
  disbursements: Disbursement[],
): Application[] {
  return applications.map((application) => {
    const paid = disbursements.filter(
      ({ grantId, status }) => grantId === application.applicationId && status === 'PAID',
    )
    return {
      ...application,
      amountDisbursed: paid.reduce((sum, { amount }) => sum + amount, 0),
      updated: paid.reduce((last, { updated }) => later(last, updated), application.updated),
    }
  })
}

function submissionDay(random: Seeded, { dates }: Fund, status: Status): string {
  const [from, to] = submittedWithin[status]
  return dayWithin(random, from, earlier(to, dayOf(dates.applicationsClose)))
}

function application(
  random: Seeded,
  fund: Fund,
  given: { identifier: number; status: Status; submitted: string; recipient: Recipient },
) {
  const { identifier, status, submitted, recipient } = given
  const applicationId = `application-${identifier}`
  const { isOpenCall, recipientType, financials } = fund
  const forIndividuals = recipientType === 'individual'
  const awarded = ['approved', 'fully_paid', 'completed'].includes(status)
  const recommended = awarded || status === 'recommended'
  const rejected = status === 'rejected'

  const months = random.pick(forIndividuals ? [1, 2, 3] : [6, 9, 12])
  const plannedStart = daysAfter(submitted, 90)
  const plannedEnd = daysAfter(monthsAfter(plannedStart, months), -1)
  const dateAfter = (from: number, to: number) =>
    officeTime(random, daysAfter(submitted, random.integer(from, to)))
  const dates = {
    awarded: awarded ? dateAfter(45, 75) : null,
    submitted: officeTime(random, submitted),
    recommended: recommended ? dateAfter(30, 40) : null,
    rejected: rejected ? dateAfter(35, 60) : null,
    grantStart: awarded ? at(plannedStart, '00:00') : null,
    grantEnd: awarded ? at(plannedEnd, '23:59') : null,
    plannedStart,
    plannedEnd,
  }

  const step = forIndividuals ? 10 : 100
  const most = financials.maxGrantSize / step
  const amountApplied = step * random.integer(Math.ceil(most / 5), most)
  const share = random.pick([1, 1, 1, 0.9, 0.75])
  const { title, summary } = random.pick(projects[fund.fundId] ?? [])
  const created = officeTime(random, daysAfter(submitted, -random.integer(3, 20)))
  const reports = monitoring(random, fund, { identifier, status, plannedStart, plannedEnd })
  return {
    applicationId,
    fundId: fund.fundId,
    granteeId: recipient.granteeId,
    identifier,
    title,
    description: summary,
    currency: fund.currency,
    amountApplied,
    amountAwarded: awarded ? step * Math.round((amountApplied * share) / step) : 0,
    amountDisbursed: 0,
    status,
    managedBy: organisation.id,
    recipient: recipient.shown,
    dates,
    durationMonths: months,
    summary,
    feedback: rejected ? 'More good applications came in than the fund can pay for.' : '',
    language: 'en',
    fromOpenCall: isOpenCall,
    external: { id: '', source: '' },
    created,
    updated: [
      dates.submitted,
      dates.recommended,
      dates.awarded,
      dates.rejected,
      ...reports.requests.flatMap(({ submissions }) => submissions.map(({ date }) => date)),
      status === 'completed' ? dates.grantEnd : null,
    ].reduce<string>((last, time) => later(last, time ?? ''), ''),
    monitoring: reports,
    actions: {
      approvedBy: awarded ? random.pick(staffIds) : null,
      rejectedBy: rejected ? random.pick(staffIds) : null,
      recommendedBy: recommended ? random.pick(staffIds) : null,
    },
  }
}
