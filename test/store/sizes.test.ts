import { env } from 'cloudflare:workers'
import { beforeEach, expect, test, vi } from 'vitest'
import { measureNextOrganisation, readSize, warnOfSize } from '../../src/store/sizes.ts'
import { newOrganisation } from '../organisation.ts'
import { rows } from './whole-index.ts'

const now = Date.parse('2026-11-22T12:00:00.000Z')
const dayMs = 86_400_000

// Organisations of other tests are not due.
beforeEach(() => env.DB.prepare(`UPDATE organisations SET measured = '9999'`).run())

const documents = ['{"name":"Ada"}', '{"name":"Zoë"}', '{"name":"A longer name"}']
const bytes = documents.map((text) => new TextEncoder().encode(text).length)
const total = bytes.reduce((sum, length) => sum + length, 0)

async function newFilled() {
  const organisation = await newOrganisation()
  await organisation.put(
    'events',
    documents.map((text, index) => ({ id: `e${index}`, document: JSON.parse(text) })),
  )
  return organisation
}

test('the schedule measures an organisation at most once a day', async () => {
  const { id, put } = await newFilled()
  expect(await readSize(env.DB, id)).toEqual({ records: 0, documentBytes: 0, measured: '' })
  await measureNextOrganisation(env.DB, now)
  const first = { records: 3, documentBytes: total, measured: new Date(now).toISOString() }
  expect(await readSize(env.DB, id)).toEqual(first)
  await put('forms', [{ id: 'f', document: { name: 'Ada' } }])
  await measureNextOrganisation(env.DB, now + dayMs - 1)
  expect(await readSize(env.DB, id)).toEqual(first)
  await measureNextOrganisation(env.DB, now + dayMs + 1)
  expect(await readSize(env.DB, id)).toMatchObject({
    records: 4,
    documentBytes: total + (bytes[0] ?? 0),
  })
})

test('organisations take turns, the one measured longest ago first', async () => {
  const ids = [(await newFilled()).id, (await newFilled()).id]
  for (const [index, id] of ids.entries())
    await env.DB.prepare('UPDATE organisations SET measured = ? WHERE id = ?')
      .bind(`2026-11-0${2 - index}`, id)
      .run()
  const measured = async () =>
    (await Promise.all(ids.map((id) => readSize(env.DB, id)))).map((size) => size?.records)
  await measureNextOrganisation(env.DB, now)
  expect(await measured()).toEqual([0, 3])
  await measureNextOrganisation(env.DB, now)
  expect(await measured()).toEqual([3, 3])
})

test('a large organisation is measured in parts, and has its last size until then', async () => {
  const { id } = await newFilled()
  for (const _ of [1, 2, 3]) {
    expect(await readSize(env.DB, id)).toMatchObject({ records: 0, measured: '' })
    await measureNextOrganisation(env.DB, now, 1)
  }
  await measureNextOrganisation(env.DB, now, 1)
  expect(await readSize(env.DB, id)).toMatchObject({ records: 3, documentBytes: total })
  expect(await rows('SELECT measuring FROM organisations WHERE id = ?', id)).toEqual([
    { measuring: null },
  ])
})

test('a database of 70 % is logged, once an hour', () => {
  const warnings = vi.spyOn(console, 'warn').mockImplementation(() => {})
  for (const minute of [0, 1, 60]) {
    warnOfSize('DB_1', 6_940_000_000, now + minute * 60_000)
    warnOfSize('DB_1', 7_000_000_000, now + minute * 60_000)
  }
  const line = { event: 'database-size', database: 'DB_1', sizeBytes: 7_000_000_000, percent: 70 }
  expect(warnings.mock.calls.map(([text]) => JSON.parse(text))).toEqual([line, line])
  warnings.mockRestore()
})

test('an unknown organisation has no size', async () => {
  expect(await readSize(env.DB, 'nobody')).toBeUndefined()
})
