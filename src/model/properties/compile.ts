import { once } from '../../platform/once.ts'
import type { Properties, RecordProperties, ValueProperty } from '../record-properties.ts'
import type { Option, ValueType } from '../value-types.ts'
import { derivedFieldIds } from './area-fields.ts'
import { fieldTypes } from './field-types.ts'
import type { Field } from './schema.ts'

/** A property with a value: a leaf of a record, or a field of a person. */
export type Property = {
  path: readonly string[]
  /** The dotted path, as in filters. */
  name: string
  label: string
  /** The labels of the objects around a property, or of the divider above a field. */
  section: string
  /** The description of a record's property in the contract. */
  description?: string
  type: ValueType
  options?: readonly Option[]
  /** Whether a record is invalid without it. */
  isRequired: boolean
  /** Whether null and '' are different values. */
  isNullableText: boolean
  /** Whether the service derives it from a postcode. */
  isDerived: boolean
  /** The value if the input omits the property; undefined if it is required. */
  emptyValue: unknown
  /** The properties of a list's objects, with their complete paths. */
  items?: readonly Property[]
}

type CompiledRecord = {
  /** The properties with values, in the order of the record. */
  leaves: readonly Property[]
  /** The dotted paths that filters support: leaves and objects, but nothing inside lists. */
  names: ReadonlySet<string>
}

const compiledRecords = new WeakMap<RecordProperties, CompiledRecord>()

/** Compiles the type of a structured record and caches the result. */
export function compileRecord(record: RecordProperties): CompiledRecord {
  const known = compiledRecords.get(record)
  if (known) return known
  // Each on first use, because most requests need one of them or none.
  const leaves = once(() => compileLeaves(record.properties))
  const names = once(() => new Set(listNames(record.properties)))
  const compiled: CompiledRecord = {
    get leaves() {
      return leaves()
    },
    get names() {
      return names()
    },
  }
  compiledRecords.set(record, compiled)
  return compiled
}

/** Compiles the fields of people, in the order of their schema and without dividers. */
export function compileFields(fields: readonly Field[]): Property[] {
  const derivedIds = derivedFieldIds(fields)
  let section = ''
  return fields.flatMap(({ id, label, type, options }): Property[] => {
    const { value, allowsOther } = fieldTypes[type]
    if (value === undefined) {
      section = label
      return []
    }
    return [
      {
        path: [id],
        name: id,
        label,
        section,
        type: options ? value : typeWithoutOptions(value),
        ...(options && !allowsOther && { options }),
        isRequired: false,
        isNullableText: false,
        emptyValue: null,
        isDerived: derivedIds.has(id),
      },
    ]
  })
}

/** The JSON paths that `record` has and `item` lacks. */
export function omittedPaths(record: RecordProperties, item: RecordProperties): string[] {
  const { names } = compileRecord(item)
  return [...compileRecord(record).names]
    .filter((name) => !names.has(name) && (parentOf(name) === '' || names.has(parentOf(name))))
    .map((name) => `$.${name}`)
}

/** Converts a name in the contract to words: `capacityTotal` becomes "Capacity total". */
export function toLabel(name: string): string {
  const words = name
    .replaceAll(/[-_]/g, ' ')
    .replaceAll(/([a-z])([A-Z])/g, (_, end, start) => `${end} ${start.toLowerCase()}`)
  return words === words.toUpperCase()
    ? words.charAt(0) + words.slice(1).toLowerCase()
    : words.charAt(0).toUpperCase() + words.slice(1)
}

const parentOf = (name: string) => name.split('.').slice(0, -1).join('.')

const typeWithoutOptions = (type: ValueType): ValueType => {
  if (type === 'option') return 'text'
  return type === 'options' ? 'list' : type
}

const compileLeaves = (properties: Properties, parentPath: readonly string[] = []): Property[] =>
  Object.entries(properties).flatMap(([name, property]) => {
    const path = [...parentPath, name]
    return 'properties' in property
      ? compileLeaves(property.properties, path)
      : compileLeaf(property, path)
  })

function compileLeaf(property: ValueProperty, path: readonly string[]): Property {
  const { type, description, isRequired, emptyValue, options, items } = property
  return {
    path,
    name: path.join('.'),
    label: toLabel(path.at(-1) ?? ''),
    section: path.slice(0, -1).map(toLabel).join(', '),
    description,
    type,
    ...(options && { options: options.map((value) => ({ value, label: toLabel(value) })) }),
    isRequired,
    isNullableText: emptyValue === null && (type === 'text' || type === 'any'),
    isDerived: false,
    // Frozen, because redacted records share it.
    emptyValue: Object.freeze(emptyValue),
    ...(items && { items: compileLeaves(items, path) }),
  }
}

const listNames = (properties: Properties, parent = ''): string[] =>
  Object.entries(properties).flatMap(([name, property]) => [
    parent + name,
    ...('properties' in property ? listNames(property.properties, `${parent}${name}.`) : []),
  ])
