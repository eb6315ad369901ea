import fc from 'fast-check'
import type { FilterType, ModelRecord } from './model.ts'
import { type List, listsOf } from './pages.ts'
import { filterTexts, scalars } from './tricky-values.ts'

/** A write or read of a collection. */
export type Step = { put: ModelRecord[] } | { change: ModelRecord } | { remove: string } | List

const ids = fc.constantFrom('a', 'A', ' a', '1', '01', 'é', '__proto__', "'", 'a.b')

/** Scalars, lists of them, and values without a filter. */
const values = fc.oneof(
  { weight: 5, arbitrary: scalars },
  { weight: 2, arbitrary: fc.array(scalars, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom([['a']], [{ b: 'a' }], []) },
)

const eventFields = fc.record(
  {
    tags: values,
    bookable: values,
    parentEventId: values,
    name: values,
    x: fc.oneof(values, fc.constant(null), fc.record({ y: values, z: values })),
  },
  { requiredKeys: [] },
)

/** Field ids of people, with special characters. */
export const personFields = [
  'Full Name',
  'x.y',
  'x',
  'say "hi"',
  'a[0]',
  '__proto__',
  'back\\slash',
  'é',
]
const people = fc
  .array(fc.tuple(fc.constantFrom(...personFields), values), { maxLength: 5 })
  .map((entries) => Object.fromEntries(entries) as Record<string, unknown>)

const readings: Record<string, FilterType> = {
  eventId: 'text',
  tags: 'text',
  parentEventId: 'text',
  bookable: 'boolean',
}

/** The collections to compare with the model: their documents, filters and output. */
export const collections = {
  events: {
    idName: 'eventId',
    fields: eventFields as fc.Arbitrary<Record<string, unknown>>,
    names: ['eventId', 'tags', 'bookable', 'parentEventId', 'name', 'x', 'x.y', 'x.z', 'x.y.z'],
    whole: false,
    reading: (name: string): FilterType => readings[name] ?? 'spelled',
    shown: ({ document }: ModelRecord): unknown => document,
  },
  partners: {
    idName: 'partnerId',
    fields: people,
    names: ['partnerId', ...personFields, 'constructor'],
    whole: true,
    reading: (): FilterType => 'spelled',
    shown: ({ id, document }: ModelRecord): unknown => ({
      partnerId: id,
      fields: personFields
        .filter((field) => Object.hasOwn(document, field))
        .map((field) => ({ key: field, label: field, value: document[field], type: 'text' })),
    }),
  },
}

type Collection = (typeof collections)[keyof typeof collections]

/** Random steps for a collection. */
export const stepsOf = ({ idName, fields, names, reading }: Collection) => {
  const record = fc
    .tuple(ids, fields)
    .map(([id, document]): ModelRecord => ({ id, document: { [idName]: id, ...document } }))
  const filter = fc.constantFrom(...names).chain((name) => {
    const text = reading(name) === 'boolean' ? fc.constantFrom('true', 'FALSE') : filterTexts
    return fc.tuple(fc.constant(name), fc.oneof(text, name === idName ? ids : text))
  })
  return fc.array(
    fc.oneof<fc.Arbitrary<Step>[]>(
      fc.record({ put: fc.uniqueArray(record, { selector: ({ id }) => id, maxLength: 5 }) }),
      fc.record({ change: record }),
      fc.record({ remove: ids }),
      ...[1, 2, 3].map(() => listsOf(filter)),
    ),
    { minLength: 5, maxLength: 20 },
  )
}
