import * as z from 'zod'
import { isPathSegment } from '../../model/properties/types.ts'
import { messages } from '../../model/validation-error.ts'
import {
  amount,
  currency,
  day,
  moment,
  months,
  optional,
  organisationId,
  requiredText,
  text,
  yesOrNo,
} from './published-values.ts'

/** What records made of published grants name as their external source. */
export const source = '360Giving'

const notAnObject = 'is not an object.'

/** One object of a list that may hold several: the first, which is the only one in nearly every grant. */
const firstObject = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.preprocess(
    (value) => (Array.isArray(value) ? value[0] : value) ?? undefined,
    z.object(shape, notAnObject).optional(),
  )

const recipient = {
  name: requiredText(),
  email: text(),
  telephone: text(),
  streetAddress: text(),
  addressLocality: text(),
  addressRegion: text(),
  addressCountry: text(),
  postalCode: text(),
}

/**
 * A grant as the 360Giving Data Standard publishes it, and as its publishers write it: what this
 * API's records take from it. An error's path is that of the published property.
 */
export const PublishedGrant = z
  .object(
    {
      // A disbursement's id is the grant's with an ending.
      id: requiredText(240).refine(isPathSegment, messages.pathSegment),
      title: text(),
      description: text(),
      currency: currency(),
      amountAppliedFor: optional(amount()),
      amountAwarded: amount(),
      amountDisbursed: optional(amount()),
      awardDate: moment(),
      plannedDates: firstObject({
        startDate: optional(day()),
        endDate: optional(day()),
        duration: optional(months()),
      }),
      actualDates: firstObject({ startDate: optional(moment()), endDate: optional(moment()) }),
      recipientOrganization: firstObject({
        ...recipient,
        id: organisationId(),
        charityNumber: text(),
        companyNumber: text(),
      }),
      recipientIndividual: firstObject({ ...recipient, id: text() }),
      fundingOrganization: firstObject({ id: organisationId(), name: text() }),
      grantProgramme: firstObject({ code: text(), title: text(), description: text() }),
      fromOpenCall: yesOrNo(),
      'Open Call?': yesOrNo(),
      dateModified: optional(moment()),
    },
    notAnObject,
  )
  .refine((grant) => grant.recipientOrganization ?? grant.recipientIndividual, {
    path: ['recipientOrganization'],
    error: 'must be there, or recipientIndividual.',
    // Also beside other errors, but for that of being no object.
    when: ({ issues }) => issues.every(({ path }) => path?.length),
  })

export type PublishedGrant = z.output<typeof PublishedGrant>

/** Whether a grant came from an open call; publishers of spreadsheets name the column "Open Call?". */
export const isFromOpenCall = ({ fromOpenCall, 'Open Call?': column }: PublishedGrant) =>
  fromOpenCall ?? column ?? fromOpenCall
