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
import { type Asked, askedBack, everythingAsked } from './asked.ts'
import { change, fields, keepable, put } from './worlds.ts'

const usual = ['read', 'create-members', 'write']

/** Limits that keep something from a key. */
const limits: fc.Arbitrary<Restrictions> = fc
  .record(
    {
      collections: fc.subarray(collectionNames, { minLength: 4 }),
      privateNotes: fc.constant(false as const),
      without: fc.oneof(
        fc.subarray([...fieldCategories], { minLength: 1 }),
        fc.subarray(keepable, { minLength: 1, maxLength: 8 }),
      ),
    },
    { requiredKeys: [] },
  )
  .filter((limits) => Object.keys(limits).length > 0)

/** How many requests of what everythingAsked gives are made in each run. */
const counts = { lists: 64, others: 10, singles: 6, writes: 6, values: 4, files: 4 }

test('what is kept from a key makes no difference to any answer', async () => {
  let requests = 0
  await fc.assert(
    fc.asyncProperty(limits, fc.infiniteStream(fc.nat()), async (limits, chosen) => {
      const writer = await newWriter(fields)
      await put(writer, limits)
      const { key } = await createKey(env, writer.id, 'a', 'a', undefined, usual, limits)
      const pick = <Item>(items: Item[], count: number) =>
        [...chosen.take(count)].map((n) => items[n % items.length] as Item)
      const ask = async ({ method, path, body, headers }: Asked) => {
        requests++
        const answer = await writer.send(method, path, body, { 'x-api-key': key, ...headers })
        return {
          asked: [method, path, body, headers],
          status: answer.status,
          headers: [...answer.headers].filter(([name]) => name !== 'x-request-id').map(told),
          // Less the time at which everything of a person was taken, with which that begins.
          body: new TextDecoder()
            .decode(await answer.arrayBuffer())
            .replace(/^\{"at":"[^"]*",/, '{'),
        }
      }
      // The limits are learnt with the first request.
      await ask({ method: 'GET', path: '/nowhere' })
      const about = everythingAsked(writer, limits)
      const asked = Object.entries(counts).flatMap(([name, n]) => pick(about[name] ?? [], n))
      asked.push(...(await askedBack(pick(about.singles ?? [], 1), ask)))
      // One by one: a request may import a module on entry, and vitest has whoever imports it at the same time wait for the first.
      const all = async () => {
        const answers: Awaited<ReturnType<typeof ask>>[] = []
        for (const one of asked) answers.push(await ask(one))
        return answers
      }
      const version = await versionOf(writer.id)
      const before = await all()
      expect(await versionOf(writer.id)).toBe(version)
      await change(writer, limits)
      const after = await all()
      expect(before.filter(({ status }) => status >= 500)).toEqual([])
      const both = before.map((answer, place) => ({ before: answer, after: after[place] }))
      expect(both.filter(({ before, after }) => !isSameJson(before, after))).toEqual([])
    }),
    runs(1.1),
  )
  expect(requests).toBeGreaterThanOrEqual(env.TEST_RUNS >= 100 ? 20_000 : 100)
})

/** Which change of the organisation's records was the last. */
const versionOf = (id: string) =>
  env.DB.prepare('SELECT version FROM organisations WHERE id = ?').bind(id).first('version')

/** A header as it is told, less how long things took. */
const told = ([name, value]: [string, string]) => [name, value.replace(/dur=[\d.]+/, '')]
