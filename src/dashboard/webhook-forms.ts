import * as z from 'zod'
import { collectionNames } from '../model/collection-names.ts'
import { fromLondon } from '../model/uk-time.ts'
import { addressFault, type Surroundings } from '../webhooks/address.ts'
import { changeNames } from '../webhooks/message.ts'
import { ticked } from './ticked.ts'

/** What is asked of someone who adds a webhook to a service with these surroundings. */
export const webhookForm = (surroundings: Surroundings) =>
  z.object({
    address: z
      .string('must be given.')
      .trim()
      .superRefine((address, ctx) => {
        const fault = addressFault(address, surroundings)
        if (fault) ctx.addIssue(fault)
      }),
    collections: chosen(collectionNames),
    changes: chosen(changeNames),
  })

/** What is asked of someone who has everything sent again since a time of the United Kingdom. */
export const ResendForm = z.object({
  since: z
    .string('must be given.')
    .transform(fromLondon)
    .pipe(z.string('must be a day and a time that there is.')),
})

const chosen = (names: readonly string[]) =>
  ticked.refine(
    (given) => given.length > 0 && given.every((name) => names.includes(name)),
    `must be at least one of ${names.join(', ')}.`,
  )
