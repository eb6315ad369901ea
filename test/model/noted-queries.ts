import { sql } from 'drizzle-orm/sql'
import fc from 'fast-check'
import type { Restrictions } from '../../src/access/restrictions.ts'
import { compileRecord } from '../../src/model/properties/compile.ts'
import type { FilterExpression, Literal } from '../../src/model/query/filter-expression.ts'
import type { Predicate, Scalar } from '../../src/model/query/predicate.ts'
import type { Order } from '../../src/model/query/query-options.ts'
import { unknownName } from '../../src/model/query/resolve.ts'
import { caseNoteRecord } from '../../src/resources/case-notes.ts'
import { Store } from '../../src/store/store.ts'
import { dates, fieldOf, notes, ordersBy, predicatesWith, word } from './query-arbitraries.ts'

const times = dates.map((date) => `${date}T00:00:00.000Z`)

/** A case note without some fields. */
export const caseNotes = fc.record(
  {
    caseId: word,
    creator: word,
    date: times,
    content: notes,
    tags: fc.array(word, { maxLength: 3 }),
    isPrivate: fc.boolean(),
    isPinned: fc.boolean(),
  },
  { requiredKeys: ['caseId', 'date'] },
)

const fields = [
  [fieldOf('caseId'), word],
  [fieldOf('creator'), word],
  [fieldOf('date'), times],
  [fieldOf('content'), word],
  [fieldOf('tags', true), word],
  [fieldOf('isPrivate'), fc.boolean()],
  [fieldOf('isPinned'), fc.boolean()],
] as const

/** Queries of case notes with a property filter, under restrictions. */
export const restrictedQueries = fc.record({
  predicate: fc.option(
    predicatesWith(fields, [fieldOf('content'), fieldOf('tags', true)], fields.slice(0, 4)),
    { freq: 4, nil: undefined },
  ),
  order: ordersBy(fields),
  filter: fc.option(
    fc.oneof(
      fc.record({ field: fc.constantFrom('caseId', 'creator', 'tags'), value: word }),
      fc.record({ field: fc.constantFrom('isPrivate', 'isPinned'), value: fc.boolean() }),
    ),
    { freq: 3, nil: undefined },
  ),
  limit: fc.constantFrom(7, 25, 250),
  isWritten: fc.boolean(),
  hidesPrivate: fc.boolean(),
  hidden: fc.subarray(
    fields.map(([{ path }]) => path.join()),
    { maxLength: 3 },
  ),
})

/** Opens an organisation's records under restrictions. */
export function openRestricted(db: D1Database, organisationId: string, limits: Restrictions) {
  const restrictions = JSON.stringify(limits)
  return new Store(
    { DB: db },
    {
      ...{
        organisationId,
        database: 'DB',
        principal: 'a key',
        author: { by: 'key', id: 'a key' },
        restrictions,
      },
      access: sql`SELECT 'read' AS permissions, ${restrictions} AS restrictions`,
    },
  )
}

/** Returns the error of the first name that is hidden, as of a name that no note has; undefined without one. */
export function findHiddenName(
  predicate: Predicate | undefined,
  order: readonly Order[],
  hidden: readonly string[],
) {
  const visible = compileRecord(caseNoteRecord)
    .leaves.map(({ name }) => name)
    .filter((name) => !hidden.includes(name))
  const named = [
    ...(predicate ? namesOf(predicate) : []).map((name) => ({ option: '$filter', name })),
    ...order.map(({ field }) => ({ option: '$orderby', name: field.path.join('.') })),
  ]
  const [first] = named.filter(({ name }) => hidden.includes(name))
  return first && unknownName(first.option, first.name, visible)
}

function namesOf(predicate: Predicate): string[] {
  if ('and' in predicate) return predicate.and.flatMap(namesOf)
  if ('or' in predicate) return predicate.or.flatMap(namesOf)
  return 'not' in predicate ? namesOf(predicate.not) : [predicate.field.path.join('.')]
}

/** Returns the syntax tree of a predicate, with names instead of fields. */
export function toExpression(predicate: Predicate): FilterExpression {
  if ('and' in predicate) return { and: predicate.and.map(toExpression) }
  if ('or' in predicate) return { or: predicate.or.map(toExpression) }
  if ('not' in predicate) return { not: toExpression(predicate.not) }
  const name = predicate.field.path.join('.')
  if ('values' in predicate) return { name, literals: [...predicate.values].map(toLiteral) }
  const { field: _, value, ...test } = predicate
  return { ...test, name, literal: toLiteral(value) }
}

function toLiteral(value: Scalar | null): Literal {
  if (value === null) return { type: 'null', value }
  if (typeof value === 'number') return { type: 'number', value }
  return typeof value === 'boolean' ? { type: 'boolean', value } : { type: 'text', value }
}
