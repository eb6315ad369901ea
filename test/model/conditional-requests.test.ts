import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { beforeAll, expect, test, vi } from 'vitest'
import type { Restrictions } from '../../src/access/restrictions.ts'
import { changeKey, createKey, reactivateKey, revokeKey } from '../../src/admin/keys.ts'
import { pageMemory } from '../../src/formats/page-memory.ts'
import { everything, putEverything } from '../examples/everything.ts'
import { fields } from '../examples/people.ts'
import { newOrganisation, request } from '../organisation.ts'
import { runs } from '../runs.ts'

type Key = { key: string; organisationId: string; id: string; by: string }

const paths = [
  ...Object.keys(everything).map((collection) => `/${collection}`),
  '/members?limit=1',
  '/members?Full%20Name=Renamed%201',
  '/members?$format=csv',
  '/bookings?$include=times',
  '/changes',
  '/changes?$after=latest',
  '/changes?$include=records&collections=members,bookings',
]
const restrictions: Restrictions[] = [
  {},
  { hideFields: ['names'] },
  { hideFields: ['email', 'phone', 'postcode'] },
  { collections: ['members', 'events'] },
  { privateNotes: false },
]

// Two organisations with records of identical ids, and three keys of each.
const organisations: Awaited<ReturnType<typeof newOrganisation>>[] = []
const keys: Key[] = []

beforeAll(async () => {
  for (const _ of [1, 2]) {
    const organisation = await newOrganisation()
    organisations.push(organisation)
    await putEverything(organisation)
    for (const restriction of restrictions.slice(0, 3)) {
      const { key, id } = await createKey(
        ...[env, organisation.id, 'test', 'a test', undefined, ['read', 'write']],
        restriction,
      )
      keys.push({ key, id, organisationId: organisation.id, by: 'a test' })
    }
  }
})

const index = (length: number) => fc.nat(length - 1)
const step = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({ type: fc.constant('read'), key: index(6), at: index(paths.length) }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('write'), key: index(2), at: index(11) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('restrict'),
      key: index(6),
      at: index(restrictions.length),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('revoke'), key: index(6), at: index(2) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('schema'), key: index(2), at: index(3) }) },
)

// With few paths, most requests are repeated.
const somePaths = fc.subarray(paths, { minLength: 2, maxLength: 4 })
const steps = fc.array(step, { minLength: 20, maxLength: 40 })

let writes = 0

async function change(type: string, key: number, at: number): Promise<void> {
  const organisation = organisations[key % 2]
  const changedKey = keys[key]
  if (!organisation || !changedKey) return
  if (type === 'restrict')
    await changeKey(env.DB, changedKey, {
      permissions: ['read', 'write'],
      restrictions: restrictions[at] ?? {},
    })
  if (type === 'revoke') await (at ? revokeKey : reactivateKey)(env.DB, changedKey)
  if (type === 'schema') {
    const changed = fields.map((field) => ({ ...field, label: `${field.label} ${at}` }))
    await env.DB.prepare(
      "UPDATE schemas SET fields = ? WHERE organisation_id = ? AND kind = 'members'",
    )
      .bind(JSON.stringify(changed), organisation.id)
      .run()
  }
  if (type === 'write') {
    const [collection, record] = Object.entries(everything)[at] ?? []
    if (!collection || !record) return
    const name = `Renamed ${++writes % 3}`
    const document = { ...record.document, 'Full Name': name, name }
    await organisation.put(collection, [{ id: record.id, document }])
  }
}

const get = (path: string, { key }: Key, etag?: string) =>
  request(path, { headers: { 'x-api-key': key, ...(etag && { 'If-None-Match': etag }) } })

/** Sends a request to a Worker without a page memory. */
async function getWithoutMemory(path: string, key: Key) {
  const spies = [
    vi.spyOn(pageMemory, 'get').mockReturnValue(undefined),
    vi.spyOn(pageMemory, 'set').mockReturnValue(undefined),
  ]
  try {
    return await get(path, key)
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}

test('a response from the client or the page memory equals a new one', async () => {
  const seen = { unchanged: 0, changed: 0, rejected: 0 }
  await fc.assert(
    fc.asyncProperty(somePaths, steps, async (chosenPaths, steps) => {
      // What the clients have, by key and path.
      const responses = new Map<string, { etag: string; text: string }>()
      for (const { type, key: keyIndex, at } of steps) {
        const key = keys[keyIndex]
        const path = chosenPaths[at % chosenPaths.length]
        if (type !== 'read' || !key || !path) {
          await change(type, keyIndex, at)
          continue
        }
        const held = responses.get(`${keyIndex} ${path}`)
        const response = await get(path, key, held?.etag)
        const received = await response.text()
        const text = response.status === 304 ? held?.text : received
        const expected = await getWithoutMemory(path, key)
        expect([path, response.status === 304 ? 200 : response.status]).toEqual([
          path,
          expected.status,
        ])
        if (expected.status !== 200) {
          seen.rejected++
          continue
        }
        expect(text).toBe(await expected.text())
        const etag = response.headers.get('ETag') ?? ''
        expect(etag).toBe(expected.headers.get('ETag'))
        responses.set(`${keyIndex} ${path}`, { etag, text: text ?? '' })
        seen[response.status === 304 ? 'unchanged' : 'changed']++
      }
    }),
    runs(10),
  )
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(5)
})
