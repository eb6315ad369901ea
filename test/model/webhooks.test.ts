import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { pauseWebhook, resumeWebhook } from '../../src/store/webhooks/webhooks.ts'
import { putRecords } from '../../src/store/write/put.ts'
import { type Fault, failingDatabase } from '../faults/failing-database.ts'
import { muteLog } from '../logs/mute.ts'
import { newOrganisation } from '../organisation.ts'
import { runs } from '../runs.ts'
import { rows } from '../store/whole-index.ts'
import {
  advanceClock,
  day,
  holdClock,
  hour,
  minute,
  newReceivers,
  newWebhook,
  ok,
  second,
  status,
} from '../webhooks/receivers.ts'
import { expectLastChange, type LastChange, selectLastChanges } from './delivered-changes.ts'

holdClock()

/** A receiver's behaviour: its answers may get lost, or it accepts only some messages. */
const answers = {
  ok,
  fails: status(500),
  'is away': () => Promise.reject(new TypeError('There is nobody.')),
  redirects: status(302, { Location: 'https://elsewhere.charity.org.uk/' }),
  'has had enough': status(429, { 'Retry-After': '90' }),
  'refuses a': async (request: Request) =>
    (await request.text()).includes('"id":"a"') ? status(400)(request) : ok(request),
}

type Manner = keyof typeof answers

type Step =
  | { write: 'put' | 'patch' | 'delete'; id: string; field: string }
  | { answer: Manner; by: number }
  | { passes: number }
  | { pump: true }
  | { breaks: Fault; at: number }
  | { pausesFor: number; by: number }

const ids = ['a', 'b', 'c']
const steps = fc.array(
  fc.oneof<fc.Arbitrary<Step>[]>(
    ...[1, 2, 3].map(() =>
      fc.record({
        write: fc.constantFrom(
          'put' as const,
          'patch' as const,
          'patch' as const,
          'delete' as const,
        ),
        id: fc.constantFrom(...ids),
        field: fc.constantFrom('name', 'venue', 'tags'),
      }),
    ),
    fc.record({
      answer: fc.constantFrom(...(Object.keys(answers) as Manner[])),
      by: fc.nat({ max: 1 }),
    }),
    fc.record({ passes: fc.constantFrom(second, 6 * second, 3 * minute, hour, day) }),
    ...[1, 2].map(() => fc.record({ pump: fc.constant(true as const) })),
    fc.record({
      breaks: fc.constantFrom<Fault[]>('lost before', 'lost after', 'stalled'),
      at: fc.nat({ max: 4 }),
    }),
    fc.record({ pausesFor: fc.constantFrom(minute, day), by: fc.nat({ max: 1 }) }),
  ),
  { minLength: 5, maxLength: 30 },
)

test('delivers every change to each webhook in the order of its record, despite failures', async () => {
  muteLog('warn')
  await fc.assert(
    fc.asyncProperty(steps, async (steps) => {
      const { run, ...world } = newReceivers()
      const { id: organisationId } = await newOrganisation()
      const webhooks = [
        await newWebhook(world, organisationId),
        await newWebhook(world, organisationId, { changes: ['updated', 'deleted'] }),
      ]
      const fieldsChanged: FieldVersions = new Map()
      for (const step of steps) {
        if ('write' in step) await write(organisationId, step, fieldsChanged)
        else if ('answer' in step) webhooks[step.by]?.answer(answers[step.answer])
        else if ('passes' in step) advanceClock(step.passes)
        else if ('pump' in step) await run([organisationId])
        else if ('pausesFor' in step) {
          const webhook = webhooks[step.by]
          if (!webhook) continue
          await pauseWebhook(webhook.store, webhook.id)
          advanceClock(step.pausesFor)
          await run([organisationId])
          await resumeWebhook(webhook.store, webhook.id)
        } else await killed(run, organisationId, step)
      }
      for (const { answer, store, id } of webhooks) {
        answer(ok)
        await resumeWebhook(store, id)
      }
      // The lease of the killed Worker expires; then every waiting message is due.
      for (let round = 0; round < 3; round++) {
        advanceClock(day)
        await run()
      }
      await expectTold(organisationId, webhooks, fieldsChanged)
    }),
    runs(3),
  )
})

/** The version at which each field of each record last changed, since the record was made. */
type FieldVersions = Map<string, Map<string, number>>

type Written = Extract<Step, { write: string }>

let value = 0

async function write(
  organisationId: string,
  { write, id, field }: Written,
  changed: FieldVersions,
) {
  const one = `organisation_id = ? AND id = ?`
  const [found] = await rows(`SELECT document FROM records WHERE ${one}`, organisationId, id)
  if (write === 'delete') {
    await rows(`DELETE FROM records WHERE ${one}`, organisationId, id)
    if (found) changed.delete(id)
    return
  }
  if (write === 'patch' && !found) return
  const document = { ...(found ? JSON.parse(String(found.document)) : {}), [field]: ++value }
  await putRecords(env.DB, organisationId, 'events', [{ id, document: JSON.stringify(document) }])
  const [row] = await rows(`SELECT version FROM records WHERE ${one}`, organisationId, id)
  const versions = changed.get(id) ?? new Map()
  changed.set(id, versions.set(field, Number(row?.version)))
}

/** Sends while the database fails at one of its calls; a stalled call never continues. */
async function killed(
  run: (organisations: string[], DB: D1Database) => Promise<unknown>,
  organisationId: string,
  { breaks, at }: Extract<Step, { breaks: Fault }>,
) {
  const { DB, happened } = failingDatabase(breaks, (call) => call === at)
  const running = run([organisationId], DB).catch(() => {})
  await Promise.race([running, vi.waitUntil(() => happened.waiting > 0)])
}

type Webhooks = Awaited<ReturnType<typeof newWebhook>>[]

/** Each receiver has taken the last change of every record, each record's in order, and every field that changed. */
async function expectTold(
  organisationId: string,
  webhooks: Webhooks,
  fieldsChanged: FieldVersions,
) {
  const truth = (await rows(selectLastChanges, organisationId)) as (LastChange & {
    firstVersion: number
  })[]
  for (const [position, { taken, shown }] of webhooks.entries()) {
    expect(await shown()).toMatchObject({ state: 'active', waiting: 0, isBehind: false })
    for (const { firstVersion, ...last } of truth) {
      const { id, version } = last
      // The second follows no created records and none of their later changes.
      const since = position === 1 ? firstVersion : 0
      if (version === since) continue
      const deliveries = expectLastChange(taken, last)
      for (const [field, at] of fieldsChanged.get(id) ?? []) {
        if (at <= since) continue
        const naming = deliveries.filter(
          ({ data }) => data.version >= at && data.changed.includes(field),
        )
        expect([id, field, naming.length > 0]).toEqual([id, field, true])
      }
    }
  }
}
