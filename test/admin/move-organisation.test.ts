import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { moveOrganisation } from '../../src/admin/move/move-organisation.ts'
import type { DatabaseName } from '../../src/platform/bindings.ts'
import {
  derivedTables,
  directoryTables,
  organisationsTable,
  organisationTables,
} from '../../src/store/organisation-tables.ts'

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
