import * as z from 'zod'
import { ApiError } from '../../model/api-error.ts'
import type { ValidationError } from '../../model/validation-error.ts'

/** Parses the ticked values of a checkbox group: forms send nothing for none and a plain text for one. */
export const checkboxValues = z
  .union([z.array(z.string()), z.string().transform((value) => [value])])
  .default(() => [])

/** Joins the messages of each form field. `toFieldName` turns an error's path into the name of a form field. */
export function groupErrorsByField(
  errors: readonly ValidationError[],
  toFieldName = firstSegment,
): Record<string, string> {
  const errorsByField = Map.groupBy(errors, ({ field }) => toFieldName(field))
  return Object.fromEntries(
    [...errorsByField].map(([field, fieldErrors]) => [
      field,
      fieldErrors.map(({ message }) => message).join(' '),
    ]),
  )
}

const firstSegment = (path: string) => path.split('.')[0] ?? ''

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
