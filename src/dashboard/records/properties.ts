import * as z from 'zod'
import { derivedFieldIds } from '../../geography/enrichment.ts'
import { shapeOf } from '../../model/collection.ts'
import type { Field } from '../../model/schema.ts'
import { inWords } from '../words.ts'

/** A property of a record as pages show it and forms ask for it. */
export type Property = {
  /** Where its value is in a record. */
  path: readonly string[]
  /** What it is called in filters: the path, dotted. */
  name: string
  label: string
  /** The heading it stands under. */
  section: string
  kind: PropertyKind
  options?: readonly { value: string; label: string }[]
  /** Whether a form may ask for it: ids, what is derived, and lists of objects are only shown. */
  given: boolean
}

export type PropertyKind =
  | 'text'
  | 'email'
  | 'phone'
  | 'number'
  | 'boolean'
  | 'date'
  | 'time'
  | 'choice'
  | 'choices'
  | 'texts'
  | 'other'

const kindOfField: Record<Field['type'], PropertyKind> = {
  text: 'text',
  custom: 'text',
  school: 'text',
  benefits: 'text',
  country: 'text',
  selectAndOther: 'text',
  uniqueId: 'text',
  postcode: 'text',
  email: 'email',
  phone: 'phone',
  phoneNumber: 'phone',
  number: 'number',
  boolean: 'boolean',
  date: 'date',
  select: 'choice',
  multipleSelect: 'choices',
  tags: 'texts',
  divider: 'other',
}

const areas = 'Areas'

/** The properties of people by the fields of their schema; a divider begins a section, and areas have one of their own, the last. */
export function propertiesOfFields(fields: readonly Field[]): Property[] {
  const derived = derivedFieldIds(fields)
  let section = ''
  const ordered = [
    ...fields.filter(({ id }) => !derived.has(id)),
    ...fields.filter(({ id }) => derived.has(id)),
  ]
  return ordered.flatMap(({ id, label, type, options }): Property[] => {
    if (type === 'divider') {
      section = label
      return []
    }
    const kind = kindOfField[type]
    return [
      {
        path: [id],
        name: id,
        label,
        section: derived.has(id) ? areas : section,
        // Without options nothing can be chosen, and anything may be said.
        kind: options || !kind.startsWith('choice') ? kind : kind === 'choice' ? 'text' : 'texts',
        ...(options && { options }),
        given: !derived.has(id),
      },
    ]
  })
}

const notGiven = new Set(['managedBy', 'created', 'updated'])

/** The properties of a structured record, an object's under its name as their heading. */
export function propertiesOfRecord(
  type: z.ZodType,
  idName: string,
  above: readonly string[] = [],
): Property[] {
  return Object.entries(shapeOf(type) ?? {}).flatMap(([name, property]) => {
    const path = [...above, name]
    if (shapeOf(property)) return propertiesOfRecord(property, idName, path)
    const { kind, options } = kindOfType(property)
    return [
      {
        path,
        name: path.join('.'),
        label: inWords(name),
        section: above.map(inWords).join(', '),
        kind,
        ...(options && { options }),
        given: name !== idName && !notGiven.has(name) && kind !== 'other',
      },
    ]
  })
}

type JsonType = {
  type?: string
  format?: string
  enum?: string[]
  items?: JsonType
  anyOf?: JsonType[]
}

function kindOfType(type: z.ZodType): Pick<Property, 'kind' | 'options'> {
  const described = z.toJSONSchema(type, { io: 'output', unrepresentable: 'any' }) as JsonType
  const { anyOf = [described] } = described
  const one = anyOf.find(({ type }) => type !== 'null') ?? {}
  if (one.enum) {
    return { kind: 'choice', options: one.enum.map((value) => ({ value, label: inWords(value) })) }
  }
  if (one.format === 'date') return { kind: 'date' }
  if (one.format === 'date-time') return { kind: 'time' }
  if (one.type === 'array') return { kind: one.items?.type === 'string' ? 'texts' : 'other' }
  if (one.type === 'number' || one.type === 'integer') return { kind: 'number' }
  if (one.type === 'boolean') return { kind: 'boolean' }
  return { kind: one.type === 'string' ? 'text' : 'other' }
}
