import * as z from 'zod'
import { withDerivedFields } from '../geography/enrichment.ts'
import { Field, type Kind, kinds, type Schema } from '../model/schema.ts'

/** A schema as an import gives it. A field's name, label and order may be left out; they follow from its id and its place. */
export function parseSchema(kind: Kind, given: unknown) {
  return z
    .object(
      {
        name: z.string('must be a text.').default(kinds[kind].schemaName),
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
