import { env } from 'cloudflare:workers'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { fields, memberDocument, memberId } from '../../bench/members.ts'
import { measured } from '../../cli/cost/measured.ts'
import { fullPermissions } from '../../src/access/permissions.ts'
import { generateApiKey } from '../../src/auth/key-text.ts'
import { countKeyUse, flushKeyUse } from '../../src/auth/key-use.ts'
import { measureNextOrganisation } from '../../src/store/sizes.ts'
import { putRecords } from '../../src/store/write/put.ts'
import { everything } from '../examples/everything.ts'
import { requestWith, wrapDatabase } from '../faults/failing-database.ts'
import { createKey } from '../keys.ts'
import { loggedLines } from '../logs/watch.ts'
import { newOrganisation, request, rowsRead } from '../organisation.ts'
import { newReceivers, newWebhook } from '../webhooks/receivers.ts'

// The figures from which `npm run cost` computes a bill. Written rows cost most, so theirs are exact.

const thousand = 1000
const schema = fields.map(({ id, type }, order) => ({ id, name: id, label: id, type, order }))
const organisation = await newOrganisation(schema)

/** Runs work with a database that counts the rows of its statements and notes its size in bytes. */
async function countRows(work: (DB: D1Database) => Promise<unknown>) {
  const counted = { read: 0, written: 0, bytes: 0 }
  const DB = wrapDatabase(env.DB, async (run) => {
    const answer = await run()
    for (const { meta } of [answer].flat() as { meta?: D1Meta }[]) {
      counted.read += meta?.rows_read ?? 0
      counted.written += meta?.rows_written ?? 0
      counted.bytes = meta?.size_after ?? counted.bytes
    }
    return answer
  })
  await work(DB)
  return counted
}

const loadMembers = (from: number, toDocument = memberDocument) =>
  countRows((DB) =>
    putRecords(
      DB,
      organisation.id,
      'members',
      Array.from({ length: thousand }, (_, index) => from + index).map((member) => ({
        id: memberId(member),
        document: toDocument(member),
      })),
    ),
  )

/** Expects a figure to be at least the measured one, and less than twice as high. */
function expectAtMost(value: number, figure: number) {
  expect(value).toBeLessThanOrEqual(figure)
  expect(value).toBeGreaterThan(figure / 2)
}

let loads: Awaited<ReturnType<typeof countRows>>[]

beforeAll(async () => {
  loads = [await loadMembers(0), await loadMembers(thousand)]
})

afterEach(() => vi.restoreAllMocks())

test('rows and bytes of a loaded record', () => {
  const [first, second] = loads
  if (!first || !second) throw new Error('Nothing was loaded.')
  expect(Math.ceil(second.written / thousand)).toBe(measured.rowsWrittenPerLoadedRecord)
  expectAtMost(second.read / thousand, measured.rowsReadPerLoadedRecord)
  // Other tests may have left free or almost full pages in the database.
  expect((second.bytes - first.bytes) / thousand).toBeLessThan(1.05 * measured.bytesPerRecord)
})

test('rows of a loaded record with all its properties', async () => {
  const { id } = await newOrganisation()
  const written = []
  for (const [collection, { document }] of Object.entries(everything)) {
    const load = (from: number) =>
      countRows((DB) =>
        putRecords(
          DB,
          id,
          collection,
          Array.from({ length: 10 }, (_, index) => ({
            id: `${collection}-${from + index}`,
            document: JSON.stringify(document),
          })),
        ),
      )
    await load(0)
    written.push((await load(10)).written / 10)
  }
  expect(Math.ceil(Math.max(...written))).toBe(measured.maxRowsWrittenPerLoadedRecord)
})

test('rows read for a page of 100', async () => {
  const queries = [
    '',
    '?offset=1000',
    '?offset=1900',
    '?Status=active&offset=700',
    '?Status=active&Consent=true',
  ]
  const read = await Promise.all(
    queries.map(async (query) => rowsRead(await organisation.get(`/members${query}`))),
  )
  const figure = measured.rowsReadPerPage + 2 * thousand * measured.rowsReadPerPageAndMember
  expectAtMost(Math.max(...read), figure)
})

test('rows and bytes of a change', async () => {
  const { id, act } = organisation
  const { key } = await createKey(env, id, 'writes', act.by, undefined, fullPermissions)
  const { run, ...world } = newReceivers()
  await newWebhook(world, id)
  await run([id])
  const headers = { 'x-api-key': key, 'Content-Type': 'application/json' }
  const changes = []
  for (const member of [1, 2, 3]) {
    const body = JSON.stringify({ Phone: `0770090012${member}`, Town: 'Leeds' })
    const path = `/members/${memberId(member)}`
    changes.push(
      await countRows((DB) => requestWith({ DB }, path, { method: 'PATCH', headers, body })),
    )
  }
  expect(Math.max(...changes.map(({ written }) => written))).toBe(measured.rowsWrittenPerChange)
  expectAtMost(Math.max(...changes.map(({ read }) => read)), measured.rowsReadPerChange)

  const { bytes: before } = await countRows((DB) => DB.prepare('SELECT 1').all())
  const after = await loadMembers(0, (member) =>
    memberDocument(member).replace('neighbour', 'friend'),
  )
  expect((after.bytes - before) / thousand).toBeLessThanOrEqual(measured.bytesPerChange)
})

test('rows of a message', async () => {
  const { run, ...world } = newReceivers()
  const { put, id } = await newOrganisation()
  const webhook = await newWebhook(world, id)
  await put('events', [{ id: 'e', document: {} }])
  const sent = await countRows((DB) => run([id], DB))
  const forgotten = await countRows((DB) =>
    DB.prepare('DELETE FROM webhook_attempts WHERE webhook_id = ?').bind(webhook.id).run(),
  )
  expect(sent.written + forgotten.written).toBe(measured.rowsWrittenPerMessage)
  expectAtMost(sent.read, measured.rowsReadPerMessage)
})

test('rows of usage', async () => {
  const { id: organisationId, keyId } = await newOrganisation()
  await flushKeyUse(env, Number.NEGATIVE_INFINITY)
  const use = { collection: 'events', requests: 1, records: 100, rowsRead: 100 }
  countKeyUse(env, { organisationId, keyId, database: 'DB' }, use, Date.now())
  const { written } = await countRows((DB) => flushKeyUse({ DB }, Number.NEGATIVE_INFINITY))
  expect(written).toBe(measured.rowsWrittenPerUse)
})

test('rows of the measurement of a size', async () => {
  // The others have been measured later.
  await env.DB.prepare("UPDATE organisations SET measured = '9' WHERE id <> ?")
    .bind(organisation.id)
    .run()
  const { read } = await countRows((DB) => measureNextOrganisation(DB, Date.now()))
  expect(Math.round(read / (2 * thousand))).toBe(measured.rowsReadPerMeasuredRecord)
})

test('reads from KV', async () => {
  const { get } = await newOrganisation()
  const reads = vi.spyOn(env.KEYS, 'get')
  await get('/events')
  expect(reads).toHaveBeenCalledTimes(measured.kvReadsPerKey)
  await get('/members')
  expect(reads).toHaveBeenCalledTimes(measured.kvReadsPerKey)
})

test('lines of the log for a refused request', async () => {
  const before = loggedLines().length
  await request('/events', { headers: { 'x-api-key': generateApiKey() } })
  const lines = loggedLines().slice(before)
  expect(lines).toHaveLength(measured.logLinesPerRefusal)
  expectAtMost(lines.join().length, measured.bytesPerLogLine)
})
