import type * as z from 'zod'
import { toValidationErrors, type ValidationError } from '../../model/validation-error.ts'
import { Disbursement } from '../../resources/disbursements.ts'
import { GrantApplication } from '../../resources/grant-applications.ts'
import { FundTotals } from './fund-totals.ts'
import { createGrantProgrammes } from './grant-programmes.ts'
import { toRecipient } from './grant-recipient.ts'
import { isFromOpenCall, PublishedGrant, source } from './published-grant.ts'

/** The records that a published grant becomes; the disbursement when it says that money was paid. */
export type GrantRecords = {
  application: z.output<typeof GrantApplication>
  disbursement?: z.output<typeof Disbursement>
}

/**
 * Turns the grants of a file in the 360Giving Data Standard into an organisation's records
 * (contract 2.10 to 2.12). `add` gives those of one grant, or all that is wrong with it by its
 * published properties; `funds` gives the funds of the grants added so far that had no fault, with
 * the totals of these, or with others.
 */
export function createGrantConverter(organisationId: string) {
  const ids = new Set<string>()
  const programmes = createGrantProgrammes(organisationId)
  const addedTotals = new FundTotals()
  return {
    add(grant: unknown): GrantRecords | { errors: ValidationError[] } {
      const parsed = PublishedGrant.safeParse(grant)
      if (!parsed.success) return { errors: toValidationErrors(parsed.error) }
      const published = parsed.data
      if (ids.has(published.id)) {
        return { errors: [{ field: 'id', message: 'is the id of an earlier grant.' }] }
      }
      ids.add(published.id)
      const fundId = programmes.add(published)
      const application = toApplication(published, fundId, organisationId)
      addedTotals.add(application)
      return (published.amountDisbursed ?? 0) > 0
        ? { application, disbursement: toDisbursement(application) }
        : { application }
    },

    funds: (totals = addedTotals) => programmes.funds(totals),
  }
}

// What a published grant may be is narrower than what these records may: they cannot refuse it.
function toApplication(grant: PublishedGrant, fundId: string, organisationId: string) {
  const { amountAwarded, amountDisbursed, plannedDates, actualDates } = grant
  const isFullyPaid = amountAwarded > 0 && (amountDisbursed ?? 0) >= amountAwarded
  return GrantApplication.parse({
    applicationId: grant.id,
    fundId,
    granteeId: (grant.recipientOrganization ?? grant.recipientIndividual)?.id,
    identifier: trailingNumber(grant.id),
    title: grant.title,
    description: grant.description,
    currency: grant.currency,
    amountApplied: grant.amountAppliedFor,
    amountAwarded,
    amountDisbursed,
    status: isFullyPaid ? 'fully_paid' : 'approved',
    managedBy: organisationId,
    recipient: toRecipient(grant),
    dates: {
      awarded: grant.awardDate,
      grantStart: actualDates?.startDate,
      grantEnd: actualDates?.endDate,
      plannedStart: plannedDates?.startDate,
      plannedEnd: plannedDates?.endDate,
    },
    durationMonths: plannedDates?.duration,
    fromOpenCall: isFromOpenCall(grant),
    external: { id: grant.id, source },
    updated: grant.dateModified,
  })
}

function toDisbursement(application: GrantRecords['application']) {
  return Disbursement.parse({
    disbursementId: `${application.applicationId}-disbursed`,
    managedBy: application.managedBy,
    grantId: application.applicationId,
    fundId: application.fundId,
    amount: application.amountDisbursed,
    currency: application.currency,
    status: 'PAID',
    dataSource: 'import',
    updated: application.updated,
  })
}

/** The number that a grant's id ends with; null when there is none, or more digits than a number holds. */
function trailingNumber(id: string): number | null {
  const number = Number(/(?<!\d)\d+$/.exec(id)?.[0] ?? Number.NaN)
  return Number.isSafeInteger(number) ? number : null
}
