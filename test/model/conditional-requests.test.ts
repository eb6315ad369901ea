import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { beforeAll, expect, test, vi } from 'vitest'
import type { Restrictions } from '../../src/access/restrictions.ts'
import { pageMemory } from '../../src/formats/page-memory.ts'
import { everything, putEverything } from '../examples/everything.ts'
import { fields } from '../examples/people.ts'
import { changeKey, createKey, reactivateKey, revokeKey } from '../keys.ts'
import { newOrganisation, request } from '../organisation.ts'
import { runs } from '../runs.ts'

type Organisation = Awaited<ReturnType<typeof newOrganisation>>
type Key = { key: string; organisationId: string; id: string; by: string }

const paths = [
  ...Object.keys(everything).map((collection) => `/${collection}`),
  ...['/members?limit=1', '/members?Full%20Name=Renamed%201', '/members?$format=csv'],
  ...['/bookings?$include=times', '/bookings/booking-1', '/members/member-1'],
  ...['/changes', '/changes?$after=latest'],
  '/changes?$include=records&collections=members,bookings',
]
const restrictions: Restrictions[] = [
  {},
  { hideFields: ['names'] },
  { hideFields: ['email', 'phone', 'postcode'] },
  { collections: ['members', 'events'] },
  { privateNotes: false },
]
const examples = Object.entries(everything)

// Two organisations with records of identical ids, and three keys of each.
const organisations: Organisation[] = []
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

const numbers = { key: fc.nat(5), at: fc.nat(999) }
const stepOf = (weight: number, type: string) => ({
  weight,
  arbitrary: fc.record({ type: fc.constant(type), ...numbers }),
})
const step = fc.oneof(
  ...[stepOf(10, 'poll'), stepOf(5, 'get'), stepOf(2, 'race'), stepOf(2, 'write')],
  ...['delete', 'restrict', 'permit', 'revoke', 'schema'].map((type) => stepOf(1, type)),
)

// With few paths, most requests are repeated.
const somePaths = fc.subarray(paths, { minLength: 2, maxLength: 4 })
const steps = fc.array(step, { minLength: 20, maxLength: 40 })

let writes = 0

async function change(type: string, changedKey: Key, organisation: Organisation, at: number) {
  const [collection, record] = examples[at % examples.length] ?? []
  if (!collection || !record) throw new Error('There are no examples.')
  const name = `Renamed ${++writes % 3}`
  const isRevoked = at % 4 === 0
  switch (type) {
    case 'delete':
      await env.DB.prepare(
        'DELETE FROM records WHERE organisation_id = ? AND collection = ? AND id = ?',
      )
        .bind(organisation.id, collection, record.id)
        .run()
      break
    case 'restrict':
    case 'permit':
      await changeKey(env.DB, changedKey, {
        permissions: type === 'permit' && isRevoked ? ['write'] : ['read', 'write'],
        restrictions: restrictions[at % restrictions.length] ?? {},
      })
      break
    case 'revoke':
      await (isRevoked ? revokeKey : reactivateKey)(env.DB, changedKey)
      break
    case 'schema':
      await env.DB.prepare(
        "UPDATE schemas SET fields = ? WHERE organisation_id = ? AND kind = 'members'",
      )
        .bind(
          JSON.stringify(fields.map((field) => ({ ...field, label: `${field.label} ${at % 3}` }))),
          organisation.id,
        )
        .run()
      break
    default:
      await organisation.put(collection, [
        { id: record.id, document: { ...record.document, 'Full Name': name, name } },
      ])
  }
}

let requests = 0

async function get(path: string, { key }: Key, etag?: string) {
  requests++
  const headers = { 'x-api-key': key, ...(etag && { 'If-None-Match': etag }) }
  const response = await request(path, { headers })
  const text = new TextDecoder().decode(await response.arrayBuffer())
  return { status: response.status, etag: response.headers.get('ETag') ?? '', text }
}

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
  const counts = { unchanged: 0, complete: 0, rejected: 0 }
  await fc.assert(
    fc.asyncProperty(somePaths, steps, async (chosenPaths, steps) => {
      // The clients' responses by key and path.
      const responses = new Map<string, Awaited<ReturnType<typeof get>>>()
      for (const { type, key: number, at } of steps) {
        const key = keys[number % keys.length]
        const organisation = organisations.find(({ id }) => id === key?.organisationId)
        const path = chosenPaths[at % chosenPaths.length]
        if (!key || !organisation || !path) throw new Error('There are no keys.')
        if (!['poll', 'get', 'race'].includes(type)) {
          await change(type, key, organisation, at)
          continue
        }
        const name = `${key.id} ${path}`
        const known = type === 'get' ? undefined : responses.get(name)
        const [response] = await Promise.all([
          get(path, key, known?.etag),
          type === 'race' && change('write', key, organisation, at),
        ])
        const isUnchanged = response.status === 304
        const current = isUnchanged && known ? { ...known, etag: response.etag } : response
        if (response.status < 400) responses.set(name, current)
        counts[isUnchanged ? 'unchanged' : response.status < 400 ? 'complete' : 'rejected']++
        // The write may come before the response or after it.
        if (type !== 'race')
          expect([path, current]).toEqual([path, await getWithoutMemory(path, key)])
      }
    }),
    // The database outlives a run, so a failure cannot be repeated with fewer steps.
    { ...runs(7), endOnFailure: true },
  )
  expect(Math.min(counts.unchanged, counts.complete)).toBeGreaterThan(0)
  if (env.TEST_RUNS > 1) expect(requests).toBeGreaterThan(20_000)
})
