import type { Collection } from '../../model/collection.ts'
import { compileFields, compileRecord } from '../../model/properties/compile.ts'
import { type Kind, kinds, type Schema } from '../../model/properties/schema.ts'
import { type Option, valueTypes } from '../../model/properties/value-types.ts'
import { type Reference, references } from '../../model/references.ts'
import type { CellType } from './mapping.ts'

/** Where a column can go: a field of a person, or a property of a record. */
export type TargetField = {
  /** The field's id, or the property's dotted path. */
  path: string
  /** The headings that mean this field. */
  names: readonly string[]
  as: CellType
  options?: readonly Option[]
  /** Whether it holds the record's own id. */
  isId?: true
  /** Whether a record cannot be without. */
  isRequired?: true
  /** What no value is, where that is not nothing: no, for a property that is yes or no. */
  isFalseWhenEmpty?: true
  reference?: Reference
  /** Whether it names a list of records. */
  isMany?: true
  /** Whether it may be something else than one of its options. */
  allowsOther?: true
  /** The question that it holds the answer to, and its options' values by their texts. */
  question?: {
    questionId: string
    question: string
    type: string
    values: ReadonlyMap<string, unknown>
  }
}

/** Where the columns of people can go, by their schema: to the id and to every field that can be given. */
export function personTargetFields(kind: Kind, { fields }: Schema): TargetField[] {
  const { id } = kinds[kind]
  const names = new Map(fields.map(({ id, name }) => [id, name]))
  const properties = compileFields(fields).filter(({ isDerived }) => !isDerived)
  return [
    { path: id, names: [id], as: 'text', isId: true },
    ...properties.map(({ name, label, type, options }) => ({
      path: name,
      names: [name, names.get(name) ?? name, label],
      as: valueTypes[type].mappedCell,
      ...(options && { options }),
    })),
  ]
}

/** Whether a property is the event of a booking: without it, the bookings of two events overwrite each other. */
const isBookingEvent = (collection: string, path: string) =>
  collection === 'bookings' && path === 'eventId'

/** Where the columns of a collection's records can go: to every property that can be given. */
export function recordTargetFields({ name: collection, id, record }: Collection): TargetField[] {
  const properties = compileRecord(record).leaves.filter(({ name }) => name !== 'managedBy')
  const lastSegments = properties.map(({ path }) => path.at(-1))
  return properties.map(({ path, name, type, options, isRequired }) => {
    const lastSegment = path.at(-1) ?? ''
    const reference = references.find((it) => it.from === collection && it.path === name)
    return {
      path: name,
      // Nested properties go by their last segment if it is unique.
      names:
        lastSegments.filter((segment) => segment === lastSegment).length > 1
          ? [name]
          : [name, lastSegment],
      as: reference ? 'link' : valueTypes[type].mappedCell,
      ...(name === id && { isId: true }),
      ...(options && { options }),
      ...((isBookingEvent(collection, name) || isRequired) && { isRequired: true }),
      ...(type === 'boolean' && { isFalseWhenEmpty: true }),
      ...(reference && { reference, ...(type === 'list' && { isMany: true }) }),
    }
  })
}
