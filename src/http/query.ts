import { invalidInput } from '../model/api-error.ts'
import { messages, type Validated, type ValidationError } from '../model/validation-error.ts'
import type { ValueType } from '../model/value-types.ts'
import {
  documentDefault,
  type Parameters,
  parseParameters,
  textParameter,
  toValidated,
  type Values,
  wholeNumber,
} from './parameters.ts'

/** The values of each parameter of a request. */
export type RawQuery = Readonly<Record<string, readonly string[]>>

/** The parser of a whole query, and its parameters for the documentation. */
export type QueryContract<Query extends object = object> = {
  parse: (query: RawQuery) => Validated<Query>
  parameters: Parameters
  /** The properties of a list's records that the query can filter by. */
  filteredProperties?: () => readonly { name: string; type: ValueType }[]
}

/** The number of items in a page by default. */
export const defaultLimit = 100

/** The maximum number of items in a page. */
export const maxLimit = 250

/** The maximum number of items. */
export const limitParameter = (description: string, example: number) =>
  documentDefault(wholeNumber(1, maxLimit, { description, example }), defaultLimit)

/** The parameter that every route accepts. Authentication reads it before the query is parsed. */
export const organisationParameter = {
  organisationId: textParameter({
    description:
      'The organisation of the credentials. Optional with a key, which belongs to one organisation. Required with a token, except for a single schema or member, where the path determines it.',
    example: 'oak-trust',
  }),
}

/** A query that accepts only `options` and rejects other parameters by name. */
export function closedQuery<Options extends Parameters = Record<never, never>>(
  options?: Options,
): QueryContract<Values<Options>> {
  const routeOptions = { ...options } as Options
  const parameters = { ...organisationParameter, ...routeOptions }
  return {
    parameters,
    parse(rawQuery) {
      const errors: ValidationError[] = []
      const query = rejectDuplicates(rawQuery, errors)
      const unknown = [...query.keys()].filter((name) => !Object.hasOwn(parameters, name))
      rejectUnknown(unknown, errors)
      const value = parseParameters(routeOptions, (name) => query.get(name), errors)
      return toValidated(value, errors)
    },
  }
}

/** The text of each parameter. A repeated one is an error and has none. */
export function rejectDuplicates(
  rawQuery: RawQuery,
  errors: ValidationError[],
): ReadonlyMap<string, string> {
  const query = new Map<string, string>()
  for (const [field, [text = '', ...others]] of Object.entries(rawQuery)) {
    if (others.length === 0) query.set(field, text)
    else errors.push({ field, message: messages.repeated, code: 'duplicate' })
  }
  return query
}

/** Reports unknown parameters. */
export function rejectUnknown(names: readonly string[], errors: ValidationError[]) {
  for (const field of names)
    errors.push({ field, message: 'is not a parameter of this route.', code: 'unknown_field' })
}

/** Parses a query as a route does. Throws 400 with every error. */
export function parseQuery<Query extends object>(
  { parse }: QueryContract<Query>,
  query: RawQuery,
): Query {
  const parsed = parse(query)
  if ('errors' in parsed) throw invalidInput(parsed.errors)
  return parsed.value
}

/** The values of each parameter in an address. */
export const toRawQuery = (params: URLSearchParams): RawQuery =>
  Object.fromEntries([...new Set(params.keys())].map((name) => [name, params.getAll(name)]))
