import type * as z from 'zod'
import { ApiError } from '../model/api-error.ts'

/** What a form said when it was first shown, as it sends that along. Throws 400 where it does not. */
export function wasIn<Was>(type: z.ZodType<Was>, text: unknown): Was {
  try {
    return type.parse(JSON.parse(String(text)))
  } catch {
    throw new ApiError('BAD_REQUEST', 'The form was not sent whole: open it again.')
  }
}

/** What is said at a field that somebody else has changed since. */
export const madeThis = (now: string) => `Somebody else made this: ${now || 'nothing'}`
