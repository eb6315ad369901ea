import * as z from 'zod'
import type { Filter } from '../model/filter.ts'
import { isInternalKey } from '../model/properties/schema.ts'
import { editDistance } from '../model/spelling.ts'
import { messages } from '../model/validation-error.ts'

/** Returns a named filter on a text that matches the whole value, case-sensitively. */
export const textFilter = (field: string, description: string, example: string) =>
  z
    .string()
    .transform((text): Filter => ({ field, values: [text] }))
    .meta({ description, examples: [example] })

/** Returns a named filter on a boolean: `true` or `false` in any case. */
export const booleanFilter = (field: string, description: string, example = true) =>
  z
    .string()
    .regex(/^(true|false)$/i, messages.boolean)
    .meta({ type: 'boolean', pattern: undefined })
    .transform((text): Filter => ({ field, values: [text.toLowerCase() === 'true'] }))
    .meta({ description, examples: [example] })

/** Returns a named filter on an enumeration that accepts one of its values. */
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

/** Returns a named filter on a plain date: a valid `YYYY-MM-DD`. */
export const dateFilter = (field: string, description: string, example: string) =>
  z.iso
    .date(messages.date)
    .transform((text): Filter => ({ field, values: [text] }))
    .meta({ description, examples: [example] })

const maxComparedLength = 64

/** Returns a `Warning` header if a filter names an unknown field, with the nearest field (additions 6). */
export function buildFilterWarning(
  filters: readonly Filter[],
  listFields: () => ReadonlySet<string>,
): { Warning?: string } {
  if (filters.length === 0) return {}
  const fields = listFields()
  const unknown = filters.find(({ field }) => !fields.has(field) && !isInternalKey(field))
  if (!unknown) return {}
  const nearest = findNearest(unknown.field, fields)
  const suggestion = nearest && ` Did you mean ${quote(nearest)}?`
  return { Warning: `299 - "Unknown filter ${quote(unknown.field)}.${suggestion}"` }
}

function findNearest(name: string, fields: ReadonlySet<string>): string {
  const target = toComparable(name)
  let best = { field: '', distance: Number.POSITIVE_INFINITY }
  for (const field of fields) {
    const distance = editDistance(target, toComparable(field))
    if (distance < best.distance) best = { field, distance }
  }
  return best.field
}

/** Quotes a name for a header. Headers hold only ASCII, so other characters are percent-encoded. */
function quote(name: string): string {
  const text = name.slice(0, maxComparedLength).replaceAll(/\p{Surrogate}/gu, '\ufffd')
  return `\\"${text.replaceAll(/[^\x20-\x7e]|["\\%]/gu, encodeURIComponent)}\\"`
}

// Limits the time that a long name from a client can take.
const toComparable = (name: string) => name.toLowerCase().slice(0, maxComparedLength)
