import type * as z from 'zod'

/** An error in a field of the input. */
export type ValidationError = { field: string; message: string }

/** The validated value, or every error. */
export type Validated<Kept> = { value: Kept } | { errors: ValidationError[] }

/** Converts a Zod error; each unknown property becomes one error. */
export function toValidationErrors(error: z.core.$ZodError): ValidationError[] {
  return error.issues.flatMap((issue) => {
    const field = issue.path.join('.')
    if (issue.code !== 'unrecognized_keys') return [{ field, message: issue.message }]
    return issue.keys.map((key) => ({
      field: [...issue.path, key].join('.'),
      message: 'is not a property here.',
    }))
  })
}

/** Formats errors as sentences with their fields: the first hundred and the number of others. */
export function formatErrors(errors: readonly ValidationError[]): string {
  const told = errors.slice(0, mostTold).map(({ field, message }) => {
    const name = field.length > mostOfName ? `${field.slice(0, mostOfName)}…` : field
    return name ? `${name}: ${message}` : message
  })
  const more = errors.length - told.length
  return [...told, ...(more > 0 ? [`And ${more} more.`] : [])].join(' ')
}

const mostTold = 100
const mostOfName = 256
