import * as z from 'zod'
import { invalidInput } from '../model/api-error.ts'
import type { Filter } from '../model/filter.ts'
import { isInternalKey } from '../model/properties/schema.ts'
import { findNearest } from '../model/spelling.ts'
import { messages } from '../model/validation-error.ts'
import { addition } from './contract.ts'

export const textFilter = (field: string, description: string, example: string) =>
  z
    .string()
    .transform((text): Filter => ({ field, values: [text] }))
    .meta({ description, examples: [example] })

export const booleanFilter = (field: string, description: string, example = true) =>
  z
    .string()
    .regex(/^(true|false)$/i, messages.boolean)
    .meta({ type: 'boolean', pattern: undefined })
    .transform((text): Filter => ({ field, values: [text.toLowerCase() === 'true'] }))
    .meta({ description, examples: [example] })

export const enumFilter = <Value extends string>(
  field: string,
  values: readonly Value[],
  description: string,
  example: NoInfer<Value>,
) =>
  z
    .enum(values, messages.oneOf(values))
    .transform((text): Filter => ({ field, values: [text] }))
    .meta({ description, examples: [example] })

export const dateFilter = (field: string, description: string, example: string) =>
  z.iso
    .date(messages.date)
    .transform((text): Filter => ({ field, values: [text] }))
    .meta({ description, examples: [example] })

/** Selects how a list handles filters on unknown fields (RFC 7240). */
export const preferHeaders = z.object({
  Prefer: z
    .string()
    .optional()
    // The first `handling` counts.
    .transform((header = '') => handling.exec(header)?.[1]?.toLowerCase() === 'strict')
    .meta({
      description:
        '`handling=strict` rejects a filter on an unknown field with 400, which names the parameter and the nearest field. Otherwise the list is empty, and the header `Warning` names both.',
      ...addition,
      examples: ['handling=strict'],
    }),
})

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
