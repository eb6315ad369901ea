import { withoutDerivedFields } from '../../../geography/enrichment.ts'
import type { Field, Kind, Schema } from '../../../model/schema.ts'
import { toValidationErrors } from '../../../model/validation-error.ts'
import { parseSchema } from '../../../records/schema.ts'

/** A field as a form has it: its options one a line, and the id of the field it comes after, '' for the first place. */
export type FieldDraft = { id: string; label: string; type: string; options: string; after: string }

/** What a field that is to be added begins as: a text in the last place. */
export const createDraft = (fields: readonly Field[]): FieldDraft => ({
  ...{ id: '', label: '', type: 'text', options: '' },
  after: fields.at(-1)?.id ?? '',
})

/** A field that there is, as a form shows it. */
export const toDraft = (field: Field, fields: readonly Field[]): FieldDraft => ({
  ...{ id: field.id, label: field.label, type: field.type },
  options: (field.options ?? []).map(formatOption).join('\n'),
  after: fields[fields.indexOf(field) - 1]?.id ?? '',
})

/** What a form that was sent says. */
export const parseDraft = (form: Readonly<Record<string, unknown>>): FieldDraft => {
  const text = (name: keyof FieldDraft) => String(form[name] ?? '').replaceAll('\r\n', '\n')
  return {
    ...{ id: text('id').trim(), label: text('label').trim(), type: text('type') },
    ...{ options: text('options'), after: text('after') },
  }
}

/** A schema with a field as the form gives it, in place of `known` if it was there before; or what is wrong, by the form's fields, and under '' what is wrong beside them. */
export function upsertField(
  kind: Kind,
  schema: Schema,
  draft: FieldDraft,
  existing?: Field,
): { schema: Schema } | { errors: Record<string, string> } {
  const { label, type, after } = draft
  const { options: _, ...identity } = existing ?? { id: draft.id || label, name: draft.id || label }
  const options = parseOptions(draft, existing)
  const otherFields = withoutDerivedFields(schema.fields).filter(({ id }) => id !== existing?.id)
  const index = otherFields.findIndex(({ id }) => id === after) + 1
  const field = { ...identity, label, type, ...(options.length > 0 && { options }) }
  const fields = otherFields.toSpliced(index, 0, field as Field)
  const parsed = parseSchema(kind, { ...schema, fields: fields.map(withOrder) })
  const errors = {
    ...(parsed.success ? {} : toFormErrors(index, toValidationErrors(parsed.error))),
    ...(label === '' && { label: 'must not be empty.' }),
    ...(schema.fields.some(({ id }) => id === field.id && id !== existing?.id) && {
      id: 'is the id of a field already.',
    }),
  }
  if (Object.keys(errors).length > 0 || !parsed.success) return { errors }
  return { schema: parsed.data }
}

/** A schema without a field. */
export function removeField(kind: Kind, schema: Schema, id: string): Schema {
  const fields = withoutDerivedFields(schema.fields).filter((field) => field.id !== id)
  return parseSchema(kind, { ...schema, fields: fields.map(withOrder) }).data ?? schema
}

const withOrder = (field: Field, order: number): Field => ({ ...field, order })

const optionSeparator = ' | '

const formatOption = ({ value, label }: { value: string; label: string }) =>
  value === label ? value : value + optionSeparator + label

/** The options that a form gives; of a field whose options nobody touched, those it has. */
function parseOptions({ options }: FieldDraft, existing: Field | undefined) {
  if (existing?.options && existing.options.map(formatOption).join('\n') === options)
    return existing.options
  return options
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) => {
      const [value = '', ...label] = line.split(optionSeparator)
      return { value: value.trim(), label: label.join(optionSeparator).trim() || value.trim() }
    })
}

function toFormErrors(fieldIndex: number, errors: readonly { field: string; message: string }[]) {
  return Object.fromEntries(
    errors.map(({ field, message }) => {
      const [, index, name] = /^fields\.(\d+)\.(\w+)/.exec(field) ?? []
      return [
        Number(index) === fieldIndex ? name : '',
        index === undefined ? `The schema ${message}` : message,
      ]
    }),
  )
}
