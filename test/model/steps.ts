import fc from 'fast-check'
import type { Kept, Reading } from './model.ts'
import { type List, listsOf } from './pages.ts'
import { asked, scalars } from './traps.ts'

/** One thing that is done to a collection, or asked of it. */
export type Step = { put: Kept[] } | { change: Kept } | { remove: string } | List

const ids = fc.constantFrom('a', 'A', ' a', '1', '01', 'é', '__proto__', "'", 'a.b')

/** Scalars, lists of them, and what no filter reaches. */
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

/** The fields of people, whole, whatever is in their ids. */
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

const readings: Record<string, Reading> = {
  eventId: 'text',
  tags: 'text',
  parentEventId: 'text',
  bookable: 'boolean',
}

/** The collections the model is compared with: what they hold, how they are asked and what they show. */
export const collections = {
  events: {
    idName: 'eventId',
    fields: eventFields as fc.Arbitrary<Record<string, unknown>>,
    names: ['eventId', 'tags', 'bookable', 'parentEventId', 'name', 'x', 'x.y', 'x.z', 'x.y.z'],
    whole: false,
    reading: (name: string): Reading => readings[name] ?? 'spelled',
    shown: ({ document }: Kept): unknown => document,
  },
  partners: {
    idName: 'partnerId',
    fields: people,
    names: ['partnerId', ...personFields, 'constructor'],
    whole: true,
    reading: (): Reading => 'spelled',
    shown: ({ id, document }: Kept): unknown => ({
      partnerId: id,
      fields: personFields
        .filter((field) => Object.hasOwn(document, field))
        .map((field) => ({ key: field, label: field, value: document[field], type: 'text' })),
    }),
  },
}

type Collection = (typeof collections)[keyof typeof collections]

/** What may happen to a collection, step by step. */
export const stepsOf = ({ idName, fields, names, reading }: Collection) => {
  const record = fc
    .tuple(ids, fields)
    .map(([id, document]): Kept => ({ id, document: { [idName]: id, ...document } }))
  const filter = fc.constantFrom(...names).chain((name) => {
    const text = reading(name) === 'boolean' ? fc.constantFrom('true', 'FALSE') : asked
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
