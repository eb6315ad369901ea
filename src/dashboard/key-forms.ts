import * as z from 'zod'
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
    .enum(graceNames, `Keep the old key: must be one of ${graceNames.join(', ')}.`)
    .transform((name) => graces[name]),
})

/** What is asked of someone who creates a key; it works to the end of the day it expires on. */
export const CreateForm = z.object({
  name: z
    .string('Name: must be given.')
    .trim()
    .min(1, 'Name: must be given.')
    .max(100, 'Name: must have at most 100 characters.'),
  expires: z
    .union([
      z.literal('').transform(() => undefined),
      z.iso
        .date('Expires: must be a real date in the form YYYY-MM-DD.')
        .transform((day) => `${day}T23:59:59.999Z`)
        .refine((end) => end > new Date().toISOString(), 'Expires: must not be in the past.'),
    ])
    .optional(),
  may: z
    .union([z.array(z.string()), z.string().transform((right) => [right])])
    .default([])
    .superRefine((given, ctx) => {
      const fault = faultOfRights(given)
      if (fault) ctx.addIssue(`May: ${fault}`)
    }),
})
