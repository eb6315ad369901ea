import { sql } from 'drizzle-orm/sql'
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { accessPolicyFor } from '../../src/access/access-policy.ts'
import type { Position } from '../../src/model/query/query-options.ts'
import { once } from '../../src/platform/once.ts'
import { queryLimits } from '../../src/store/query/query-reader.ts'
import { readQuery } from '../../src/store/query/read-query.ts'
import type { QueryPage, RecordQuery } from '../../src/store/query/record-query.ts'
import { trustedStore } from '../../src/store/store.ts'
import { runs } from '../runs.ts'
import { type QueriedRecord, satisfies, sortRecords } from './naive-query.ts'
import { type Change, QueriedRecords } from './queried-records.ts'
import { documents, orders, predicates } from './query-arbitraries.ts'

const normalLimits = { ...queryLimits }

afterEach(() => {
  Object.assign(queryLimits, normalLimits)
})

/** Limits that make few records take several windows, steps and groups. */
const limits = fc.record({
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

const times = fc.option(
  fc.record({
    from: fc.option(fc.nat(), { nil: undefined }),
    to: fc.option(fc.nat(), { nil: undefined }),
  }),
  { freq: 6, nil: undefined },
)

const changes: fc.Arbitrary<Change> = fc.record({
  at: fc.nat(),
  document: documents as fc.Arbitrary<Change['document']>,
  isDeletion: fc.boolean(),
})

const queries = fc.record({
  predicate: fc.option(predicates, { freq: 10, nil: undefined }),
  order: orders,
  limit: fc.constantFrom(1, 7, 25, 100, 250, 1000),
  skip: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, fc.constantFrom(1, 40, 700, 5000)),
  isCounted: fc.boolean(),
  isExport: fc.boolean(),
  created: times,
  changed: times,
})

/** The records of all runs: three blocks, a gap of several, and two more. */
const readShared = once(async () => {
  const records = await QueriedRecords.create('events')
  const [first = []] = fc.sample(fc.array(documents, { minLength: 1800, maxLength: 1800 }), {
    numRuns: 1,
    seed: 1,
  })
  await records.add(first.slice(0, 800))
  await records.add(Array.from({ length: 2000 }, () => ({})))
  await records.add(first.slice(800))
  await records.remove(800, 2800)
  return records
})

test('pages have the records that a plain evaluation finds, in its order', async () => {
  const records = await readShared()
  const store = trustedStore(
    records.databaseWith(async () => {}),
    records.organisationId,
    {
      by: 'command line',
    },
  )
  await fc.assert(
    fc.asyncProperty(queries, limits, async (generated, lowered) => {
      Object.assign(queryLimits, normalLimits, lowered)
      const query = withTimes(generated, records)
      const expected = evaluate(query, records)
      let [at, pages] = [query.skip, 0]
      let after: Position | undefined
      do {
        const page = await read(store, { ...query, after, skip: after ? 0 : query.skip })
        const ids = page.rows.map(({ id }) => id)
        expectIds(ids, expected.slice(at, at + ids.length))
        if (page.next && !query.isExport) expect(ids).toHaveLength(query.limit)
        if (!after) expect(page.total).toBe(query.isCounted ? expected.length : undefined)
        at += ids.length
        after = toNext(page)
      } while (after && ++pages < 10)
      if (!after) expect(at).toBe(Math.max(query.skip, expected.length))
    }),
    { ...runs(40), endOnFailure: true },
  )
})

test('pages miss and repeat no record that stays, while others are written between statements', async () => {
  const records = await readShared()
  await fc.assert(
    fc.asyncProperty(
      queries,
      limits,
      fc.infiniteStream(fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, changes)),
      async (generated, lowered, stream) => {
        Object.assign(queryLimits, normalLimits, lowered)
        const query = {
          ...withTimes(generated, records),
          skip: 0,
          limit: Math.max(25, generated.limit),
        }
        const before = evaluate(query, records)
        records.touched.clear()
        const store = trustedStore(
          records.databaseWith(async () => {
            const { value } = stream.next()
            if (value) await records.change(value)
          }),
          records.organisationId,
          { by: 'command line' },
        )
        const shown: string[] = []
        let [after, pages]: [Position | undefined, number] = [undefined, 0]
        do {
          const page = await read(store, { ...query, after })
          for (const { id, document } of page.rows) {
            if (query.predicate)
              expect(satisfies(query.predicate, JSON.parse(String(document)))).toBe(true)
            shown.push(String(id))
          }
          after = toNext(page)
        } while (after && ++pages < 400)
        expect(after).toBeUndefined()
        const unchanged = (id: string) => !records.touched.has(id)
        expectIds(
          shown.filter(unchanged),
          before.filter(({ id }) => unchanged(id)),
        )
      },
    ),
    { ...runs(10), endOnFailure: true },
  )
})

/** Expects ids in this order; a failure shows the first difference. */
function expectIds(ids: readonly unknown[], expected: readonly QueriedRecord[]) {
  const at = expected.findIndex(({ id }, index) => id !== ids[index])
  const shown = at < 0 ? ids.length : at
  expect([shown, ids[shown], ids.length]).toEqual([
    ...[shown, expected[shown]?.id, expected.length],
  ])
}

type Generated = typeof queries extends fc.Arbitrary<infer Query> ? Query : never

/** Replaces the numbers in ranges of time by times of records. */
function withTimes(
  { created, changed, ...query }: Generated,
  records: QueriedRecords,
): RecordQuery {
  const sorted = (time: 'created' | 'changed') =>
    [...records.all.values()].map((it) => it[time]).sort()
  const toRange = (range: typeof created, values: string[]) =>
    range && {
      from: range.from === undefined ? undefined : values[range.from % values.length],
      to: range.to === undefined ? undefined : values[range.to % values.length],
    }
  return {
    ...query,
    created: toRange(created, sorted('created')),
    changed: toRange(changed, sorted('changed')),
  }
}

/** Returns the position of the next page as a client sends it back. */
const toNext = ({ next }: QueryPage): Position | undefined =>
  next && JSON.parse(JSON.stringify(next))

const read = (store: ReturnType<typeof trustedStore>, query: RecordQuery) =>
  readQuery(
    store,
    { permissions: ['read'], collection: 'events', policy: accessPolicyFor(null) },
    {},
    query,
    { columns: ['id', 'document'], selected: sql`records.id, records.document` },
  )

function evaluate({ predicate, order, created, changed }: RecordQuery, { all }: QueriedRecords) {
  const isIn = (
    time: string,
    { from, to }: { from?: string | undefined; to?: string | undefined } = {},
  ) => (from === undefined || time >= from) && (to === undefined || time < to)
  const passing = [...all.values()].filter(
    (record: QueriedRecord) =>
      (!predicate || satisfies(predicate, record.document)) &&
      isIn(record.created, created) &&
      isIn(record.changed, changed),
  )
  return sortRecords(passing, order)
}
