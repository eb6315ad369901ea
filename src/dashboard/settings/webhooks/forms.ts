import * as z from 'zod'
import { collectionNames } from '../../../model/collection.ts'
import { fromLondon } from '../../../model/timestamp.ts'
import { type AddressRules, validateAddress } from '../../../webhooks/address.ts'
import { changeNames } from '../../../webhooks/message.ts'
import { checkboxValues } from '../../ui/checkbox.ts'

/** Builds the form for a new webhook with the address rules of this installation. */
export const buildWebhookForm = (surroundings: AddressRules) =>
  z.object({
    address: z
      .string('must be given.')
      .trim()
      .superRefine((address, ctx) => {
        const error = validateAddress(address, surroundings)
        if (error) ctx.addIssue(error)
      }),
    collections: atLeastOneOf(collectionNames),
    changes: atLeastOneOf(changeNames),
  })

/** The form that sends every change since a UK time again. */
export const ResendForm = z.object({
  since: z
    .string('must be given.')
    .transform(fromLondon)
    .pipe(z.string('must be a valid date and time.')),
})

const atLeastOneOf = (names: readonly string[]) =>
  checkboxValues.refine(
    (values) => values.length > 0 && values.every((name) => names.includes(name)),
    `must be at least one of ${names.join(', ')}.`,
  )
