import * as z from 'zod'
import { fieldFunctionNames, fieldFunctions } from '../model/query/field-functions.ts'
import type { FilterExpression } from '../model/query/filter-expression.ts'
import { functionOperators, infixOperators } from '../model/query/operators.ts'
import { parseFilter } from '../model/query/parse-filter.ts'
import { messages } from '../model/validation-error.ts'

const maxRecords = 100
const maxCharacters = 4096

/** The maximum number of records in a result. */
export const limitInput = z
  .int('must be a whole number.')
  .min(1, 'must be at least 1.')
  .max(maxRecords, `must be at most ${maxRecords}.`)
  .default(20)
  .meta({ description: 'The maximum number of records to return.' })

/** A text in the spelling of a list's query option. */
export const optionInput = (description: string, ...examples: string[]) =>
  z
    .string(messages.text)
    .max(maxCharacters, messages.maxCharacters(maxCharacters))
    .optional()
    .meta({ description, examples })

export const filterInput = optionInput(
  `Only records that pass a condition, in the syntax of OData 4.01 with the names of \`describe\`: ${infixOperators.join(', ')}, in ('a','b'), and, or, not, ${functionOperators.map((name) => `${name}(field,'x')`).join(', ')}, ${fieldFunctionNames.map((name) => fieldFunctions[name].example).join(', ')}, field eq null. Texts are in single quotes ('O''Brien') and case-sensitive without tolower; dates are 2026-01-01, times 2026-01-01T00:00:00Z. Names with spaces are in double quotes: "Full Name". A list passes if one of its elements does. A field of a referenced record follows the name of the reference: on bookings, event.tags eq 'Food'.`,
  'date ge 2026-01-01 and date lt 2027-01-01',
  "tags in ('Food','Music') and not contains(tolower(name),'test')",
)

/** Parses a filter. Throws 400 with the position of the first error. */
export const parseOptionalFilter = (text: string | undefined): FilterExpression | undefined =>
  text === undefined ? undefined : parseFilter(text)
