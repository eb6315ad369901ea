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

/** The external source of records from published grants. */
export const source = '360Giving'

const notAnObject = 'is not an object.'

/** Parses an object, or the first object of a list: nearly every grant has only one. */
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
 * The properties of a 360Giving grant that this API's records use, in the forms that publishers
 * write. Error paths are those of the published properties.
 */
export const PublishedGrant = z
  .object(
    {
      // A disbursement's id adds a suffix to this id.
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
    // Also report this with other errors, unless the grant is not an object.
    when: ({ issues }) => issues.every(({ path }) => path?.length),
  })

export type PublishedGrant = z.output<typeof PublishedGrant>

/** Whether a grant came from an open call. Spreadsheet publishers name the column "Open Call?". */
export const isFromOpenCall = ({ fromOpenCall, 'Open Call?': column }: PublishedGrant) =>
  fromOpenCall ?? column ?? fromOpenCall
