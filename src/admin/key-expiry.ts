import * as z from 'zod'
import { toTimestamp } from '../model/properties/types.ts'

/** When a new key ends, as a timestamp: of a day, with its end in UTC; of a time in ISO 8601, then. It must not have passed. */
export const KeyExpiry = z
  .string()
  .transform((text, ctx) => {
    const isDay = z.iso.date().safeParse(text).success
    const end = toTimestamp(isDay ? `${text}T23:59:59.999Z` : text)
    if (end) return end
    ctx.addIssue('must be a real date such as 2027-01-31, or a time in ISO 8601 form.')
    return z.NEVER
  })
  .refine((end) => end > new Date().toISOString(), 'must not be in the past.')
