import { ownFields } from '../../geography/enrichment.ts'
import { faultsOf } from '../../model/checked.ts'
import type { Field, Kind, Schema } from '../../model/schema.ts'
import { parseSchema } from '../../records/schema.ts'

/** A field as a form has it: its options one a line, and the id of the field it comes after, '' for the first place. */
export type Draft = { id: string; label: string; type: string; options: string; after: string }

/** What a field that is to be added begins as: a text in the last place. */
export const newDraft = (fields: readonly Field[]): Draft => ({
  ...{ id: '', label: '', type: 'text', options: '' },
  after: fields.at(-1)?.id ?? '',
})

/** A field that there is, as a form shows it. */
export const draftOf = (field: Field, fields: readonly Field[]): Draft => ({
  ...{ id: field.id, label: field.label, type: field.type },
  options: (field.options ?? []).map(optionText).join('\n'),
  after: fields[fields.indexOf(field) - 1]?.id ?? '',
})

/** What a form that was sent says. */
export const draftIn = (form: Readonly<Record<string, unknown>>): Draft => {
  const text = (name: keyof Draft) => String(form[name] ?? '').replaceAll('\r\n', '\n')
  return {
    ...{ id: text('id').trim(), label: text('label').trim(), type: text('type') },
    ...{ options: text('options'), after: text('after') },
  }
}

/** A schema with a field as the form gives it, in place of `known` if it was there before; or what is wrong, by the form's fields, and under '' what is wrong beside them. */
export function schemaWith(
  kind: Kind,
  schema: Schema,
  draft: Draft,
  known?: Field,
): { schema: Schema } | { faults: Record<string, string> } {
  const { label, type, after } = draft
  const { options: _, ...kept } = known ?? { id: draft.id || label, name: draft.id || label }
  const options = optionsIn(draft, known)
  const others = ownFields(schema.fields).filter(({ id }) => id !== known?.id)
  const place = others.findIndex(({ id }) => id === after) + 1
  const field = { ...kept, label, type, ...(options.length > 0 && { options }) }
  const fields = others.toSpliced(place, 0, field as Field)
  const parsed = parseSchema(kind, { ...schema, fields: fields.map(inOrder) })
  const faults = {
    ...(parsed.success ? {} : faultsAt(place, faultsOf(parsed.error))),
    ...(label === '' && { label: 'must not be empty.' }),
    ...(schema.fields.some(({ id }) => id === field.id && id !== known?.id) && {
      id: 'is the id of a field already.',
    }),
  }
  if (Object.keys(faults).length > 0 || !parsed.success) return { faults }
  return { schema: parsed.data }
}

/** A schema without a field. */
export function schemaWithout(kind: Kind, schema: Schema, id: string): Schema {
  const fields = ownFields(schema.fields).filter((field) => field.id !== id)
  return parseSchema(kind, { ...schema, fields: fields.map(inOrder) }).data ?? schema
}

const inOrder = (field: Field, order: number): Field => ({ ...field, order })

const between = ' | '

const optionText = ({ value, label }: { value: string; label: string }) =>
  value === label ? value : value + between + label

/** The options that a form gives; of a field whose options nobody touched, those it has. */
function optionsIn({ options }: Draft, known: Field | undefined) {
  if (known?.options && known.options.map(optionText).join('\n') === options) return known.options
  return options
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) => {
      const [value = '', ...label] = line.split(between)
      return { value: value.trim(), label: label.join(between).trim() || value.trim() }
    })
}

function faultsAt(place: number, faults: readonly { field: string; reason: string }[]) {
  return Object.fromEntries(
    faults.map(({ field, reason }) => {
      const [, at, name] = /^fields\.(\d+)\.(\w+)/.exec(field) ?? []
      return [Number(at) === place ? name : '', at === undefined ? `The schema ${reason}` : reason]
    }),
  )
}
