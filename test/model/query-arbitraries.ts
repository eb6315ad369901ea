import fc from 'fast-check'
import type { Operator } from '../../src/model/query/operators.ts'
import type {
  Comparison,
  FieldPath,
  Membership,
  Predicate,
  Scalar,
} from '../../src/model/query/predicate.ts'
import type { Order } from '../../src/model/query/query-options.ts'

const words = [
  'ash',
  'Ash',
  'birch',
  'élan',
  'zoë',
  '\u{1F600}x',
  '\uffffy',
  'oak tree',
  'OAK',
  '',
  'b',
  "o'k",
  'a\u0000z',
]

/** Texts over 256 bytes. Some share their first 256, some begin or end like short ones. */
const longTexts = ['long ', 'ash ', 'Zed ', 'é'].flatMap((start) =>
  ['', ' end', ' ASH', ' oak tree'].map((end) => `${start}${'ab '.repeat(100)}${end}`),
)

const days = 400
const day = (number: number) =>
  new Date(Date.UTC(2024, 0, 1) + number * 86_400_000).toISOString().slice(0, 10)
export const dates = fc.nat({ max: days - 1 }).map(day)
export const word = fc.constantFrom(...words)
const price = fc.nat({ max: 29 }).map((half) => half / 2)
const mixed = fc.constantFrom<Scalar[]>(1, 2.5, -3, 1e18, 'a', 'B', true, false, '2', 'long')
export const notes = fc.oneof(
  { weight: 9, arbitrary: word },
  { weight: 2, arbitrary: fc.constantFrom(...longTexts) },
)
const optional = <Value>(value: fc.Arbitrary<Value>) =>
  fc.option(value, { freq: 3, nil: undefined })

/** A document with every type, without some fields. */
export const documents = fc.record({
  number: fc.nat({ max: 1999 }),
  date: dates,
  name: fc.tuple(word, word).map((pair) => pair.join(' ')),
  kind: fc.nat({ max: 4 }).map((kind) => `kind ${kind}`),
  active: fc.boolean(),
  price: fc.option(price, { freq: 5 }),
  tags: fc.array(word, { maxLength: 4 }),
  lists: fc.array(fc.oneof(notes, mixed), { maxLength: 3 }),
  mixed: optional(mixed),
  venue: optional(fc.record({ postcode: fc.nat({ max: 8 }).map((area) => `AB${area}`) })),
  notes: optional(notes),
})

export const fieldOf = (name: string, isList = false): FieldPath => ({
  path: name.split('.'),
  isList,
})

/** A field with the values that filters compare with. */
type Compared = readonly [FieldPath, fc.Arbitrary<Scalar>]

const fields: readonly Compared[] = [
  [fieldOf('number'), fc.nat({ max: 1999 })],
  [fieldOf('date'), dates],
  [fieldOf('name'), word],
  [fieldOf('kind'), fc.nat({ max: 5 }).map((kind) => `kind ${kind}`)],
  [fieldOf('active'), fc.boolean()],
  [fieldOf('price'), price],
  [fieldOf('tags', true), word],
  [fieldOf('lists', true), fc.oneof(word, mixed)],
  [fieldOf('mixed'), mixed],
  [fieldOf('venue.postcode'), fc.nat({ max: 8 }).map((area) => `AB${area}`)],
  [fieldOf('notes'), word],
  [fieldOf('missing'), word],
]

const textOperators: Operator[] = ['contains', 'startswith', 'endswith']
const ranges: Operator[] = ['gt', 'ge', 'lt', 'le']
const operatorsOf = (value: Scalar | null): Operator[] => {
  if (value === null) return ['eq', 'ne', 'gt']
  if (typeof value === 'boolean') return ['eq', 'ne']
  return ['eq', 'ne', ...ranges, ...(typeof value === 'string' ? textOperators : [])]
}

const comparisonsWith = (fields: readonly Compared[]): fc.Arbitrary<Comparison> =>
  fc.constantFrom(...fields).chain(([field, values]) =>
    fc.option(values, { freq: 8 }).chain((value) =>
      fc
        .record({ operator: fc.constantFrom(...operatorsOf(value)), ignoresCase: fc.boolean() })
        .map(({ operator, ignoresCase }) => ({
          field,
          operator,
          value,
          ...(ignoresCase && typeof value === 'string' && { fieldFunction: 'tolower' as const }),
        })),
    ),
  )

const memberships = (fields: readonly Compared[]): fc.Arbitrary<Membership> =>
  fc
    .constantFrom(...fields)
    .chain(([field, values]) =>
      fc.array(values, { maxLength: 6 }).map((list) => ({ field, values: new Set(list) })),
    )

/** Memberships that no more than the first 256 bytes of a text decide wrongly. */
const membershipsOfLongTexts = (texts: readonly FieldPath[]): fc.Arbitrary<Membership> =>
  fc
    .record({
      field: fc.constantFrom(...texts),
      list: fc.array(fc.constantFrom(...longTexts), { minLength: 1, maxLength: 3 }),
    })
    .map(({ field, list }) => ({ field, values: new Set(list) }))

/** Two ranges that different elements of a list may satisfy, and that a merge would confuse. */
const rangesOfList: fc.Arbitrary<Predicate> = fc.tuple(word, word).map(([low, high]) => ({
  and: [
    { field: fieldOf('tags', true), operator: 'ge', value: low },
    { field: fieldOf('tags', true), operator: 'le', value: high },
  ],
}))

/** The opposite of a filter on long texts that only the documents decide. */
const notOfLongText = (texts: readonly FieldPath[]): fc.Arbitrary<Predicate> =>
  fc
    .record({
      field: fc.constantFrom(...texts),
      operator: fc.constantFrom<Operator[]>('contains', 'endswith'),
      value: fc.constantFrom('end', 'ASH', 'ab  oak', 'é', ' '),
    })
    .map((not) => ({ not }))

/** Two ranges of a field without lists, which are merged. */
const mergedRanges = (fields: readonly Compared[]): fc.Arbitrary<Predicate> =>
  fc.constantFrom(...fields).chain(([field, values]) =>
    fc
      .array(fc.tuple(fc.constantFrom(...ranges, 'startswith' as const), values), {
        minLength: 2,
        maxLength: 3,
      })
      .map((parts) => ({ and: parts.map(([operator, value]) => ({ field, operator, value })) })),
  )

/** Returns predicates of every form: `texts` are the fields with long texts, `ranged` those to merge ranges of. */
export const predicatesWith = (
  fields: readonly Compared[],
  texts: readonly FieldPath[],
  ranged: readonly Compared[],
): fc.Arbitrary<Predicate> =>
  fc.letrec<{ predicate: Predicate }>((tie) => ({
    predicate: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      { weight: 5, arbitrary: comparisonsWith(fields) },
      { weight: 1, arbitrary: memberships(fields) },
      { weight: 3, arbitrary: membershipsOfLongTexts(texts) },
      { weight: 1, arbitrary: rangesOfList },
      { weight: 1, arbitrary: notOfLongText(texts) },
      { weight: 1, arbitrary: mergedRanges(ranged) },
      { weight: 2, arbitrary: fc.record({ not: tie('predicate') }) },
      { weight: 2, arbitrary: fc.record({ or: fc.array(tie('predicate'), { maxLength: 3 }) }) },
      {
        weight: 4,
        arbitrary: fc.record({ and: fc.array(tie('predicate'), { maxLength: 3 }) }),
      },
    ),
  })).predicate

export const predicates = predicatesWith(
  fields,
  [fieldOf('notes'), fieldOf('lists', true)],
  fields.filter(([{ isList }]) => !isList).slice(0, 10),
)

/** Returns orders by up to three fields. */
export const ordersBy = (fields: readonly Compared[]): fc.Arbitrary<Order[]> =>
  fc.uniqueArray(
    fc.record({
      field: fc.constantFrom(...fields.map(([field]) => field).filter(({ isList }) => !isList)),
      isDescending: fc.boolean(),
    }),
    { selector: ({ field }) => field.path.join('.'), maxLength: 3 },
  )

export const orders = ordersBy(fields)

/** Predicates that about half of the records pass, before and after a change. */
export const halves: fc.Arbitrary<Predicate> = fc.oneof(
  fc.boolean().map((value) => ({ field: fieldOf('active'), operator: 'eq' as const, value })),
  price.map((value) => ({ field: fieldOf('price'), operator: 'ge' as const, value })),
  fc
    .subarray(['kind 0', 'kind 1', 'kind 2', 'kind 3'], { minLength: 1 })
    .map((kinds) => ({ field: fieldOf('kind'), values: new Set(kinds) })),
)

/** Orders by a field that changes of records give other values. */
export const ordersOfMoves = ordersBy(fields.slice(0, 6))
