import type * as z from 'zod'
import { formatNumber } from '../platform/format-number.ts'
import { valueAt } from './json.ts'

/** The machine-readable codes of validation errors. Codes are stable; messages may change. */
export const errorCodes = [
  'required',
  'invalid_type',
  'invalid_format',
  'not_allowed',
  'too_long',
  'too_short',
  'too_large',
  'too_small',
  'too_many_errors',
  'unknown_field',
  'duplicate',
  'not_unique',
  'not_found',
  'ambiguous',
  'conflict',
  'read_only',
  'hidden',
  // Files and their cells.
  'unreadable',
  'extra_cells',
  'spreadsheet_error',
  'lost_digits',
  'invalid_boolean',
  'invalid_number',
  'other_currency',
  'invalid_date',
  'other_date_order',
  'clock_change',
] as const

export type ErrorCode = (typeof errorCodes)[number]

/** What a limit counts; a limit of a number counts nothing. */
export type Unit = 'character' | 'digit' | 'word' | 'option' | 'entry' | 'row'

/** The limits and the values that an error is about. */
type ErrorParameters = {
  min?: number
  max?: number
  unit?: Unit
  /** The number that exceeds a limit. */
  count?: number
  /** The allowed values. */
  values?: readonly string[]
}

/** A problem with a value, without words: `describeProblem` of each language in `src/texts/` has these. */
export type Problem = { code: ErrorCode; parameters?: ErrorParameters | undefined }

/** An error in a field of the input, with its message for clients of the API. */
export type ValidationError = Problem & { field: string; message: string }

/** The validated value, or every error. */
export type Validated<Value> = { value: Value } | { errors: ValidationError[] }

/** The messages that several validations share. */
export const messages = {
  text: 'must be a text.',
  list: 'must be a list.',
  boolean: 'must be true or false.',
  date: 'must be a real date in the form YYYY-MM-DD.',
  time: 'must be a real time in ISO 8601 form, such as 2025-03-01T09:30:00.000Z.',
  notEmpty: 'must not be empty.',
  pathSegment: 'must not be . or .., which no path can hold.',
  oneOf: (values: readonly string[]) => `must be one of: ${values.join(', ')}.`,
  maxCharacters: (max: number) => `must have at most ${max} characters.`,
  notUnique: 'is already used by another record.',
  repeated: 'may appear only once.',
} as const

/** The error of a text with too many characters. */
export const tooLong = (field: string, max: number): ValidationError => ({
  field,
  message: messages.maxCharacters(max),
  code: 'too_long',
  parameters: { max, unit: 'character' },
})

/** Validates input with a Zod schema. */
export function validate<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
): Validated<z.output<Schema>> {
  const result = schema.safeParse(input)
  return result.success
    ? { value: result.data }
    : { errors: toValidationErrors(result.error, input) }
}

/** Converts a Zod error for `input` to validation errors. Each unknown property becomes an error. */
export function toValidationErrors(error: z.core.$ZodError, input: unknown): ValidationError[] {
  return error.issues.flatMap((issue): ValidationError[] => {
    const field = issue.path.join('.')
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({
        field: [...issue.path, key].join('.'),
        message: 'is not a property here.',
        code: 'unknown_field',
      }))
    }
    const isMissing = valueAt(input, issue.path.map(String)) === undefined
    const code = isMissing && typeIssues.has(issue.code) ? 'required' : codeFor(issue)
    return [{ field, message: issue.message, code, parameters: parametersOf(issue) }]
  })
}

/** Parameters that give a custom Zod issue a code. The default code is `invalid_format`. */
export const withCode = (code: ErrorCode, parameters?: ErrorParameters) => ({
  params: { code, parameters },
})

const typeIssues = new Set(['invalid_type', 'invalid_value', 'invalid_union'])

function codeFor(issue: z.core.$ZodIssue): ErrorCode {
  switch (issue.code) {
    case 'invalid_type':
    case 'invalid_union':
      return 'invalid_type'
    case 'invalid_value':
      return 'not_allowed'
    case 'too_big':
      return issue.origin === 'number' ? 'too_large' : 'too_long'
    case 'too_small':
      return issue.origin === 'number' ? 'too_small' : 'too_short'
    case 'custom':
      return errorCodes.find((code) => code === issue.params?.code) ?? 'invalid_format'
    default:
      return 'invalid_format'
  }
}

function parametersOf(issue: z.core.$ZodIssue): ErrorParameters | undefined {
  switch (issue.code) {
    case 'invalid_value':
      return { values: issue.values.map(String) }
    case 'too_big':
      return { max: Number(issue.maximum), ...unitOf(issue) }
    case 'too_small':
      return { min: Number(issue.minimum), ...unitOf(issue) }
    case 'custom':
      return issue.params?.parameters
    default:
      return undefined
  }
}

function unitOf({ origin }: { origin: string }): { unit?: Unit } {
  if (origin === 'string') return { unit: 'character' }
  return origin === 'array' ? { unit: 'entry' } : {}
}

const maxErrors = 100
const maxFieldCharacters = 256

/** The first hundred errors as clients of the API get them, which have no parameters. */
export const firstErrors = (errors: readonly ValidationError[]): ValidationError[] =>
  errors.slice(0, maxErrors).map(({ field, parameters: _, ...error }) => ({
    field: field.length > maxFieldCharacters ? `${field.slice(0, maxFieldCharacters)}…` : field,
    ...error,
  }))

/** Formats the first hundred errors as sentences and adds the number of others. */
export function formatErrors(errors: readonly ValidationError[]): string {
  const sentences = firstErrors(errors).map(({ field, message }) =>
    field ? `${field}: ${message}` : message,
  )
  const others = errors.length - sentences.length
  if (others > 0) sentences.push(`And ${formatNumber(others)} more errors.`)
  return sentences.join(' ')
}
