import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { moveOrganisation } from '../../src/admin/move/move-organisation.ts'
import type { DatabaseName } from '../../src/platform/bindings.ts'
import { isMoving } from '../../src/platform/outage.ts'
import {
  derivedTables,
  directoryTables,
  organisationsTable,
  organisationTables,
} from '../../src/store/organisation-tables.ts'
import { listAudit } from '../audit.ts'
import { columnsOf } from '../store/columns.ts'
import { readOrganisationRows } from '../store/organisation-rows.ts'
import { newFilledOrganisation } from './filled-organisation.ts'

/** Columns that differ between databases, and the memberships, which stay in `DB`. */
const ofDatabase = [
  ...['records.row', 'terms.id', 'bitmaps.term_id', 'name_words.term_id'],
  ...['organisations.database', 'organisations.moving_to'],
]

const readRows = async (name: 'DB' | 'DB_1' | 'DB_2', id: string) => {
  const { memberships, ...rows } = await readOrganisationRows(env[name], id, ofDatabase)
  return rows
}

const move = (
  id: string,
  target: DatabaseName,
  databases: Partial<Record<'DB' | 'DB_1' | 'DB_2', D1Database>> = {},
) => moveOrganisation({ ...env, ...databases }, id, target, () => {})

test('every table is one of an organisation, one that triggers fill, or one of the directory', async () => {
  const columns = await columnsOf(env.DB)
  const names = organisationTables.map(({ name }) => name)
  expect(
    [organisationsTable.name, ...names, ...derivedTables, ...directoryTables].toSorted(),
  ).toEqual([...new Set(columns.map(({ table }) => table))].toSorted())
})

test('every value survives a move and the way back, and nothing remains but a row', async () => {
  const { id, json } = await newFilledOrganisation(crypto.randomUUID(), 700)
  const before = await readRows('DB', id)
  for (const [table, rows] of Object.entries(before)) expect(rows, table).not.toEqual([])
  const list = await json('/members?limit=50')
  for (const [from, to] of [
    ['DB', 'DB_1'],
    ['DB_1', 'DB_2'],
    ['DB_2', 'DB'],
  ] as const) {
    await move(id, to)
    expect(await readRows(to, id)).toEqual(before)
    const { organisations, ...left } = await readRows(from, id)
    expect([organisations?.length, ...Object.values(left).flat()]).toEqual([1])
    expect(await json('/members?limit=50')).toEqual(list)
  }
})

test('changes of memberships are noted wherever the organisation is, and refused while it moves to DB', async () => {
  const { id, add } = await newFilledOrganisation(crypto.randomUUID(), 1)
  const actions = async (name: 'DB' | 'DB_1') =>
    (await listAudit(env[name], id)).map(({ target }) => target)
  await move(id, 'DB_1')
  await add('ana@oak.test', 'reader')
  const additions: Promise<unknown>[] = []
  await moveOrganisation(env, id, 'DB', (phase) => {
    if (phase === 'Comparing') additions.push(add('ben@oak.test', 'reader').catch(isMoving))
  })
  expect(new Set(await Promise.all(additions))).toEqual(new Set([true]))
  expect(await actions('DB_1')).toEqual([])
  expect(await actions('DB')).toContain('ana@oak.test')
  expect(await actions('DB')).not.toContain('ben@oak.test')
  await add('ben@oak.test', 'reader')
  expect((await actions('DB'))[0]).toBe('ben@oak.test')
})
