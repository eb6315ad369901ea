import type { Collection } from '../../model/collection.ts'
import { compileFields, compileRecord } from '../../model/properties/compile.ts'
import { type Kind, kinds, type Schema } from '../../model/properties/schema.ts'
import { type Reference, references } from '../../model/references.ts'
import { type Option, valueTypes } from '../../model/value-types.ts'
import { parentOf } from '../targets/parents.ts'
import type { CellType } from './mapping.ts'

/** A field of a person, or a property of a record, that a column can fill. */
export type TargetField = {
  /** The field's id, or the property's dotted path. */
  path: string
  /** The headings that match this field. */
  names: readonly string[]
  /** The label of a person's field. */
  label?: string
  as: CellType
  options?: readonly Option[]
  /** Whether it holds the record's own id. */
  isId?: true
  /** Whether every record must have it. */
  isRequired?: true
  /** Whether an empty cell means false. */
  isFalseWhenEmpty?: true
  reference?: Reference
  /** Whether it refers to several records. */
  isMany?: true
  /** Whether it accepts values outside its options. */
  allowsOther?: true
  /** The question that it answers, with the values of its options by their text. */
  question?: {
    questionId: string
    question: string
    type: string
    values: ReadonlyMap<string, unknown>
  }
}

/** The target fields of people: the id and every field of the schema that is not derived. */
export function personTargetFields(kind: Kind, { fields }: Schema): TargetField[] {
  const { id } = kinds[kind]
  const names = new Map(fields.map(({ id, name }) => [id, name]))
  const properties = compileFields(fields).filter(({ isDerived }) => !isDerived)
  return [
    { path: id, names: [id], as: 'text', isId: true },
    ...properties.map(({ name, label, type, options }) => ({
      path: name,
      names: [name, names.get(name) ?? name, label],
      label,
      as: valueTypes[type].mappedCell,
      ...(options && { options }),
    })),
  ]
}

/** The target fields of a collection's records: every property except `managedBy`. */
export function recordTargetFields({ name: collection, id, record }: Collection): TargetField[] {
  const properties = compileRecord(record).leaves.filter(({ name }) => name !== 'managedBy')
  const parent = parentOf(collection)
  const lastSegments = properties.map(({ path }) => path.at(-1))
  return properties.map(({ path, name, type, options, isRequired }) => {
    const lastSegment = path.at(-1) ?? ''
    const reference = references.find((it) => it.from === collection && it.path === name)
    const cell = valueTypes[type].mappedCell
    return {
      path: name,
      // Nested properties also match by their last segment if it is unique.
      names:
        lastSegments.filter((segment) => segment === lastSegment).length > 1
          ? [name]
          : [name, lastSegment],
      as: reference ? 'link' : cell,
      ...(name === id && { isId: true }),
      ...(options && { options }),
      ...((name === parent?.path || isRequired) && { isRequired: true }),
      ...(cell === 'boolean' && { isFalseWhenEmpty: true }),
      ...(reference && { reference, ...(cell === 'list' && { isMany: true }) }),
    }
  })
}
