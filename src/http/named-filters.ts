import * as z from 'zod'
import type { Filter } from '../model/filter.ts'
import { messages } from '../model/validation-error.ts'

/** A named filter on a text, matched whole and case-sensitively. */
export const textFilter = (field: string, description: string, example: string) =>
  z
    .string()
    .transform((text): Filter => ({ field, values: [text] }))
    .meta({ description, examples: [example] })

/** A named filter on a boolean: `true` or `false` in any case. */
export const booleanFilter = (field: string, description: string, example = true) =>
  z
    .string()
    .regex(/^(true|false)$/i, messages.boolean)
    .meta({ type: 'boolean', pattern: undefined })
    .transform((text): Filter => ({ field, values: [text.toLowerCase() === 'true'] }))
    .meta({ description, examples: [example] })

/** A named filter on an enumeration: one of its values. */
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

/** A named filter on a plain date: a real `YYYY-MM-DD`. */
export const dateFilter = (field: string, description: string, example: string) =>
  z.iso
    .date(messages.date)
    .transform((text): Filter => ({ field, values: [text] }))
    .meta({ description, examples: [example] })
