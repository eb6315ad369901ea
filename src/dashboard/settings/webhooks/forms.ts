import * as z from 'zod'
import { collectionNames } from '../../../model/collection-names.ts'
import { fromLondon } from '../../../model/uk-time.ts'
import { type AddressRules, validateAddress } from '../../../webhooks/address.ts'
import { changeNames } from '../../../webhooks/message.ts'
import { checkboxValues } from '../../ui/checkbox.ts'

/** What is asked of someone who adds a webhook to a service with these surroundings. */
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

/** What is asked of someone who has everything sent again since a time of the United Kingdom. */
export const ResendForm = z.object({
  since: z
    .string('must be given.')
    .transform(fromLondon)
    .pipe(z.string('must be a day and a time that there is.')),
})

const atLeastOneOf = (names: readonly string[]) =>
  checkboxValues.refine(
    (values) => values.length > 0 && values.every((name) => names.includes(name)),
    `must be at least one of ${names.join(', ')}.`,
  )
