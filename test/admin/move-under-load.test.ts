import { env } from 'cloudflare:workers'
import { afterEach, expect, test, vi } from 'vitest'
import { moveOrganisation } from '../../src/admin/move/move-organisation.ts'
import { fields } from '../examples/people.ts'
import { wrapDatabase } from '../faults/failing-database.ts'
import { createKey } from '../keys.ts'
import { newOrganisation, request } from '../organisation.ts'
import { readOrganisationRows } from '../store/organisation-rows.ts'
import { rows } from '../store/whole-index.ts'
import { newReceivers, newWebhook } from '../webhooks/receivers.ts'
import { newFilledOrganisation } from './filled-organisation.ts'
import { newFollower, newReader, newWriter, type Refusals, type Step } from './move-clients.ts'

const chunkSize = 2000

/** An organisation of 8,000 records with history, deletions and a webhook. */
async function newLargeOrganisation() {
  const organisation = await newOrganisation(fields)
  const { id } = organisation
  const sizes = { members: 3300, events: 2400, 'case-notes': 1250, bookings: 1250 }
  for (const [collection, size] of Object.entries(sizes))
    for (let start = 0; start < size; start += chunkSize)
      await organisation.put(
        collection,
        Array.from({ length: Math.min(chunkSize, size - start) }, (_, index) => ({
          id: `r${start + index}`,
          document: newDocument(collection, start + index),
        })),
      )
  const changed = Array.from({ length: 300 }, (_, index) => ({
    id: `r${index}`,
    document: { ...newDocument('events', index), name: 'Changed' },
  }))
  await organisation.put('events', changed)
  await rows("DELETE FROM records WHERE organisation_id = ? AND id GLOB 'r23??'", id)
  await organisation.put('events', [{ id: 'last', document: { eventId: 'last', name: 'Last' } }])
  await newWebhook(newReceivers(), id)
  return organisation
}

const newDocument = (collection: string, index: number): object =>
  collection === 'members'
    ? {
        memberId: `r${index}`,
        'Full Name': `Ada King-${index % 90}`,
        Email: `${index}@example.org`,
      }
    : {
        eventId: `r${index}`,
        name: `Event ${index % 50}`,
        tags: [`tag ${index % 7}`],
        bookable: true,
      }

afterEach(() => {
  vi.restoreAllMocks()
})

test('an organisation of 8,000 records moves while callers read, follow and write', async () => {
  const warnings = vi.spyOn(console, 'warn').mockReturnValue()
  const errors = vi.spyOn(console, 'error').mockReturnValue()
  const { id, key } = await newLargeOrganisation()
  const writeKey = (
    await createKey(env, id, 'writer', 'a test', undefined, ['read', 'create-members', 'write'])
  ).key
  const limited = await createKey(env, id, 'events', 'a test', undefined, ['read'], {
    collections: ['events'],
    origins: ['https://www.example.org'],
  })
  const neighbour = await newFilledOrganisation(crypto.randomUUID(), 20)
  await rows("UPDATE webhooks SET state = 'paused' WHERE organisation_id = ?", neighbour.id)
  // A delivery that has begun still notes its attempt.
  await vi.waitUntil(
    async () =>
      (
        await rows(
          'SELECT 1 FROM webhooks WHERE organisation_id = ? AND lease IS NOT NULL',
          neighbour.id,
        )
      ).length === 0,
    { timeout: 30_000 },
  )
  // The use of its key is saved a while later.
  const readNeighbour = async () => {
    const { key_usage, ...others } = await readOrganisationRows(env.DB, neighbour.id, [
      'api_keys.last_used',
    ])
    return others
  }
  const neighbourRows = await readNeighbour()

  const refusals: Refusals = { reads: 0, writes: 0 }
  const cursorPage = await request('/events?$orderby=name&limit=40', {
    headers: { 'x-api-key': key },
  })
  const { next } = await cursorPage.json<{ next: string }>()
  const readers = await Promise.all([
    newReader(
      key,
      [
        next.replace('/api/v1', ''),
        '/events/r7',
        '/events?limit=100&offset=1500',
        '/events?name=Event%2017&limit=30',
        "/case-notes?$filter=name eq 'Event 3'&limit=20",
      ],
      refusals,
    ),
    newReader(
      limited.key,
      ['/events/last', '/members/r1', '/events?tags=tag%203&limit=10'],
      refusals,
    ),
  ])
  const follower = await newFollower(key)
  const creator = newWriter(
    writeKey,
    (index) => ({ method: 'POST', path: '/members', body: { 'Full Name': `New ${index}` } }),
    refusals,
  )
  const editor = newWriter(
    writeKey,
    (index) => ({
      method: 'PATCH',
      path: `/members/r${index}`,
      body: { Email: 'new@example.org' },
    }),
    refusals,
  )
  const steps: Step[] = [...readers, follower.step, creator.step, editor.step]
  const runRound = async () => {
    await Promise.all(steps.map((step) => step()))
  }

  // Every third statement of the move runs beside a round of requests.
  let calls = 0
  let round: Promise<void> | undefined
  const besideRequests = async <Answer>(make: () => Promise<Answer>): Promise<Answer> => {
    if (calls++ % 3 > 0) return make()
    round ??= runRound().finally(() => {
      round = undefined
    })
    const [answer] = await Promise.all([make(), round])
    return answer
  }
  const phases = new Set<string>()
  await runRound()
  await moveOrganisation(
    {
      KEYS: env.KEYS,
      DB: wrapDatabase(env.DB, besideRequests),
      DB_1: wrapDatabase(env.DB_1, besideRequests),
      DB_2: env.DB_2,
    },
    id,
    'DB_1',
    (phase) => phases.add(phase),
  )
  await runRound()
  for (let before = -1; before < follower.changes.length; ) {
    before = follower.changes.length
    await follower.step()
  }
  expect([...phases]).toEqual(['Copying', 'Comparing', 'Deleting'])
  expect(refusals.writes).toBeGreaterThan(50)
  const refused = warnings.mock.calls
    .map(([line]) => JSON.parse(line))
    .filter(({ status }) => status === 503)
  expect(new Set(refused.map(({ event }) => event))).toEqual(new Set(['organisation-moving']))
  expect(refused.length).toBeGreaterThanOrEqual(refusals.writes + refusals.reads)
  expect(errors.mock.calls).toEqual([])
  expect(creator.acknowledged.length).toBeGreaterThan(10)
  const versions = follower.changes.map(({ version }) => version)
  expect(versions).toEqual([...new Set(versions)].toSorted((a, b) => a - b))
  const idsOf = (change: string) =>
    follower.changes.filter((entry) => entry.change === change).map((entry) => entry.id)
  expect(idsOf('created')).toEqual(creator.acknowledged)
  expect(idsOf('updated')).toEqual(editor.acknowledged)

  const {
    records = [],
    organisations: places,
    memberships,
    ...left
  } = await readOrganisationRows(env.DB, id)
  expect([places?.length, ...records, ...Object.values(left).flat()]).toEqual([1])
  const moved = await readOrganisationRows(env.DB_1, id)
  expect(moved.records).toHaveLength(8001 + creator.acknowledged.length)
  expect(moved.idempotency_keys).toHaveLength(creator.acknowledged.length)
  expect(await readNeighbour()).toEqual(neighbourRows)
})
