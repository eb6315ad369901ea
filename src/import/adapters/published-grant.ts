import * as z from 'zod'
import { isPathSegment } from '../../model/properties/types.ts'
import { messages } from '../../model/validation-error.ts'
import {
  amount,
  currency,
  day,
  moment,
  months,
  optionalValue,
  organisationId,
  publishedText,
  requiredText,
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
  email: publishedText(),
  telephone: publishedText(),
  streetAddress: publishedText(),
  addressLocality: publishedText(),
  addressRegion: publishedText(),
  addressCountry: publishedText(),
  postalCode: publishedText(),
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
      title: publishedText(),
      description: publishedText(),
      currency: currency(),
      amountAppliedFor: optionalValue(amount()),
      amountAwarded: amount(),
      amountDisbursed: optionalValue(amount()),
      awardDate: moment(),
      plannedDates: firstObject({
        startDate: optionalValue(day()),
        endDate: optionalValue(day()),
        duration: optionalValue(months()),
      }),
      actualDates: firstObject({
        startDate: optionalValue(moment()),
        endDate: optionalValue(moment()),
      }),
      recipientOrganization: firstObject({
        ...recipient,
        id: organisationId(),
        charityNumber: publishedText(),
        companyNumber: publishedText(),
      }),
      recipientIndividual: firstObject({ ...recipient, id: publishedText() }),
      fundingOrganization: firstObject({ id: organisationId(), name: publishedText() }),
      grantProgramme: firstObject({
        code: publishedText(),
        title: publishedText(),
        description: publishedText(),
      }),
      fromOpenCall: yesOrNo(),
      'Open Call?': yesOrNo(),
      dateModified: optionalValue(moment()),
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
