import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { app } from '../../src/app.ts'
import type { Bindings } from '../../src/platform/bindings.ts'
import { measureNextOrganisation } from '../../src/store/sizes.ts'
import { loadFacts } from '../geography/load-facts.ts'
import { muteLog } from '../logs/mute.ts'
import { newOrganisation, setMovingTo } from '../organisation.ts'

const token = 'an-operator-token-of-40-characters-12345'

const ask = (authorization: string | undefined, bindings: Partial<Bindings> = {}) =>
  app.request(
    '/readyz?verbose',
    authorization === undefined ? {} : { headers: { Authorization: authorization } },
    { ...env, OPERATOR_TOKEN: token, ...bindings },
  )

const status = async (...args: Parameters<typeof ask>) => (await ask(...args)).status

test('only the operator gets the report, and failures are counted', async () => {
  expect(await status(`Bearer ${token}`)).toBe(200)
  for (const wrong of [undefined, '', 'Bearer', `Bearer ${token}x`, `Basic ${token}`, token])
    expect([wrong, await status(wrong)]).toEqual([wrong, 401])
  expect(await status('Bearer ', { OPERATOR_TOKEN: '' })).toBe(401)
  const short = token.slice(0, 31)
  expect(await status(`Bearer ${short}`, { OPERATOR_TOKEN: short })).toBe(401)
  const counted: unknown[] = []
  const LIMIT_FAILURES_BY_ADDRESS: RateLimit = {
    limit: async ({ key }) => ({ success: counted.push(key) < 0 }),
  }
  expect(await status('Bearer x', { LIMIT_FAILURES_BY_ADDRESS })).toBe(429)
  expect(await status(`Bearer ${token}`, { LIMIT_FAILURES_BY_ADDRESS })).toBe(200)
  expect(counted).toEqual(['operator unknown'])
})

test('the report has the size of each database, and the sizes and rows of its organisations', async () => {
  await env.DB_1.prepare(`UPDATE organisations SET measured = '9999'`).run()
  const { id, storage } = await newOrganisation(null, 'DB_1')
  const { DB } = storage
  const [today, yesterday, before] = [0, 1, 2].map((days) =>
    new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10),
  )
  await DB.batch([
    DB.prepare(
      `INSERT INTO key_usage (organisation_id, day, key_id, collection, requests, records, rows_read)
      VALUES (?1, ?2, 'k', 'events', 1, 1, 30), (?1, ?2, 'k', 'members', 1, 1, 12),
        (?1, ?3, 'k', 'events', 1, 1, 7), (?1, ?4, 'k', 'events', 1, 1, 1000)`,
    ).bind(id, today, yesterday, before),
    DB.prepare(
      `INSERT INTO webhooks (id, organisation_id, url, collections, changes, secret, created, created_by, state, cursor, notified)
      VALUES (?1, ?1, 'https://ana.example.org/', 'events', 'created', 's', '', 'ana@example.org', 'disabled', 1, 1)`,
    ).bind(id),
  ])
  const { count: disabled } =
    (await DB.prepare(`SELECT count(*) AS count FROM webhooks WHERE state = 'disabled'`).first<{
      count: number
    }>()) ?? {}
  await measureNextOrganisation(DB, Date.now())
  await loadFacts('2025-11')
  const response = await ask(`Bearer ${token}`)
  const text = await response.text()
  const report = JSON.parse(text)
  expect(report).toEqual({
    status: 'ready',
    problems: [],
    postcodeDirectory: '2025-11',
    databases: ['DB', 'DB_1', 'DB_2'].map((database) => ({
      database,
      isReachable: true,
      sizeBytes: expect.any(Number),
      percentOfMaxSize: expect.any(Number),
      disabledWebhooks: expect.any(Number),
      organisations: expect.any(Array),
    })),
  })
  const [first, second] = report.databases
  expect(second.sizeBytes).toBeGreaterThan(100_000)
  expect(second.disabledWebhooks).toBe(disabled)
  const listed = second.organisations.find((it: { organisation: string }) => it.organisation === id)
  expect(listed).toEqual({
    organisation: id,
    records: 0,
    documentBytes: 0,
    measured: expect.stringMatching(/^20/),
    rowsReadToday: 42,
    rowsReadYesterday: 7,
    movingTo: null,
  })
  expect(first.organisations.map((it: { organisation: string }) => it.organisation)).not.toContain(
    id,
  )
  expect(text).not.toMatch(/ana|@/)
})

test('the report names a move, and a database that fails', async () => {
  muteLog()
  const { id } = await newOrganisation()
  // Other tests add more organisations than the report lists: this one is among the largest.
  await env.DB.prepare('UPDATE organisations SET document_bytes = 1e12 WHERE id = ?').bind(id).run()
  await setMovingTo(id, 'DB_1')
  const fails = () => {
    throw new Error('D1_ERROR: Network connection lost to db-4711')
  }
  const DB_2: D1Database = Object.create(env.DB_2, { prepare: { value: fails } })
  const response = await ask(`Bearer ${token}`, { DB_2 })
  await setMovingTo(id, null)
  expect(response.status).toBe(503)
  const report = await response.json<{ databases: { organisations: object[] }[] }>()
  expect(report).toMatchObject({
    status: 'not ready',
    problems: ['DB_2 is out of reach.'],
    databases: [{ database: 'DB' }, { database: 'DB_1' }, { database: 'DB_2', isReachable: false }],
  })
  expect(report.databases[0]?.organisations).toContainEqual(
    expect.objectContaining({ organisation: id, movingTo: 'DB_1' }),
  )
})
