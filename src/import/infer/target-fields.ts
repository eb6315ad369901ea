import * as z from 'zod'
import { type Collection, shapeOf } from '../../model/collection.ts'
import { withoutDerivedFields } from '../../model/properties/area-fields.ts'
import { type Kind, kinds, type Schema } from '../../model/properties/schema.ts'
import { type Reference, references } from '../../model/references.ts'
import { unwrapType } from '../targets/record-target.ts'
import { cellTypeFor } from './infer-type.ts'
import type { CellType } from './mapping.ts'

/** Where a column can go: a field of a person, or a property of a record. */
export type TargetField = {
  /** The field's id, or the property's dotted path. */
  path: string
  /** The headings that mean this field. */
  names: readonly string[]
  as: CellType
  options?: readonly { value: string; label: string }[]
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
  const inputFields = withoutDerivedFields(fields).filter(({ type }) => type !== 'divider')
  return [
    { path: id, names: [id], as: 'text', isId: true },
    ...inputFields.map(({ id, name, label, options, ...field }) => ({
      path: id,
      names: [id, name, label],
      as: cellTypeFor(field),
      ...(options && field.type !== 'selectAndOther' && { options }),
    })),
  ]
}

/** Whether a property is the event of a booking: without it, the bookings of two events overwrite each other. */
const isBookingEvent = (collection: string, path: string) =>
  collection === 'bookings' && path === 'eventId'

/** Where the columns of a collection's records can go: to every property that can be given. */
export function recordTargetFields({ name, id, record }: Collection): TargetField[] {
  const ownReferences = references.filter(({ from }) => from === name)
  const leaves = [...listLeaves(record)].filter(({ path }) => path !== 'managedBy')
  const lastSegments = leaves.map(({ path }) => lastSegment(path))
  return leaves.map(({ path, type }) => {
    const inner = unwrapType(type)
    const reference = ownReferences.find((candidate) => candidate.path === path)
    return {
      path,
      // Nested properties go by their last segment if it is unique.
      names:
        lastSegments.filter((segment) => segment === lastSegment(path)).length > 1
          ? [path]
          : [path, lastSegment(path)],
      as: reference ? 'link' : schemaCellType(inner),
      ...(path === id && { isId: true }),
      ...(inner instanceof z.ZodEnum && { options: enumOptions(inner) }),
      ...((isBookingEvent(name, path) || !z.safeParse(type, undefined).success) && {
        isRequired: true,
      }),
      ...(inner instanceof z.ZodBoolean && { isFalseWhenEmpty: true }),
      ...(reference && { reference, ...(inner instanceof z.ZodArray && { isMany: true }) }),
    }
  })
}

const lastSegment = (path: string) => path.slice(path.lastIndexOf('.') + 1)

function* listLeaves(
  type: z.core.$ZodType,
  path = '',
): Generator<{ path: string; type: z.core.$ZodType }> {
  const shape = shapeOf(type)
  if (!shape) yield { path, type }
  for (const [name, property] of Object.entries(shape ?? {})) {
    yield* listLeaves(property, path ? `${path}.${name}` : name)
  }
}

function schemaCellType(type: z.core.$ZodType): CellType {
  if (type instanceof z.ZodNumber) return 'number'
  if (type instanceof z.ZodBoolean) return 'boolean'
  if (type instanceof z.ZodISODate) return 'date'
  if (type instanceof z.ZodISODateTime) return 'time'
  if (type instanceof z.ZodEnum) return 'option'
  if (type instanceof z.ZodArray) return type.element instanceof z.ZodString ? 'list' : 'json'
  return type instanceof z.ZodString ? 'text' : 'json'
}

const enumOptions = ({ options }: z.ZodEnum) =>
  options.map((option) => ({ value: String(option), label: String(option).replaceAll('_', ' ') }))
