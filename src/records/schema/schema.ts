import * as z from 'zod'
import { isPostcodeField, withDerivedFields } from '../../model/properties/area-fields.ts'
import { FieldDefinition } from '../../model/properties/field-type.ts'
import { type Kind, kinds, type Schema } from '../../model/properties/schema.ts'
import { type ErrorCode, messages, withCode } from '../../model/validation-error.ts'

// D1 limits a value to 2 MB.
const maxCharacters = 500_000

/**
 * Parses an imported schema. A field's name, label and order are optional: they follow from its id
 * and index.
 */
export function parseSchema(kind: Kind, input: unknown) {
  return z
    .object(
      {
        name: z.string(messages.text).default(kinds[kind].schemaName),
        fields: z.array(z.unknown(), messages.list).max(2000, 'must be a list of at most 2000.'),
      },
      'is not an object.',
    )
    .transform(({ name, fields }) => ({ name, fields: fields.map(withDefaults) }))
    .pipe(z.object({ name: z.string(), fields: z.array(FieldDefinition) }))
    .transform(
      ({ name, fields }): Schema => ({
        name,
        fields: withDerivedFields(fields.toSorted((a, b) => a.order - b.order)),
      }),
    )
    .superRefine(({ fields }, ctx) => {
      const report = (code: ErrorCode, message: string) =>
        ctx.addIssue({ code: 'custom', path: ['fields'], message, ...withCode(code) })
      const ids = new Set<string>()
      for (const field of fields) {
        if (ids.has(field.id)) report('duplicate', `has ${field.id} twice.`)
        ids.add(field.id)
        if (kinds[kind].hasPostcodeFilter && field.id === 'postcode' && !isPostcodeField(field)) {
          report(
            'invalid_type',
            `has postcode, which ${kind} are filtered by: it must be of type postcode.`,
          )
        }
      }
      if (JSON.stringify(fields).length > maxCharacters) {
        report(
          'too_long',
          `must have at most ${maxCharacters} characters as JSON, with the fields of areas.`,
        )
      }
    })
    .safeParse(input)
}

function withDefaults(input: unknown, index: number): unknown {
  if (typeof input !== 'object' || input === null) return input
  const field: { id?: unknown; name?: unknown } = input
  const name = field.name ?? field.id
  return { name, label: name, order: index, ...input }
}
