import type * as z from 'zod'
import { ApiError } from '../../model/api-error.ts'

/** Parses the values the form was rendered with, which it sends back. Throws 400 if they are missing or invalid. */
export function parseRenderedValues<Values>(schema: z.ZodType<Values>, text: unknown): Values {
  try {
    return schema.parse(JSON.parse(String(text)))
  } catch {
    throw new ApiError('BAD_REQUEST', 'Part of the form is missing. Open it again.')
  }
}

/** The error of a field that somebody else changed while the form was open. */
export const describeConflict = (currentValue: string) =>
  `Somebody else changed this to: ${currentValue || '(empty)'}`
