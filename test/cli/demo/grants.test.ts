import { expect, test } from 'vitest'
import { demoDate } from '../../../src/admin/move-dates.ts'
import { demo, sum } from './records.ts'

const { applications } = demo

test('every status is there', () => {
  expect(new Set(applications.map(({ status }) => status)).size).toBe(9)
  expect(new Set(demo.disbursements.map(({ status }) => status)).size).toBe(5)
})

test('a fund awarded and disbursed what its applications did, within its means', () => {
  for (const { fundId, financials, dates, applicationNumbering } of demo.funds) {
    const fundApplications = applications.filter((application) => application.fundId === fundId)
    expect(financials.amountAwarded).toBe(
      sum(fundApplications.map(({ amountAwarded }) => amountAwarded)),
    )
    expect(financials.amountDisbursed).toBe(sum(fundApplications.map((one) => one.amountDisbursed)))
    expect(financials.amountAwarded).toBeLessThanOrEqual(financials.totalAmount ?? 0)
    const { firstApplicationNumber, latestApplicationNumber } = applicationNumbering
    expect((firstApplicationNumber ?? 0) + fundApplications.length - 1).toBe(
      latestApplicationNumber,
    )
    for (const application of fundApplications) {
      expect(application.amountApplied).toBeLessThanOrEqual(financials.maxGrantSize ?? 0)
      const order = [dates.applicationsOpen, application.dates.submitted, dates.applicationsClose]
      expect(order.toSorted()).toEqual(order)
    }
  }
})

test('an application was paid what its disbursements paid, and all of it once fully paid', () => {
  for (const {
    applicationId,
    fundId,
    status,
    amountAwarded,
    amountDisbursed,
    amountApplied,
  } of applications) {
    const payments = demo.disbursements.filter(({ grantId }) => grantId === applicationId)
    const of = (...statuses: string[]) =>
      sum(payments.filter((one) => statuses.includes(one.status)).map(({ amount }) => amount))
    const awarded = ['approved', 'fully_paid', 'completed'].includes(status)
    expect(payments.every((payment) => payment.fundId === fundId)).toBe(true)
    expect(amountAwarded !== 0).toBe(awarded)
    expect(amountAwarded).toBeLessThanOrEqual(amountApplied ?? 0)
    expect(amountDisbursed).toBe(of('PAID'))
    expect(amountAwarded).toBe(of('PAID', 'SCHEDULED', 'PENDING'))
    if (awarded) expect(amountDisbursed === amountAwarded).toBe(status !== 'approved')
  }
})

test('what an application has gone through has a time and a person, in order', () => {
  for (const { status, created, updated, dates, actions } of applications) {
    const awarded = ['approved', 'fully_paid', 'completed'].includes(status)
    expect([dates.awarded !== null, actions.approvedBy !== null]).toEqual([awarded, awarded])
    expect(dates.grantStart !== null).toBe(awarded)
    const recommended = awarded || status === 'recommended'
    expect(dates.recommended !== null).toBe(recommended)
    expect(actions.recommendedBy !== null).toBe(recommended)
    expect(dates.rejected !== null).toBe(status === 'rejected')
    expect(actions.rejectedBy !== null).toBe(status === 'rejected')
    const order = [created, dates.submitted, dates.recommended, dates.awarded].filter(
      (time) => time !== null,
    )
    expect(order.toSorted()).toEqual(order)
    expect([...order, updated].toSorted().at(-1)).toBe(updated)
    expect((updated ?? '').slice(0, 10) <= demoDate).toBe(true)
  }
})

test('a report is in once it was asked for and sent', () => {
  const reports = demo.responses.filter(({ surveyId }) => surveyId === 'form-progress-report')
  const sent = applications.flatMap(({ monitoring }) =>
    monitoring.requests.flatMap(({ submissions }) => submissions),
  )
  expect(sent.map(({ interactionId }) => interactionId).toSorted()).toEqual(
    reports.map(({ responseId }) => responseId).toSorted(),
  )
  for (const { monitoring } of applications) {
    const latest = monitoring.requests.flatMap(({ submissions }) => submissions).at(-1)
    expect(monitoring.latestSubmissionId).toBe(latest?.interactionId ?? '')
    expect(monitoring.latestSubmissionDate).toBe(latest?.date ?? null)
  }
})
