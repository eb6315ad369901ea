import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createKey } from '../../src/auth/key-acts.ts'
import { kindsOfFields } from '../../src/limits/kinds-of-fields.ts'
import type { Limits } from '../../src/limits/limits.ts'
import { collectionNames } from '../../src/model/collection-names.ts'
import { isKind } from '../../src/model/schema.ts'
import { collections, newWriter, type Writer } from '../resources/writing.ts'
import { runs } from '../runs.ts'
import { change, fields, keepable, put, recordsIn } from './worlds.ts'

const usual = ['read', 'create-members', 'write']

/** Limits that keep something from a key. */
const limits: fc.Arbitrary<Limits> = fc
  .record(
    {
      collections: fc.subarray(collectionNames, { minLength: 4 }),
      privateNotes: fc.constant(false as const),
      without: fc.oneof(
        fc.subarray([...kindsOfFields], { minLength: 1 }),
        fc.subarray(keepable, { minLength: 1, maxLength: 8 }),
      ),
    },
    { requiredKeys: [] },
  )
  .filter((limits) => Object.keys(limits).length > 0)

type Asked = { method: string; path: string; body?: unknown }

/** Everything one may ask of these collections: with every name, and every value of either world. */
function everythingAsked(writer: Writer, limits: Limits): Asked[] {
  const worlds = [...recordsIn('one', limits, writer.id), ...recordsIn('other', limits, writer.id)]
  const gets = collections.flatMap(([name, , idName]) => {
    const held = new Map<string, Set<string>>()
    for (const { collection, document } of worlds) {
      if (collection === name) for (const [path, value] of leaves(document)) add(held, path, value)
    }
    const filters = [...held].flatMap(([path, values]) =>
      [...values].map((value) => new URLSearchParams({ [path]: value })),
    )
    const near = [...held.keys()].map((path) => new URLSearchParams({ [`${path}x`]: '1' }))
    const named = [...namedFilters(name, held)].map((query) => new URLSearchParams(query))
    const ids = worlds.filter((it) => it.collection === name).map(({ id }) => id)
    return [
      ...['', '?$show=times', '?$format=csv&$labels=true', '?$format=ndjson', '?limit=1&offset=1']
        .concat('?$updatedFrom=2020-01-01', '?$createdTo=2020-01-01', '?$updatedFrom=2020&x=1')
        .map((query) => `/${name}${query}`),
      ...[...filters, ...near, ...named].map((query) => `/${name}?${query}`),
      ...filters.map((query) => `/${name}?${query}&${idName}=${ids[1]}&$format=csv`),
      ...[...new Set([...ids, 'nobody'])].map((id) => `/${name}/${id}`),
      ...(isKind(name) ? [...new Set(ids)].map((id) => `/${name}/${id}/$everything`) : []),
    ]
  })
  const others = [
    ...['members', 'volunteers', 'partners'].map((kind) => `/schemas/${writer.id}?kind=${kind}`),
    ...['', `&profileFields=${fields.map(({ id }) => id).join(',')}`].flatMap((chosen) => [
      `/bookings?limit=2${chosen}`,
      `/bookings?$format=csv${chosen}`,
      `/bookings?$format=ndjson${chosen}`,
    ]),
    ...['', '$show=records', '$after=latest', 'limit=3&$show=records'].map(
      (it) => `/changes?${it}`,
    ),
    ...collectionNames.map((name) => `/changes?collections=${name}&$show=records`),
  ]
  return [...gets, ...others].map((path) => ({ method: 'GET', path }))
}

/** What may be written without changing anything, or is refused. */
function writesAsked(writer: Writer, limits: Limits): Asked[] {
  const [one, other] = (['one', 'other'] as const).map((it) => recordsIn(it, limits, writer.id))
  return [...(one ?? []).entries()].flatMap(([place, { collection, id, document }]) => {
    const path = `/${collection}/${id}`
    const theirs: Record<string, unknown> = { ...other?.[place]?.document }
    const differing = Object.entries(document).flatMap(([name, value]) => {
      const isKept = JSON.stringify(value) !== JSON.stringify(theirs[name])
      return isKept && !name.startsWith('$') ? [[name, value] as const] : []
    })
    return [
      { method: 'PATCH', path, body: {} },
      ...differing.map(([name, value]) => ({ method: 'PATCH', path, body: { [name]: value } })),
    ]
  })
}

test('what is kept from a key makes no difference to any answer', async () => {
  let requests = 0
  await fc.assert(
    fc.asyncProperty(limits, fc.infiniteStream(fc.nat()), async (limits, chosen) => {
      const writer = await newWriter(fields)
      await put(writer, limits)
      const { key } = await createKey(env, writer.id, 'a', 'a', undefined, usual, limits)
      const pick = <Item>(items: Item[], count: number) =>
        chosen.take(count).map((n) => items[n % items.length] as Item)
      const asked = [
        ...pick(everythingAsked(writer, limits), 70),
        ...pick(writesAsked(writer, limits), 10),
      ]
      const ask = async ({ method, path, body }: Asked) => {
        requests++
        const answer = await writer.send(method, path, body, { 'x-api-key': key })
        return {
          method,
          path,
          status: answer.status,
          headers: [...answer.headers].filter(([name]) => name !== 'x-request-id').map(told),
          // Less the time at which everything of a person was taken, with which that begins.
          body: new TextDecoder()
            .decode(await answer.arrayBuffer())
            .replace(/^\{"at":"[^"]*",/, '{'),
        }
      }
      const all = () => Promise.all(asked.map(ask))
      // The limits are learnt with the first request.
      await ask({ method: 'GET', path: '/nowhere' })
      const before = await all()
      await change(writer, limits)
      const after = await all()
      expect(before.filter(({ status }) => status >= 500)).toEqual([])
      expect(after).toEqual(before)
    }),
    runs(2),
  )
  expect(requests).toBeGreaterThanOrEqual(env.TEST_RUNS >= 100 ? 20_000 : 100)
})

/** A header as it is told, less how long things took. */
const told = ([name, value]: [string, string]) => [name, value.replace(/dur=[\d.]+/, '')]

function* leaves(value: unknown, path = ''): Generator<[string, string]> {
  if (Array.isArray(value)) for (const item of value) yield* leaves(item, path)
  else if (typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(value))
      yield* leaves(inner, path === '' ? name : `${path}.${name}`)
  else if (!path.startsWith('$')) yield [path, String(value)]
}

function add(held: Map<string, Set<string>>, path: string, value: string) {
  held.set(path, (held.get(path) ?? new Set()).add(value))
}

/** The named filters that are not called as their field, with the values of that field. */
function* namedFilters(name: string, held: ReadonlyMap<string, Set<string>>) {
  const names: Record<string, [string, string][]> = {
    volunteers: [
      ['postcode', 'Postcode'],
      ['postcode', 'home.postcode'],
    ],
    partners: [['postcode', 'Postcode']],
    'survey-responses': [['SurveyId', 'surveyId']],
    'case-notes': [
      ['Creator', 'creator'],
      ['Pinned', 'isPinned'],
      ['Private', 'isPrivate'],
    ],
    'grant-applications': [['recipientOrgId', 'recipient.organisationId']],
  }
  for (const [filter, field] of names[name] ?? [])
    for (const value of held.get(field) ?? []) yield { [filter]: value }
}
