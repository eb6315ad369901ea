import * as z from 'zod'
import { exampleOf } from '../http/example.ts'
import type { RecordTypes } from '../limits/faults.ts'
import type { View } from '../limits/view.ts'
import { type Field, isKind, kinds } from '../model/schema.ts'
import { fieldObjects, layoutOf, personText } from '../people/layout.ts'

/** An invented record of a collection, as one sees it who has this view. */
export function exampleRecord(name: string, view: View, { collections, schemas }: RecordTypes) {
  if (isKind(name)) {
    const schema = schemas[name] ?? { name: '', fields: [] }
    const document = JSON.stringify(
      Object.fromEntries(schema.fields.map((field) => [field.id, exampleValue(field)])),
    )
    const layout = layoutOf(view.schema(name, JSON.stringify(schema)))
    const id = `${kinds[name].singular}-1`
    return JSON.parse(`{${personText(name, id, fieldObjects(layout, document))}}`)
  }
  const record = collections.find((collection) => collection.name === name)?.record
  if (!record) return {}
  const { $defs = {}, ...type } = z.toJSONSchema(record)
  const example = exampleOf(type, $defs) as Record<string, unknown>
  return view.kept(name, record)?.shown(example) ?? example
}

const examples: Partial<Record<Field['type'], unknown>> = {
  number: 1,
  boolean: true,
  date: '1990-05-17',
  email: 'amara.abara@example.org',
  phone: '07700 900123',
  phoneNumber: '07700 900123',
  postcode: 'LS11 0ES',
  country: 'England',
  tags: ['Food'],
}

function exampleValue({ type, label, options }: Field): unknown {
  if (type === 'divider') return undefined
  const [option] = options ?? []
  if (type === 'multipleSelect') return option ? [option.value] : []
  return option?.value ?? examples[type] ?? `(${label})`
}
