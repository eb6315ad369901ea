import { env } from 'cloudflare:workers'
import { beforeEach, expect, test, vi } from 'vitest'
import { operatorStore } from '../../src/admin/operator-store.ts'
import { describeAuthor } from '../../src/model/author.ts'
import { listErasures } from '../../src/records/erase.ts'
import {
  applyRule,
  type RetentionResult,
  retentionContext,
  runRetention,
} from '../../src/records/retention.ts'
import { listHistory } from '../../src/store/history/list-history.ts'
import { dateFields, listRules, removeRule, setRule } from '../../src/store/settings/retention.ts'
import { administeredStore } from '../../src/store/trusted-store.ts'
import { listAudit } from '../audit.ts'
import { errorOfD1 } from '../faults/d1-error.ts'
import { newOrganisation, setMovingTo } from '../organisation.ts'
import { newWriter, putExamples } from '../resources/writing.ts'
import { expectOrganisationIndex, rows } from '../store/whole-index.ts'
import { newReceivers, newWebhook } from '../webhooks/receivers.ts'

const today = '2027-05-06'
// 00:30 of that day in the United Kingdom.
const now = Date.parse('2027-05-05T23:30:00.000Z')
const day = 86_400_000

// The next rule is chosen from all organisations.
beforeEach(() => rows('DELETE FROM retention_rules'))

const rule = (organisationId: string, collection: string, field: string, age = '7 years') =>
  setRule(administeredStore(env.DB, organisationId, 'a test'), { collection, field, age })

/** What a dry run on the day says would become of the records of the one rule there is. */
async function dryRun(organisationId: string): Promise<RetentionResult[]> {
  const of = retentionContext(env, organisationId)
  const [first] = await listRules(of.store)
  return first ? Array.fromAsync(applyRule(of, first, today, true)) : []
}

const idsIn = async (organisationId: string, collection: string) =>
  (
    await rows(
      'SELECT id FROM records WHERE organisation_id = ? AND collection = ? ORDER BY row',
      organisationId,
      collection,
    )
  ).map(({ id }) => id)

const dates = {
  old: '1999-12-31',
  'last day': '2020-05-05',
  'not yet': '2020-05-06',
  new: '2027-05-05',
  future: '2031-01-01',
  none: null,
}

test('a rule deletes only the records that are too old, as its dry run says', async () => {
  const { id, put, send, json } = await newWriter()
  const notes = Object.entries(dates).map(([noteId, date]) => ({
    id: noteId,
    document: { noteId, date, isPrivate: noteId === 'old' },
  }))
  await put('case-notes', [
    ...notes,
    { id: 'odd', document: { noteId: 'odd', date: '01/02/1999' } },
    { id: 'number', document: { noteId: 'number', date: 19_990_101 } },
  ])
  const { changes, next } = await json<{ changes: object[]; next: string }>('/changes')
  expect(changes).toHaveLength(8)
  const world = newReceivers()
  const { arrived } = await newWebhook(world, id)
  await rule(id, 'case-notes', 'date')
  const before = await idsIn(id, 'case-notes')

  const dry = await dryRun(id)
  const foretold = dry.filter(({ outcome }) => outcome === 'removed').map((one) => one.id)
  expect(foretold).toEqual(['old', 'last day'])
  expect(await idsIn(id, 'case-notes')).toEqual(before)
  expect(await dateFields(operatorStore(env.DB, id), 'case-notes', 'date')).toEqual({
    total: 8,
    dated: 5,
  })

  await runRetention(env, now)
  const left = await idsIn(id, 'case-notes')
  expect(before.filter((one) => !left.includes(one))).toEqual(foretold)
  await expectOrganisationIndex(id)
  const since = await json<{ changes: object[] }>(`/changes?$after=${next}`)
  expect(since.changes).toMatchObject([
    { id: 'old', change: 'deleted' },
    { id: 'last day', change: 'deleted' },
  ])
  await world.run([id])
  expect(arrived).toHaveLength(2)
  const [last] = await listHistory(operatorStore(env.DB, id), 'case-notes', 'old')
  expect([last?.change, describeAuthor(last?.author ?? null, null)]).toEqual([
    'deleted',
    'a retention rule',
  ])
  expect(await listAudit(env.DB, id)).toMatchObject([
    {
      actor: 'retention',
      action: 'removed by retention',
      target: '2 case-notes older than 7 years by date',
    },
    { action: 'set retention', target: 'case-notes older than 7 years by date' },
    {},
    {},
    {},
  ])
  expect((await send('GET', '/case-notes')).status).toBe(200)
})

test('a day runs once, and the next one deletes more records', async () => {
  const { id, put } = await newOrganisation()
  await put('events', [{ id: 'a', document: { eventId: 'a', start: '2020-05-05T22:59:00.000Z' } }])
  await put('events', [{ id: 'b', document: { eventId: 'b', start: '2020-05-05T23:01:00.000Z' } }])
  await rule(id, 'events', 'start')
  await runRetention(env, now)
  expect(await idsIn(id, 'events')).toEqual(['b'])
  const [ruleState] = await listRules(operatorStore(env.DB, id))
  expect(ruleState).toMatchObject({ completedOn: today, removed: 1, kept: 0, cursor: null })
  await put('events', [
    { id: 'late', document: { eventId: 'late', start: '1999-01-01T00:00:00.000Z' } },
  ])
  await runRetention(env, now + day / 2)
  expect(await idsIn(id, 'events')).toEqual(['b', 'late'])
  await runRetention(env, now + day)
  expect(await idsIn(id, 'events')).toEqual([])
  await runRetention(env, now + 2 * day)
  expect(await listRules(operatorStore(env.DB, id))).toMatchObject([{ removed: 0 }])
  const acts = (await listAudit(env.DB, id)).filter(
    ({ action }) => action === 'removed by retention',
  )
  expect(acts.map(({ target }) => target.split(' ')[0])).toEqual(['2', '1'])
  expect(await removeRule(administeredStore(env.DB, id, 'a test'), 'events')).toBe(true)
  expect(await removeRule(administeredStore(env.DB, id, 'a test'), 'events')).toBe(false)
})

test('a rule starts a day after it was set', async () => {
  const { id, put } = await newOrganisation()
  const start = '1999-01-01T00:00:00.000Z'
  await put('events', [{ id: 'a', document: { eventId: 'a', start } }])
  await rule(id, 'events', 'start')
  const set = Date.now()
  await runRetention(env, set + day - 60_000)
  expect(await idsIn(id, 'events')).toEqual(['a'])
  await runRetention(env, set + day + 60_000)
  expect(await idsIn(id, 'events')).toEqual([])
})

test('a rule waits while its organisation moves', async () => {
  const { id, put } = await newOrganisation()
  await put('events', [{ id: 'a', document: { eventId: 'a', start: '1999-01-01T00:00:00.000Z' } }])
  await rule(id, 'events', 'start')
  await setMovingTo(id, 'DB_1')
  await runRetention(env, now)
  expect(await idsIn(id, 'events')).toEqual(['a'])
  await setMovingTo(id, null)
  await runRetention(env, now)
  expect(await idsIn(id, 'events')).toEqual([])
})

test('a required record stays and is reported; people lose the link', async () => {
  const writer = await newWriter([{ id: 'Left', name: 'Left', label: '', type: 'date', order: 0 }])
  const { id, put, send } = writer
  await putExamples(writer)
  const start = '2001-01-01T00:00:00.000Z'
  await put(
    'events',
    ['named', 'free'].map((eventId) => ({ id: eventId, document: { eventId, start } })),
  )
  await put('members', [{ id: 'm', document: { memberId: 'm', Left: '2001-01-01' } }])
  const booking = {
    bookingId: 'b',
    eventId: 'named',
    memberId: 'm',
    managedBy: id,
    userName: 'Ada',
  }
  await put('bookings', [{ id: 'b', document: booking }])
  await rule(id, 'events', 'start')
  const foretold = (await dryRun(id)).map(({ id, outcome, namedBy }) => [id, outcome, namedBy])
  expect(foretold).toEqual([
    ['named', 'kept', [['bookings', 1]]],
    ['free', 'removed', []],
  ])
  await rule(id, 'members', 'Left')
  await runRetention(env, now)
  expect(await idsIn(id, 'events')).toContain('named')
  expect(await idsIn(id, 'events')).not.toContain('free')
  expect(await idsIn(id, 'members')).not.toContain('m')
  const [remaining] = await rows(
    "SELECT document FROM records WHERE organisation_id = ? AND id = 'b'",
    id,
  )
  expect(JSON.parse(String(remaining?.document))).toMatchObject({
    ...booking,
    memberId: '',
    userName: '',
  })
  expect(await Array.fromAsync(listErasures(env.KEYS, id))).toMatchObject([{ id: 'm' }])
  const rules = await listRules(operatorStore(env.DB, id))
  expect(rules).toMatchObject([
    { collection: 'members', removed: 1, kept: 0 },
    { collection: 'events', removed: 1, kept: 1 },
  ])
  expect((await send('DELETE', '/bookings/b')).status).toBe(204)
  await runRetention(env, now + day)
  expect(await idsIn(id, 'events')).not.toContain('named')
})

test('a record that changes during a run stays', async () => {
  const { id, put } = await newOrganisation()
  const event = (eventId: string, start: string) => ({ id: eventId, document: { eventId, start } })
  const old = '2001-01-01T00:00:00.000Z'
  await put('events', [event('a', old), event('b', old), event('c', old)])
  await rule(id, 'events', 'start')
  const of = retentionContext(env, id)
  const [first] = await listRules(of.store)
  if (!first) throw new Error('There is no rule.')
  const outcomes: unknown[] = []
  for await (const one of applyRule(of, first, today)) {
    if (outcomes.length === 0) await put('events', [event('b', '2027-01-01T00:00:00.000Z')])
    outcomes.push([one.id, one.outcome])
  }
  expect(outcomes).toEqual([
    ['a', 'removed'],
    ['b', 'passed over'],
    ['c', 'removed'],
  ])
  expect(await idsIn(id, 'events')).toEqual(['b'])
})

test('organisations take turns, and a failed rule continues at its cursor', async () => {
  const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
  const many = 50
  const organisations = [await newOrganisation(), await newOrganisation()]
  for (const { id, put } of organisations) {
    const events = Array.from({ length: many }, (_, index) => ({
      id: `e${index}`,
      document: { eventId: `e${index}`, start: `2001-01-01T00:00:00.${100 + index}Z` },
    }))
    await put('events', events)
    // Another record refers to the first, which must not stop the others.
    await put('bookings', [{ id: 'b', document: { bookingId: 'b', eventId: 'e0', memberId: '' } }])
    await rule(id, 'events', 'start')
  }
  const left = () =>
    Promise.all(organisations.map(async ({ id }) => (await idsIn(id, 'events')).length))
  await runRetention(env, now)
  expect(await left()).toEqual([31, 31])
  let calls = 0
  const batch = (statements: D1PreparedStatement[]) => {
    if (++calls === 5) throw errorOfD1('Network connection lost.')
    return env.DB.batch(statements)
  }
  await runRetention({ ...env, DB: Object.create(env.DB, { batch: { value: batch } }) }, now)
  expect(errors).toHaveBeenCalledOnce()
  await runRetention(env, now)
  await runRetention(env, now)
  expect(await left()).toEqual([1, 1])
  for (const { id } of organisations) {
    expect(await listRules(operatorStore(env.DB, id))).toMatchObject([
      { completedOn: today, removed: many - 1, kept: 1 },
    ])
    expect((await listAudit(env.DB, id))[0]?.target).toMatch(/^49 events older than/)
  }
  vi.restoreAllMocks()
})
