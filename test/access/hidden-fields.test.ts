import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fieldCategories } from '../../src/access/field-categories.ts'
import type { Restrictions } from '../../src/access/restrictions.ts'
import { createKey } from '../../src/admin/keys.ts'
import { collectionNames } from '../../src/model/collection.ts'
import { isSameJson } from '../../src/model/json.ts'
import { newWriter } from '../resources/writing.ts'
import { runs } from '../runs.ts'
import { allRequests, requestsFromResponses, type TestRequest } from './requests.ts'
import { fields, hideableNames, putFirstVariant, switchToSecondVariant } from './variants.ts'

const usual = ['read', 'create-members', 'write']

/** Restrictions that hide something from a key. */
const limits: fc.Arbitrary<Restrictions> = fc
  .record(
    {
      collections: fc.subarray(collectionNames, { minLength: 4 }),
      privateNotes: fc.constant(false as const),
      without: fc.oneof(
        fc.subarray([...fieldCategories], { minLength: 1 }),
        fc.subarray(hideableNames, { minLength: 1, maxLength: 8 }),
      ),
    },
    { requiredKeys: [] },
  )
  .filter((limits) => Object.keys(limits).length > 0)

/** The number of requests per topic in each run. */
const counts = { lists: 64, others: 10, singles: 6, writes: 6, values: 4, files: 4 }

test('values hidden from a key change none of its responses', async () => {
  let requests = 0
  await fc.assert(
    fc.asyncProperty(limits, fc.infiniteStream(fc.nat()), async (limits, chosen) => {
      const writer = await newWriter(fields)
      await putFirstVariant(writer, limits)
      const { key } = await createKey(env, writer.id, 'a', 'a', undefined, usual, limits)
      const pick = <Item>(items: Item[], count: number) =>
        [...chosen.take(count)].map((n) => items[n % items.length] as Item)
      const ask = async ({ method, path, body, headers }: TestRequest) => {
        requests++
        const answer = await writer.send(method, path, body, { 'x-api-key': key, ...headers })
        return {
          asked: [method, path, body, headers],
          status: answer.status,
          headers: [...answer.headers]
            .filter(([name]) => name !== 'x-request-id')
            .map(normaliseHeader),
          // Without the time at the start of a person's data.
          body: new TextDecoder()
            .decode(await answer.arrayBuffer())
            .replace(/^\{"at":"[^"]*",/, '{'),
        }
      }
      // The first request caches the restrictions.
      await ask({ method: 'GET', path: '/nowhere' })
      const about = allRequests(writer, limits)
      const asked = Object.entries(counts).flatMap(([name, n]) => pick(about[name] ?? [], n))
      asked.push(...(await requestsFromResponses(pick(about.singles ?? [], 1), ask)))
      // One after the other: a request may import a module, and vitest blocks a second import of it until the first has finished.
      const all = async () => {
        const answers: Awaited<ReturnType<typeof ask>>[] = []
        for (const one of asked) answers.push(await ask(one))
        return answers
      }
      const version = await readVersion(writer.id)
      const before = await all()
      expect(await readVersion(writer.id)).toBe(version)
      await switchToSecondVariant(writer, limits)
      const after = await all()
      expect(before.filter(({ status }) => status >= 500)).toEqual([])
      const both = before.map((answer, place) => ({ before: answer, after: after[place] }))
      expect(both.filter(({ before, after }) => !isSameJson(before, after))).toEqual([])
    }),
    runs(1.1),
  )
  expect(requests).toBeGreaterThanOrEqual(env.TEST_RUNS >= 100 ? 20_000 : 100)
})

/** The version of the organisation's last change. */
const readVersion = (id: string) =>
  env.DB.prepare('SELECT version FROM organisations WHERE id = ?').bind(id).first('version')

/** A response header without its durations. */
const normaliseHeader = ([name, value]: [string, string]) => [name, value.replace(/dur=[\d.]+/, '')]
