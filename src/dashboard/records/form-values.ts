import { setProperty, valueAt } from '../../model/json.ts'
import { fromLondon, toLondon } from '../../model/timestamp.ts'
import type { Values } from './described.ts'
import type { Property } from './properties.ts'

/** Form values by property name: text as typed, or a list for several options. */
export type FormValues = Readonly<Record<string, string | readonly string[]>>

/** The form values of a record. */
export const toFormValues = (properties: readonly Property[], values: Values): FormValues =>
  Object.fromEntries(
    properties.map((property) => [
      property.name,
      toFormValue(property, valueAt(values, property.path)),
    ]),
  )

/** Reads the values of a submitted form. */
export const parseFormValues = (
  properties: readonly Property[],
  fields: Readonly<Record<string, unknown>>,
): FormValues =>
  Object.fromEntries(
    properties.map(({ name, kind }) => {
      const texts = [fields[name] ?? []].flat().map(String)
      return [name, kind === 'choices' ? texts : (texts[0] ?? '').replaceAll('\r\n', '\n')]
    }),
  )

/** Whether two forms have the same value for a property. */
export const hasSameValue = (values: FormValues, otherValues: FormValues, { name }: Property) =>
  String(values[name] ?? '') === String(otherValues[name] ?? '')

/** Parses a property's form value (null if empty), or returns an error. */
export function parseValue(
  { name, kind }: Property,
  submitted: FormValues,
): { value: unknown } | { error: string } {
  const text = submitted[name] ?? ''
  if (typeof text !== 'string') return { value: text }
  if (kind === 'texts') {
    return {
      value: text
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean),
    }
  }
  const trimmed = text.trim()
  if (trimmed === '') return { value: null }
  if (kind === 'number') {
    const number = Number(trimmed.replaceAll(',', ''))
    return Number.isFinite(number) ? { value: number } : { error: 'must be a number.' }
  }
  if (kind === 'boolean') return { value: trimmed === 'true' }
  if (kind === 'time') {
    const time = fromLondon(trimmed)
    return time ? { value: time } : { error: 'must be a date and a time.' }
  }
  return { value: kind === 'text' ? text : trimmed }
}

/** Builds the JSON Merge Patch that sets these values. */
export function buildPatch(
  changes: readonly { path: readonly string[]; value: unknown }[],
): Values {
  const patch: Record<string, unknown> = {}
  for (const { path, value } of changes) setProperty(patch, path, value)
  return patch
}

function toFormValue({ kind }: Property, value: unknown): string | readonly string[] {
  if (kind === 'choices') return Array.isArray(value) ? value.map(String) : []
  if (value === null || value === undefined) return ''
  if (kind === 'texts') return Array.isArray(value) ? value.join('\n') : String(value)
  if (kind === 'time') return toLondon(String(value))
  return String(value)
}
