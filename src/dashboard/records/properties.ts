import * as z from 'zod'
import { shapeOf } from '../../model/collection.ts'
import { derivedFieldIds } from '../../model/properties/area-fields.ts'
import type { Field } from '../../model/properties/schema.ts'
import { toWords } from '../ui/value.tsx'

/** A property of a record with its label and kind, for pages and forms. */
export type Property = {
  /** The path of its value in a record. */
  path: readonly string[]
  /** The dotted path, as in filters. */
  name: string
  label: string
  /** The heading of its section. */
  section: string
  kind: PropertyKind
  options?: readonly { value: string; label: string }[]
  /** Whether forms include it. Ids, derived fields and lists of objects are read-only. */
  isEditable: boolean
}

type PropertyKind =
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

const propertyKinds: Record<Field['type'], PropertyKind> = {
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

const areasSection = 'Areas'

/** The properties of people from the fields of their schema. Dividers begin sections; areas form the last one. */
export function buildFieldProperties(fields: readonly Field[]): Property[] {
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
    const kind = propertyKinds[type]
    return [
      {
        path: [id],
        name: id,
        label,
        section: derived.has(id) ? areasSection : section,
        // A field without options accepts any text.
        kind: options || !kind.startsWith('choice') ? kind : kind === 'choice' ? 'text' : 'texts',
        ...(options && { options }),
        isEditable: !derived.has(id),
      },
    ]
  })
}

const readOnlyNames = new Set(['managedBy', 'created', 'updated'])

/** The properties of a structured record. An object becomes a section with its name. */
export function buildRecordProperties(
  type: z.ZodType,
  idName: string,
  parentPath: readonly string[] = [],
): Property[] {
  return Object.entries(shapeOf(type) ?? {}).flatMap(([name, property]) => {
    const path = [...parentPath, name]
    if (shapeOf(property)) return buildRecordProperties(property, idName, path)
    const { kind, options } = inferKind(property)
    return [
      {
        path,
        name: path.join('.'),
        label: toWords(name),
        section: parentPath.map(toWords).join(', '),
        kind,
        ...(options && { options }),
        isEditable: name !== idName && !readOnlyNames.has(name) && kind !== 'other',
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

function inferKind(type: z.ZodType): Pick<Property, 'kind' | 'options'> {
  const jsonSchema = z.toJSONSchema(type, { io: 'output', unrepresentable: 'any' }) as JsonType
  const { anyOf = [jsonSchema] } = jsonSchema
  const variant = anyOf.find(({ type }) => type !== 'null') ?? {}
  if (variant.enum) {
    return {
      kind: 'choice',
      options: variant.enum.map((value) => ({ value, label: toWords(value) })),
    }
  }
  if (variant.format === 'date') return { kind: 'date' }
  if (variant.format === 'date-time') return { kind: 'time' }
  if (variant.type === 'array')
    return { kind: variant.items?.type === 'string' ? 'texts' : 'other' }
  if (variant.type === 'number' || variant.type === 'integer') return { kind: 'number' }
  if (variant.type === 'boolean') return { kind: 'boolean' }
  return { kind: variant.type === 'string' ? 'text' : 'other' }
}
