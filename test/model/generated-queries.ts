import fc from 'fast-check'
import type { Order } from '../../src/model/query/query-options.ts'
import type { RecordQuery } from '../../src/store/query/record-query.ts'
import type { QueriedRecord } from './naive-query.ts'
import type { Change, QueriedRecords } from './queried-records.ts'
import { documents, halves, orders, ordersOfMoves, predicates } from './query-arbitraries.ts'

/** Limits that make few records take several windows, steps and groups. */
export const limits = fc.record({
  termsOfOrder: fc.constantFrom(5, 5000),
  windowBitmaps: fc.constantFrom(50, 400, 10_000),
  wholeBitmaps: fc.constantFrom(1, 1000),
  stepBitmaps: fc.constantFrom(3, 20, 1000),
  maxStepBitmaps: fc.constantFrom(50, 10_000),
  sortedMatches: fc.constantFrom(5, 1000),
  sortedGroup: fc.constantFrom(2, 50, 5000),
  windowTexts: fc.constantFrom(200, 2000),
  pageBytes: fc.constantFrom(5000, 2 ** 22),
})

const times = fc.oneof(
  { weight: 4, arbitrary: fc.constant(undefined) },
  fc.record({
    from: fc.option(fc.nat(), { nil: undefined }),
    to: fc.option(fc.nat(), { nil: undefined }),
  }),
)

/** What a write replaces in the records that come next: everything, or a field of the query. */
type Part = 'all' | 'order' | 'filter'

const changes = fc.record({
  at: fc.nat(),
  documents: fc.array<Change['documents'][number]>(documents, { minLength: 1, maxLength: 4 }),
  isDeletion: fc.constantFrom(true, false, false),
  part: fc.constantFrom<Part[]>('all', 'order', 'filter'),
})

/** Writes before statements: one in so many. */
const changesIn = (statements: number) =>
  fc.infiniteStream(fc.oneof({ weight: statements - 1, arbitrary: fc.constant(null) }, changes))

const queriesOf = (
  predicate: fc.Arbitrary<RecordQuery['predicate']>,
  order: fc.Arbitrary<Order[]>,
) =>
  fc.record({
    predicate,
    order,
    limit: fc.constantFrom(1, 7, 25, 100, 250, 1000),
    skip: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, fc.constantFrom(1, 40, 700, 5000)),
    isCounted: fc.boolean(),
    isExport: fc.boolean(),
    created: times,
    changed: times,
  })

export const queries = queriesOf(fc.option(predicates, { freq: 10, nil: undefined }), orders)

/** Queries with writes anywhere, and with many to the records that come next. */
export const writtenQueries = fc.oneof(
  fc.record({ isAimed: fc.constant(false), generated: queries, stream: changesIn(6) }),
  fc.record({
    isAimed: fc.constant(true),
    generated: queriesOf(fc.option(halves, { nil: undefined }), ordersOfMoves),
    stream: changesIn(2),
  }),
)

/** A write, and what it replaces of the records that come next. */
type Written = Change & { part: Part }

type Changes = { isAimed: boolean; stream: Iterator<Written | null> }

/** A query with numbers instead of times. */
export type Generated = typeof queries extends fc.Arbitrary<infer Query> ? Query : never

/** The number of writes during a query beyond which there are no more: a walk may have hundreds of statements. */
const maxWrites = 15

/** Returns a function that makes the next write: if aimed, to the fields of the query in the records that come next. */
export const changeBetween = (
  { isAimed, stream }: Changes,
  records: QueriedRecords,
  { order: [first], predicate }: RecordQuery,
  findComing: () => QueriedRecord[],
) => {
  let writes = 0
  return async () => {
    const { value }: { value: Written | null } = stream.next()
    if (!value || writes++ > maxWrites) return
    const { part, isDeletion, ...change } = value
    if (!isAimed) return records.change({ ...change, isDeletion })
    const filtered = predicate && 'field' in predicate ? predicate.field : undefined
    const property = { all: undefined, order: first?.field, filter: filtered }[part]?.path[0]
    const coming = findComing().slice(0, 40)
    await records.change(
      { ...change, isDeletion: isDeletion && property === undefined, property },
      coming,
    )
  }
}
