import type * as z from 'zod'
import { ApiError } from '../../model/api-error.ts'

/** What a form said when it was first shown, as it sends that along. Throws 400 where it does not. */
export function parseRenderedValues<Values>(schema: z.ZodType<Values>, text: unknown): Values {
  try {
    return schema.parse(JSON.parse(String(text)))
  } catch {
    throw new ApiError('BAD_REQUEST', 'The form was not sent whole: open it again.')
  }
}

/** What is said at a field that somebody else has changed since. */
export const describeConflict = (currentValue: string) =>
  `Somebody else made this: ${currentValue || 'nothing'}`
