import * as z from 'zod'
import { KeyExpiry } from '../auth/key-expiry.ts'
import { faultOfRights } from '../model/rights.ts'

/** How long a rotated key may work on, in seconds. */
export const graces = {
  'not at all': 0,
  'one hour': 3600,
  'one day': 86_400,
  'one week': 7 * 86_400,
  'thirty days': 30 * 86_400,
} as const

const graceNames = Object.keys(graces) as (keyof typeof graces)[]

/** What is asked of someone who rotates a key. */
export const RotateForm = z.object({
  grace: z
    .enum(graceNames, `must be one of ${graceNames.join(', ')}.`)
    .transform((name) => graces[name]),
})

/** What is asked of someone who creates a key. */
export const CreateForm = z.object({
  name: z
    .string('must be given.')
    .trim()
    .min(1, 'must be given.')
    .max(100, 'must have at most 100 characters.'),
  expires: z.preprocess((given) => given || undefined, KeyExpiry.optional()),
  may: z
    .union([z.array(z.string()), z.string().transform((right) => [right])])
    .default([])
    .superRefine((given, ctx) => {
      const fault = faultOfRights(given)
      if (fault) ctx.addIssue(fault)
    }),
})
