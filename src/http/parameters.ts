import { ApiError } from '../model/api-error.ts'
import {
  type ErrorCode,
  messages,
  type Validated,
  type ValidationError,
} from '../model/validation-error.ts'

/*
 * Query parameters and request headers. One description gives both the parser of a request and the
 * parameter in OpenAPI. It needs no Zod, which takes longer to load than the rest of a first read.
 */

/** A query parameter or a request header. */
export type Parameter<Value, Absent = undefined> = {
  parse: (text: string) => Parsed<Value>
  /** The value without the parameter, or the error if it is required. */
  absent: Parsed<Absent>
  description: string
  /** The JSON Schema of its values. */
  schema: Readonly<Record<string, unknown>>
  /** Whether the contract lacks it. */
  isAddition: boolean
}

/** Parameters by name. */
export type Parameters = Readonly<Record<string, Parameter<unknown, unknown>>>

/** The values of parameters by name. */
export type Values<P extends Parameters> = {
  [Name in keyof P]: P[Name] extends Parameter<infer Value, infer Absent> ? Value | Absent : never
}

/** The parsed value, or every error. */
export type Parsed<Value> =
  | { value: Value }
  | { errors: readonly Pick<ValidationError, 'code' | 'message'>[] }

type Documentation = {
  description: string
  example: unknown
  isAddition?: boolean
}

/** A parameter with its own schema and parser. */
const parameter = <Value>(
  schema: Parameter<Value>['schema'],
  { description, example, isAddition = false }: Documentation,
  parse: (text: string) => Parsed<Value>,
): Parameter<Value> => ({
  parse,
  absent: { value: undefined },
  description,
  schema: { ...schema, examples: [example] },
  isAddition,
})

/** Any text. */
export const textParameter = (documentation: Documentation): Parameter<string> =>
  parameter({ type: 'string' }, documentation, (value) => ({ value }))

/** A text of 1 to `max` characters. */
export const shortText = (
  max: number,
  documentation: Documentation,
  { empty, long }: { empty: string; long: string },
): Parameter<string> =>
  parameter({ type: 'string', minLength: 1, maxLength: max }, documentation, (text) => {
    if (text === '') return invalid('too_short', empty)
    return text.length > max ? invalid('too_long', long) : { value: text }
  })

/** A whole number from `min` to `max`. */
export function wholeNumber(
  min: number,
  max: number,
  documentation: Documentation,
): Parameter<number> {
  const message =
    max < Number.MAX_SAFE_INTEGER
      ? `must be a whole number from ${min} to ${max}.`
      : `must be a whole number of at least ${min}.`
  const schema = { type: 'integer', minimum: min, maximum: max, format: 'int64' }
  return parameter(schema, documentation, (text) => {
    if (!/^\d+$/.test(text)) return invalid('invalid_format', message)
    const value = Number(text)
    if (value < min) return invalid('too_small', message)
    return value > max ? invalid('too_large', message) : { value }
  })
}

/** `true` or `false` in any case. */
export const booleanParameter = (documentation: Documentation): Parameter<boolean> =>
  parameter({ type: 'boolean' }, documentation, (text) =>
    /^(true|false)$/i.test(text)
      ? { value: text.toLowerCase() === 'true' }
      : invalid('invalid_format', messages.boolean),
  )

/** `true` or `false` in any case, false by default. */
export const booleanOption = (description: string) =>
  withDefault(booleanParameter({ description, example: true }), false)

/** `true` or `false` in lower case, `false` by default. */
export const lowerCaseBoolean = (description: string) =>
  withDefault(oneOf(['true', 'false'], { description, example: 'true' }, messages.boolean), 'false')

/** One of some texts. */
export const oneOf = <const Value extends string>(
  values: readonly Value[],
  documentation: Documentation & { example: NoInfer<Value> },
  message = messages.oneOf(values),
): Parameter<Value> =>
  parameter({ type: 'string', enum: values }, documentation, (text) => {
    const value = values.find((it) => it === text)
    return value === undefined ? invalid('not_allowed', message) : { value }
  })

/** A text that `parse` converts; undefined is an error. */
export const convertedText = <Value extends string | object>(
  parse: (text: string) => Value | undefined,
  message: string,
  documentation: Documentation & { format?: string },
): Parameter<Value> => {
  const { format } = documentation
  const schema = { type: 'string', ...(format && { format }) }
  return parameter(schema, documentation, (text) => {
    const value = parse(text)
    return value ? { value } : invalid('invalid_format', message)
  })
}

/** A text that `parse` converts, or throws 400 with its errors. */
export const parsedText = <Value>(
  parse: (text: string) => Value,
  documentation: Documentation,
): Parameter<Value> =>
  parameter<Value>({ type: 'string' }, documentation, (text) => {
    try {
      return { value: parse(text) }
    } catch (error) {
      if (error instanceof ApiError) return { errors: error.errors }
      throw error
    }
  })

/** A parameter whose valid values are converted. */
export const mapParameter = <From, To>(
  parameter: Parameter<From>,
  convert: (value: From) => To,
): Parameter<To> => ({
  ...parameter,
  parse(text) {
    const parsed = parameter.parse(text)
    return 'errors' in parsed ? parsed : { value: convert(parsed.value) }
  },
})

/** A parameter with a value for requests without it. */
export const withDefault = <Value>(
  parameter: Parameter<Value>,
  value: NoInfer<Value>,
): Parameter<Value, Value> => valueIfAbsent(documentDefault(parameter, value), value)

/** A parameter with a value for requests without it, which its schema cannot state: the schema is of the text. */
export const valueIfAbsent = <Value>(
  parameter: Parameter<Value>,
  value: NoInfer<Value>,
): Parameter<Value, Value> => ({ ...parameter, absent: { value } })

/** A parameter with a default that only the documentation states: its absence means something else. */
export const documentDefault = <Value>(
  parameter: Parameter<Value>,
  value: NoInfer<Value>,
): Parameter<Value> => ({ ...parameter, schema: { ...parameter.schema, default: value } })

/** A parameter that a request must have. */
export const required = <Value>(
  parameter: Parameter<Value>,
  message: string,
): Parameter<Value, never> => ({ ...parameter, absent: invalid('required', message) })

const invalid = (code: ErrorCode, message: string) => ({ errors: [{ code, message }] })

/** The value, or the errors if there are any. */
export const toValidated = <Value extends object>(
  value: Value | undefined,
  errors: ValidationError[],
): Validated<Value> => (value && errors.length === 0 ? { value } : { errors })

/** Parses parameters. Adds the errors to `errors` and returns undefined if there are any. */
export function parseParameters<P extends Parameters>(
  parameters: P,
  textOf: (name: string) => string | undefined,
  errors: ValidationError[],
): Values<P> | undefined {
  const countBefore = errors.length
  const values = Object.entries(parameters).map(([name, { parse, absent }]) => {
    const text = textOf(name)
    const parsed = text === undefined ? absent : parse(text)
    if ('value' in parsed) return [name, parsed.value]
    errors.push(...parsed.errors.map(({ message, code }) => ({ field: name, message, code })))
    return [name, undefined]
  })
  // The entries have the names of `parameters`, which Object.fromEntries does not know.
  return errors.length === countBefore ? (Object.fromEntries(values) as Values<P>) : undefined
}
