import type * as z from 'zod'

/** What is wrong with a field of what was given. */
export type ValidationError = { field: string; message: string }

/** What was given as it is to be kept, or everything that is wrong with it. */
export type Validated<Kept> = { value: Kept } | { errors: ValidationError[] }

/** The errors of a Zod error; a property that is not known is a fault of its own. */
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

/** ErrorCollector in one sentence each, named by their fields; of many the first hundred, and how many more there are. */
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
