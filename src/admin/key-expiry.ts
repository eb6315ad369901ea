import * as z from 'zod'
import { toTimestamp } from '../model/timestamp.ts'

/** Parses the expiry of a new key: a future time in ISO 8601. A day means its end in UTC. */
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
