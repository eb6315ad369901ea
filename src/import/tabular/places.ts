import * as z from 'zod'
import { ownFields } from '../../geography/enrichment.ts'
import { type Collection, shapeOf } from '../../model/collection.ts'
import { type Reference, references } from '../../model/references.ts'
import { type Kind, kinds, type Schema } from '../../model/schema.ts'
import { innermost } from '../record-target.ts'
import { readAs } from './infer-type.ts'
import type { As } from './mapping.ts'

/** Where a column can go: a field of a person, or a property of a record. */
export type Place = {
  /** The field's id, or the property's dotted path. */
  path: string
  /** What it is called. */
  names: readonly string[]
  as: As
  options?: readonly { value: string; label: string }[]
  /** Whether it holds the record's own id. */
  isId?: true
  /** Whether a record cannot be without. */
  isRequired?: true
  /** What no value is, where that is not nothing: no, for a property that is yes or no. */
  isNever?: true
  reference?: Reference
  /** Whether it names a list of records. */
  isMany?: true
  /** Whether it may be something else than one of its options. */
  isOpen?: true
  /** The question that it holds the answer to, and its options' values by their texts. */
  question?: {
    questionId: string
    question: string
    type: string
    values: ReadonlyMap<string, unknown>
  }
}

/** Where the columns of people can go, by their schema: to the id and to every field that can be given. */
export function personPlaces(kind: Kind, { fields }: Schema): Place[] {
  const { id } = kinds[kind]
  const given = ownFields(fields).filter(({ type }) => type !== 'divider')
  return [
    { path: id, names: [id], as: 'text', isId: true },
    ...given.map(({ id, name, label, options, ...field }) => ({
      path: id,
      names: [id, name, label],
      as: readAs(field),
      ...(options && field.type !== 'selectAndOther' && { options }),
    })),
  ]
}

/** Whether a property is the event of a booking: without it, the bookings of two events overwrite each other. */
const isEvent = (collection: string, path: string) =>
  collection === 'bookings' && path === 'eventId'

/** Where the columns of a collection's records can go: to every property that can be given. */
export function recordPlaces({ name, id, record }: Collection): Place[] {
  const own = references.filter(({ from }) => from === name)
  const leaves = [...leavesOf(record)].filter(({ path }) => path !== 'managedBy')
  const lasts = leaves.map(({ path }) => lastOf(path))
  return leaves.map(({ path, type }) => {
    const inner = innermost(type)
    const reference = own.find((one) => one.path === path)
    return {
      path,
      // A property within another is called by its own name where no other is.
      names:
        lasts.filter((last) => last === lastOf(path)).length > 1 ? [path] : [path, lastOf(path)],
      as: reference ? 'link' : asOf(inner),
      ...(path === id && { isId: true }),
      ...(inner instanceof z.ZodEnum && { options: optionsOf(inner) }),
      ...((isEvent(name, path) || !z.safeParse(type, undefined).success) && { isRequired: true }),
      ...(inner instanceof z.ZodBoolean && { isNever: true }),
      ...(reference && { reference, ...(inner instanceof z.ZodArray && { isMany: true }) }),
    }
  })
}

const lastOf = (path: string) => path.slice(path.lastIndexOf('.') + 1)

function* leavesOf(
  type: z.core.$ZodType,
  path = '',
): Generator<{ path: string; type: z.core.$ZodType }> {
  const shape = shapeOf(type)
  if (!shape) yield { path, type }
  for (const [name, property] of Object.entries(shape ?? {})) {
    yield* leavesOf(property, path ? `${path}.${name}` : name)
  }
}

function asOf(type: z.core.$ZodType): As {
  if (type instanceof z.ZodNumber) return 'number'
  if (type instanceof z.ZodBoolean) return 'boolean'
  if (type instanceof z.ZodISODate) return 'date'
  if (type instanceof z.ZodISODateTime) return 'time'
  if (type instanceof z.ZodEnum) return 'option'
  if (type instanceof z.ZodArray) return type.element instanceof z.ZodString ? 'list' : 'json'
  return type instanceof z.ZodString ? 'text' : 'json'
}

const optionsOf = ({ options }: z.ZodEnum) =>
  options.map((option) => ({ value: String(option), label: String(option).replaceAll('_', ' ') }))
