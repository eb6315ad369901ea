import * as z from 'zod'
import { withDerivedFields } from '../geography/enrichment.ts'
import type { Kind } from '../store/store.ts'

/** What a person of each kind is called in the contract: the key of a single, of their id, of their schema. */
export const kinds = {
  members: { singular: 'member', id: 'memberId', schemaName: 'Member Schema' },
  volunteers: { singular: 'volunteer', id: 'volunteerId', schemaName: 'Volunteer Schema' },
  partners: { singular: 'partner', id: 'partnerId', schemaName: 'Partner Schema' },
} as const satisfies Record<Kind, { singular: string; id: string; schemaName: string }>

const fieldTypes = [
  'text',
  'number',
  'date',
  'email',
  'phoneNumber',
  'phone',
  'postcode',
  'select',
  'multipleSelect',
  'selectAndOther',
  'boolean',
  'tags',
  'country',
  'school',
  'benefits',
  'uniqueId',
  'custom',
  'divider',
] as const

const ids: string[] = Object.values(kinds).map(({ id }) => id)

const text = () => z.string('must be a text.')

const Option = z.preprocess(
  (given) => (typeof given === 'string' ? { value: given, label: given } : given),
  z.strictObject({ value: text(), label: text() }, 'must be a text or an object.'),
)

/** A field definition (contract 2.5), with its options where it has them. */
export const Field = z
  .strictObject(
    {
      id: text()
        .min(1, 'must not be empty.')
        .max(255, 'must have at most 255 characters.')
        .refine((id) => !id.startsWith('$'), 'must not begin with $.')
        .refine((id) => !ids.includes(id), `must not be one of ${ids.join(', ')}.`)
        .meta({ description: 'The key of the field in queries and when creating records.' }),
      name: text(),
      label: text(),
      type: z.enum(fieldTypes, `must be one of ${fieldTypes.join(', ')}.`),
      order: z
        .number('must be a number.')
        .meta({ description: 'The place of the field among the others.' }),
      options: z
        .array(Option, 'must be a list.')
        .optional()
        .meta({ description: 'What a select field offers.' }),
    },
    'is not an object.',
  )
  .meta({ id: 'Field' })

export type Field = z.infer<typeof Field>

/** What is kept of a kind's schema: its name and its fields in display order. */
export type Schema = { name: string; fields: Field[] }

/** A schema as an import gives it. A field's name, label and order may be left out; they follow from its id and its place. */
export function parseSchema(kind: Kind, given: unknown) {
  return z
    .object(
      {
        name: text().default(kinds[kind].schemaName),
        fields: z.array(z.unknown(), 'must be a list.'),
      },
      'is not an object.',
    )
    .transform(({ name, fields }) => ({ name, fields: fields.map(withDefaults) }))
    .pipe(z.object({ name: z.string(), fields: z.array(Field) }))
    .transform(
      ({ name, fields }): Schema => ({
        name,
        fields: withDerivedFields(fields.toSorted((a, b) => a.order - b.order)),
      }),
    )
    .superRefine(({ fields }, ctx) => {
      const seen = new Set<string>()
      for (const { id } of fields) {
        if (seen.has(id))
          ctx.addIssue({ code: 'custom', path: ['fields'], message: `has ${id} twice.` })
        seen.add(id)
      }
    })
    .safeParse(given)
}

function withDefaults(given: unknown, place: number): unknown {
  if (typeof given !== 'object' || given === null) return given
  const field: { id?: unknown; name?: unknown } = given
  const name = field.name ?? field.id
  return { name, label: name, order: place, ...given }
}
