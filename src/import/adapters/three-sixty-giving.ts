import { isObject } from '../../model/json.ts'
import type { Values } from '../../model/properties/schema.ts'
import { type ValidationError, validate } from '../../model/validation-error.ts'
import { recordRules } from '../../records/record-rules.ts'
import type { Rules } from '../../records/rules.ts'
import { collection as applications } from '../../resources/grant-applications.ts'
import type { FundTotals } from './fund-totals.ts'
import { createGrantProgrammes } from './grant-programmes.ts'
import { toRecipient } from './grant-recipient.ts'
import { isFromOpenCall, PublishedGrant, source } from './published-grant.ts'

/** The records of a published grant, with a disbursement if money was paid. Properties missing from the file are undefined, so a merge keeps the stored values. */
export type GrantRecords = {
  application: ReturnType<typeof toApplication>
  disbursement?: ReturnType<typeof toDisbursement>
}

/**
 * Returns a converter for grants in the 360Giving Data Standard. `add`
 * returns the records or errors of one grant; `funds` returns the funds of the valid grants so far.
 */
export function createGrantConverter(organisationId: string) {
  const ids = new Set<string>()
  const programmes = createGrantProgrammes(organisationId)
  return {
    add(grant: unknown): GrantRecords | { errors: ValidationError[] } {
      const result = validate(PublishedGrant, grant)
      if ('errors' in result) return result
      const published = result.value
      if (ids.has(published.id)) {
        return {
          errors: [{ field: 'id', message: 'is the id of an earlier grant.', code: 'duplicate' }],
        }
      }
      ids.add(published.id)
      const application = toApplication(published, programmes.add(published), organisationId)
      return (published.amountDisbursed ?? 0) > 0
        ? { application, disbursement: toDisbursement(application) }
        : { application }
    },

    funds: (totals: FundTotals) => programmes.funds(totals),
  }
}

/** The rules for the applications of published grants. The standard has no status, so the merged amounts determine it. */
export function publishedApplicationRules(organisationId: string): Rules {
  const rules = recordRules(applications, organisationId)
  return {
    ...rules,
    dependsOnBefore: true,
    merge(before, patch) {
      if (!isObject(patch)) return rules.merge(before, patch)
      return rules.merge(before, { ...patch, status: toStatus({ ...before, ...patch }) })
    },
  }
}

function toStatus({ status, amountAwarded, amountDisbursed }: Values): string {
  // Keep `completed`: only the organisation knows that a grant has ended.
  if (status === 'completed') return status
  const isFullyPaid =
    Number(amountAwarded) > 0 && Number(amountDisbursed ?? 0) >= Number(amountAwarded)
  return isFullyPaid ? 'fully_paid' : 'approved'
}

function toApplication(grant: PublishedGrant, fundId: string, organisationId: string) {
  const { plannedDates, actualDates } = grant
  return {
    applicationId: grant.id,
    fundId,
    granteeId: (grant.recipientOrganization ?? grant.recipientIndividual)?.id,
    identifier: trailingNumber(grant.id),
    title: grant.title,
    description: grant.description,
    currency: grant.currency,
    amountApplied: grant.amountAppliedFor,
    amountAwarded: grant.amountAwarded,
    amountDisbursed: grant.amountDisbursed,
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
  }
}

function toDisbursement(application: ReturnType<typeof toApplication>) {
  return {
    disbursementId: `${application.applicationId}-disbursed`,
    managedBy: application.managedBy,
    grantId: application.applicationId,
    fundId: application.fundId,
    amount: application.amountDisbursed,
    currency: application.currency,
    status: 'PAID',
    dataSource: 'import',
    updated: application.updated,
  }
}

/** The number at the end of a grant's id; undefined if it is missing or exceeds a safe integer. */
function trailingNumber(id: string): number | undefined {
  const number = Number(/(?<!\d)\d+$/.exec(id)?.[0] ?? Number.NaN)
  return Number.isSafeInteger(number) ? number : undefined
}
