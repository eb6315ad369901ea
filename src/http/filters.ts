import { invalidInput } from '../model/api-error.ts'
import type { Filter } from '../model/filter.ts'
import { isInternalKey } from '../model/properties/schema.ts'
import { findNearest } from '../model/spelling.ts'
import { isDate } from '../model/timestamp.ts'
import { messages } from '../model/validation-error.ts'
import {
  booleanParameter,
  convertedText,
  mapParameter,
  oneOf,
  type Parameter,
  textParameter,
} from './parameters.ts'

export const textFilter = (field: string, description: string, example: string) =>
  toFilter(field, textParameter({ description, example }))

export const booleanFilter = (field: string, description: string, example = true) =>
  toFilter(field, booleanParameter({ description, example }))

export const enumFilter = <Value extends string>(
  field: string,
  values: readonly Value[],
  description: string,
  example: NoInfer<Value>,
) => toFilter(field, oneOf(values, { description, example }))

export const dateFilter = (field: string, description: string, example: string) =>
  toFilter(
    field,
    convertedText((text) => (isDate(text) ? text : undefined), messages.date, {
      description,
      example,
      format: 'date',
    }),
  )

/** A filter on the field with the value of a parameter. */
const toFilter = (field: string, parameter: Parameter<string> | Parameter<boolean>) =>
  mapParameter<string | boolean, Filter>(parameter, (value) => ({ field, values: [value] }))

/** Selects how a list handles filters on unknown fields (RFC 7240). */
export const preferHeaders = {
  // The first `handling` counts.
  Prefer: mapParameter(
    textParameter({
      description:
        '`handling=strict` rejects a filter on an unknown field with 400, which names the parameter and the nearest field. Otherwise the list is empty, and the header `Warning` names both.',
      example: 'handling=strict',
      isAddition: true,
    }),
    (header) => handling.exec(header)?.[1]?.toLowerCase() === 'strict',
  ),
}

const handling = /(?:^|,)\s*handling\s*=\s*"?(strict|lenient)"?\s*(?=[,;]|$)/i

const maxWarnings = 3
const maxQuotedLength = 64

/**
 * The headers for the filters of a list. `Warning` names the first unknown or hidden fields,
 * each with the nearest visible field. Throws 400 instead if the handling is strict.
 */
export function checkFilters(
  { filters, isStrict }: { filters: readonly Filter[]; isStrict?: boolean | undefined },
  listFields: () => ReadonlySet<string>,
): Record<string, string> {
  const fields = filters.length > 0 ? listFields() : new Set<string>()
  const unknown = filters
    .filter(({ field }) => !fields.has(field) && !isInternalKey(field))
    .map(({ field, parameter = field }) => parameter)
  if (isStrict) {
    if (unknown.length > 0) throw invalidInput(unknown.map((name) => unknownField(name, fields)))
    return { 'Preference-Applied': 'handling=strict' }
  }
  if (unknown.length === 0) return {}
  const warnings = unknown.slice(0, maxWarnings).map((name) => {
    const nearest = findNearest(name, fields)
    const suggestion = nearest && ` Did you mean ${quote(nearest)}?`
    return `299 - "Unknown filter ${quote(name)}.${suggestion}"`
  })
  const others = unknown.length - warnings.length
  if (others > 0) warnings.push(`299 - "Unknown filters besides these: ${others}."`)
  return { Warning: warnings.join(', ') }
}

function unknownField(name: string, fields: ReadonlySet<string>) {
  const nearest = findNearest(name, fields)
  const suggestion = nearest && ` Did you mean ${nearest}?`
  const message = `is not a field of these records.${suggestion}`
  return { field: name, message, code: 'unknown_field' as const }
}

/** Quotes a name for a header. Headers hold only ASCII, so other characters are percent-encoded. */
function quote(name: string): string {
  const text = name.slice(0, maxQuotedLength).replaceAll(/\p{Surrogate}/gu, '\ufffd')
  return `\\"${text.replaceAll(/[^\x20-\x7e]|["\\%]/gu, encodeURIComponent)}\\"`
}
