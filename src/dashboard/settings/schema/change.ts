import type { Context } from 'hono'
import {
  organisationSchemas,
  type SchemaCheck,
  type SchemaUpdate,
} from '../../../admin/organisation/schemas.ts'
import { ApiError } from '../../../model/api-error.ts'
import { withoutDerivedFields } from '../../../model/properties/area-fields.ts'
import {
  type Field,
  isKind,
  type Kind,
  kinds,
  type Schema,
} from '../../../model/properties/schema.ts'
import { toValidationErrors } from '../../../model/validation-error.ts'
import { sha256 } from '../../../platform/sha256.ts'
import { parseSchema } from '../../../records/schema/schema.ts'
import type { Misfit } from '../../../records/schema/schema-change.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'

/** The context of a request for a person kind's schema. */
export type SchemaContext = Context<DashboardEnv, '/:kind/*'>

/** The notice after somebody else changed the schema first. */
export const schemaConflictMessage =
  'Somebody else changed the fields while you had this open, so nothing was saved. Review it and try again.'

const maxTries = 3

/** Applies a change if its misfits are the confirmed ones; otherwise returns the new check. Retries after concurrent changes of people. */
export async function applyChange(
  c: SchemaContext,
  change: SchemaUpdate,
  confirmedMisfits: unknown,
): Promise<SchemaCheck | undefined> {
  for (let tries = 0; tries < maxTries; tries++) {
    const check = await c.var.administer(organisationSchemas).check(change)
    const { misfits } = check
    if (misfits.length > 0 && serialiseMisfits(misfits) !== confirmedMisfits) return check
    if (await c.var.administer(organisationSchemas).change(change, check)) return undefined
  }
  throw new ApiError(
    'CONFLICT',
    `Other people kept changing the ${change.kind} or their fields, so nothing was saved. Try again.`,
  )
}

/** Returns a text that identifies misfits, to check that the user confirmed the current ones. */
export const serialiseMisfits = (misfits: readonly Misfit[]): string =>
  JSON.stringify(misfits.map(({ field, reason, ids }) => [field, reason, ids.length]))

/** Reads the current schema of the kind in the path, and its version. A missing schema has no fields. */
export async function openSchema(c: SchemaContext) {
  const kind = parseKind(c)
  const before = (await c.var.administer(organisationSchemas).list())[kind]
  const schema: Schema = before ?? { name: kinds[kind].schemaName, fields: [] }
  return { kind, before, schema, version: await sha256(JSON.stringify(schema)) }
}

/** Parses the person kind in the path, or throws 404. */
export function parseKind(c: SchemaContext): Kind {
  const kind = c.req.param('kind')
  if (!isKind(kind)) throw new ApiError('NOT_FOUND', 'This address does not exist.')
  return kind
}

/** Returns the field with this id, or throws 404. */
export function findField(fields: readonly Field[], id: string | undefined): Field {
  const field = fields.find((field) => field.id === id)
  if (!field) throw new ApiError('NOT_FOUND', 'This field does not exist any more.')
  return field
}

/** The form values of a field: one option per line, and the id of the preceding field ('' for the first). */
export type FieldDraft = { id: string; label: string; type: string; options: string; after: string }

/** Returns the form values for a new text field at the end. */
export const createDraft = (fields: readonly Field[]): FieldDraft => ({
  id: '',
  label: '',
  type: 'text',
  options: '',
  after: fields.at(-1)?.id ?? '',
})

/** Returns the form values of an existing field. */
export const toFieldDraft = (field: Field, fields: readonly Field[]): FieldDraft => ({
  id: field.id,
  label: field.label,
  type: field.type,
  options: (field.options ?? []).map(formatOption).join('\n'),
  after: fields[fields.indexOf(field) - 1]?.id ?? '',
})

/** Parses the values of a submitted form. */
export const readFieldDraft = (form: Readonly<Record<string, unknown>>): FieldDraft => {
  const text = (name: keyof FieldDraft) => String(form[name] ?? '').replaceAll('\r\n', '\n')
  return {
    id: text('id').trim(),
    label: text('label').trim(),
    type: text('type'),
    options: text('options'),
    after: text('after'),
  }
}

/** Adds a field to the schema, or replaces `existing`. Returns errors by form field, with general ones under ''. */
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
  const input = { ...schema, fields: fields.map(withOrder) }
  const parsed = parseSchema(kind, input)
  const errors = {
    ...(parsed.success ? {} : toFormErrors(index, toValidationErrors(parsed.error, input))),
    ...(label === '' && { label: 'must not be empty.' }),
    ...(schema.fields.some(({ id }) => id === field.id && id !== existing?.id) && {
      id: 'is already the id of another field.',
    }),
  }
  if (Object.keys(errors).length > 0 || !parsed.success) return { errors }
  return { schema: parsed.data }
}

/** Returns the schema without one field. */
export function removeField(kind: Kind, schema: Schema, id: string): Schema {
  const fields = withoutDerivedFields(schema.fields).filter((field) => field.id !== id)
  return parseSchema(kind, { ...schema, fields: fields.map(withOrder) }).data ?? schema
}

const withOrder = (field: Field, order: number): Field => ({ ...field, order })

const optionSeparator = ' | '

const formatOption = ({ value, label }: { value: string; label: string }) =>
  value === label ? value : value + optionSeparator + label

/** Parses the options, or returns the field's existing ones if the text is unedited. */
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
        index === undefined ? `The list of fields ${message}` : message,
      ]
    }),
  )
}
