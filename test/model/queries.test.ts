import { sql } from 'drizzle-orm/sql'
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { accessPolicyFor } from '../../src/access/access-policy.ts'
import { ApiError } from '../../src/model/api-error.ts'
import type { Position } from '../../src/model/query/query-options.ts'
import { once } from '../../src/platform/once.ts'
import { list } from '../../src/resources/case-notes.ts'
import { text } from '../../src/store/columns.ts'
import { queryLimits } from '../../src/store/query/query-reader.ts'
import { readQuery } from '../../src/store/query/read-query.ts'
import type { RecordQuery } from '../../src/store/query/record-query.ts'
import { trustedStore } from '../../src/store/trusted-store.ts'
import { runs } from '../runs.ts'
import {
  changeBetween,
  type Generated,
  limits,
  queries,
  writtenQueries,
} from './generated-queries.ts'
import { evaluate, type QueriedRecord, satisfies } from './naive-query.ts'
import {
  caseNotes,
  findHiddenName,
  openRestricted,
  restrictedQueries,
  toExpression,
} from './noted-queries.ts'
import { QueriedRecords } from './queried-records.ts'
import { documents } from './query-arbitraries.ts'

const normalLimits = { ...queryLimits }

afterEach(() => {
  Object.assign(queryLimits, normalLimits)
})

/** The records of all runs: three blocks, a gap of several, and two more. */
const readShared = once(async () => {
  const records = await QueriedRecords.create('events', 'id')
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
      } while (after && ++pages < 4)
      if (!after) expect(at).toBe(Math.max(query.skip, expected.length))
    }),
    { ...runs(20), endOnFailure: true, maxSkipsPerRun: 1 },
  )
})

test('pages miss and repeat no record that stays, while others are written between statements', async () => {
  const records = await readShared()
  await fc.assert(
    fc.asyncProperty(writtenQueries, limits, async ({ generated, isAimed, stream }, lowered) => {
      Object.assign(queryLimits, normalLimits, lowered)
      const query = {
        ...withTimes(generated, records),
        skip: 0,
        limit: Math.max(25, generated.limit),
      }
      const before = evaluate(query, records)
      records.touched.clear()
      const shown: string[] = []
      const change = changeBetween({ isAimed, stream }, records, query, () =>
        before.slice(shown.length),
      )
      const store = trustedStore(records.databaseWith(change), records.organisationId, {
        by: 'command line',
      })
      let [after, pages]: [Position | undefined, number] = [undefined, 0]
      do {
        const page = await read(store, { ...query, after })
        for (const { id, document } of page.rows) {
          if (query.predicate)
            expect(satisfies(query.predicate, JSON.parse(String(document)))).toBe(true)
          shown.push(String(id))
        }
        after = toNext(page)
      } while (after && ++pages < 6)
      const unchanged = (id: string) => !records.touched.has(id)
      const ids = shown.filter(unchanged)
      const expected = before.filter(({ id }) => unchanged(id))
      expectIds(ids, after ? expected.slice(0, ids.length) : expected)
    }),
    { ...runs(15), endOnFailure: true, maxSkipsPerRun: 1 },
  )
})

test('restrictions hide fields and private notes from queries', async () => {
  const records = await QueriedRecords.create('case-notes', 'noteId')
  const [first = []] = fc.sample(fc.array(caseNotes, { minLength: 600, maxLength: 600 }), {
    numRuns: 1,
    seed: 1,
  })
  await records.add(first)
  const writes = fc.infiniteStream(
    fc.record({ at: fc.nat(), document: fc.option<QueriedRecord['document']>(caseNotes) }),
  )
  await fc.assert(
    fc.asyncProperty(restrictedQueries, limits, writes, async (generated, lowered, stream) => {
      Object.assign(queryLimits, normalLimits, lowered)
      const { predicate, order, filter, limit, isWritten, hidesPrivate, hidden } = generated
      const isVisible = ({ document }: QueriedRecord) =>
        (!hidesPrivate || document.isPrivate === false) &&
        (!filter ||
          (!hidden.includes(filter.field) && hasValue(document[filter.field], filter.value)))
      const expected = evaluate(generated, records).filter(isVisible)
      records.touched.clear()
      const shown: Record<string, unknown>[] = []
      const change = async () => {
        const { at, document } = stream.next().value
        if (isWritten && document)
          await records.change(
            { at, documents: [document], isDeletion: false },
            expected.slice(shown.length, shown.length + 10),
          )
      }
      const store = openRestricted(records.databaseWith(change), records.organisationId, {
        ...(hidesPrivate && { privateNotes: false }),
        ...(hidden.length > 0 && { hideFields: hidden }),
      })
      const readPage = (after?: Position) =>
        list.page(store, {
          limit,
          offset: 0,
          filters: filter ? [{ field: filter.field, values: [filter.value] }] : [],
          options: {
            filter: predicate && toExpression(predicate),
            orderBy: order.map(({ field, isDescending }) => ({
              name: field.path.join('.'),
              isDescending,
            })),
            after,
            isCounted: true,
          },
        })
      const error = findHiddenName(predicate, order, hidden)
      if (error) {
        await expect(readPage()).rejects.toEqual(error)
        return
      }
      let after: Position | undefined
      do {
        const page = await readPage(after)
        const notes = page.items().map((item) => JSON.parse(item))
        if (records.touched.size === 0) {
          if (!after) expect(page.total).toBe(expected.length)
          if (page.next) expect(notes).toHaveLength(limit)
        }
        shown.push(...notes)
        after = toNext(page)
      } while (after)
      const unchanged = (id: unknown) => !records.touched.has(String(id))
      expectIds(
        shown.map(({ noteId }) => noteId).filter(unchanged),
        expected.filter(({ id }) => unchanged(id)),
      )
      const values = hidden.flatMap((name) => shown.map((note) => note[name]))
      expect(
        values.filter((value) => value && !(Array.isArray(value) && value.length === 0)),
      ).toEqual([])
      if (hidesPrivate) expect(shown.filter(({ isPrivate }) => isPrivate)).toEqual([])
    }),
    { ...runs(10), endOnFailure: true },
  )
})

const hasValue = (held: unknown, value: unknown) =>
  Array.isArray(held) ? held.includes(value) : held === value

/** Expects ids in this order; a failure shows the first difference. */
function expectIds(ids: readonly unknown[], expected: readonly QueriedRecord[]) {
  const at = expected.findIndex(({ id }, index) => id !== ids[index])
  const shown = at < 0 ? ids.length : at
  expect([shown, ids[shown], ids.length]).toEqual([
    ...[shown, expected[shown]?.id, expected.length],
  ])
}

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
const toNext = ({ next }: { next?: unknown }): Position | undefined =>
  next && JSON.parse(JSON.stringify(next))

/** Reads a page. Discards a query that would read too many rows in the small steps of lowered limits. */
async function read(store: ReturnType<typeof trustedStore>, query: RecordQuery) {
  try {
    return await readQuery(
      store,
      { permissions: ['read'], collection: 'events', policy: accessPolicyFor(null) },
      {},
      query,
      { id: text(sql`records.id`), document: text(sql`records.document`) },
    )
  } catch (error) {
    fc.pre(!(error instanceof ApiError && error.message.includes('more than')))
    throw error
  }
}
