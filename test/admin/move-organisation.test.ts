import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import type { OrganisationLocation } from '../../src/admin/move/locations.ts'
import { moveOrganisation } from '../../src/admin/move/move-organisation.ts'
import { flushKeyUse } from '../../src/auth/key-use.ts'
import type { DatabaseName } from '../../src/platform/bindings.ts'
import { isMoving } from '../../src/platform/outage.ts'
import {
  derivedTables,
  directoryTables,
  organisationsTable,
  organisationTables,
  packedTables,
} from '../../src/store/organisation-tables.ts'
import { readSize } from '../../src/store/sizes.ts'
import { listAudit } from '../audit.ts'
import { fields } from '../examples/people.ts'
import { errorOfD1 } from '../faults/d1-error.ts'
import { wrapDatabase } from '../faults/failing-database.ts'
import { muteLog } from '../logs/mute.ts'
import { newOrganisation, request } from '../organisation.ts'
import { columnsOf } from '../store/columns.ts'
import { readOrganisationRows } from '../store/organisation-rows.ts'
import { newFilledOrganisation } from './filled-organisation.ts'

/** Columns that differ between databases, and those of the use of keys, which is saved at any time. */
const otherColumns = [
  ...['records.row', 'terms.id', 'bitmaps.term_id', 'name_words.term_id'],
  ...['organisations.database', 'organisations.moving_to'],
  ...['key_usage.requests', 'key_usage.records', 'key_usage.rows_read', 'api_keys.last_used'],
]

const readRows = async (name: 'DB' | 'DB_1' | 'DB_2', id: string) => {
  const { memberships, ...rows } = await readOrganisationRows(env[name], id, otherColumns)
  return rows
}

/** What a move leaves of packed columns. */
const unpacked = Object.fromEntries(packedTables.map((table) => [table, []]))

const move = (
  id: string,
  target: DatabaseName,
  databases: Partial<Record<'DB' | 'DB_1' | 'DB_2', D1Database>> = {},
) => moveOrganisation({ ...env, ...databases }, id, target, () => {})

test('every table belongs to an organisation, is derived from others, or belongs to the directory', async () => {
  const columns = await columnsOf(env.DB)
  const names = organisationTables.map(({ name }) => name)
  expect(
    [
      ...[organisationsTable.name, ...names, ...derivedTables],
      ...[...packedTables, ...directoryTables],
    ].toSorted(),
  ).toEqual([...new Set(columns.map(({ table }) => table))].toSorted())
})

test('a size from an earlier time in a database is forgotten', async () => {
  const { id } = await newFilledOrganisation(crypto.randomUUID(), 1)
  await move(id, 'DB_1')
  await env.DB.prepare(`UPDATE organisations SET measured = '2026-01-01', measuring = '{}'
    WHERE id = ?`)
    .bind(id)
    .run()
  await move(id, 'DB')
  expect(await readSize(env.DB, id)).toEqual({ records: 0, documentBytes: 0, measured: '' })
})

test('every value survives a move and the way back, and nothing remains but a row', async () => {
  const { id, json, put } = await newFilledOrganisation(crypto.randomUUID(), 700)
  // In JSON, it is too long to be copied with others.
  await put('events', [{ id: 'long', document: { name: '"'.repeat(400_000) } }])
  // The number of a deleted record is never used again, not even the last.
  await env.DB.prepare("DELETE FROM records WHERE organisation_id = ? AND collection = 'funds'")
    .bind(id)
    .run()
  const before = await readRows('DB', id)
  for (const [table, rows] of Object.entries(before)) expect(rows, table).not.toEqual([])
  const list = await json('/members?limit=50')
  for (const [from, to] of [
    ['DB', 'DB_1'],
    ['DB_1', 'DB_2'],
    ['DB_2', 'DB'],
  ] as const) {
    await move(id, to)
    expect(await readRows(to, id)).toEqual({ ...before, ...unpacked })
    const { organisations, ...left } = await readRows(from, id)
    expect([organisations?.length, ...Object.values(left).flat()]).toEqual([1])
    expect(await json('/members?limit=50')).toEqual(list)
  }
})

test('changes of memberships are noted in any database, and refused while the organisation moves to DB', async () => {
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

type Location = Pick<OrganisationLocation, 'database' | 'movingTo'>

type Progress = { source: Location | undefined; copy: Location | undefined; counts: number[] }

/** The rows of `DB` and `DB_1` about an organisation, and the numbers of its records there. */
async function readProgress(id: string): Promise<Progress> {
  const rows = await Promise.all(
    [env.DB, env.DB_1].map((d1) =>
      d1
        .prepare(`SELECT (
            SELECT json_object('database', database, 'movingTo', moving_to)
            FROM organisations WHERE id = ?1
          ) AS location, (SELECT count(*) FROM records WHERE organisation_id = ?1) AS count`)
        .bind(id)
        .first<{ location: string | null; count: number }>(),
    ),
  )
  const [source, copy] = rows.map((row) =>
    row?.location ? (JSON.parse(row.location) as Location) : undefined,
  )
  return { source, copy, counts: rows.map((row) => row?.count ?? 0) }
}

/** The databases, failing every call since the move has come so far, before the call or after it. */
function interruptedDatabases(
  id: string,
  fault: 'before' | 'after',
  hasCome: (progress: Progress) => boolean,
) {
  let isDown = false
  const call = async <Answer>(make: () => Promise<Answer>): Promise<Answer> => {
    isDown ||= hasCome(await readProgress(id))
    if (!isDown) return make()
    if (fault === 'after') await make()
    throw errorOfD1('Network connection lost.')
  }
  return { DB: wrapDatabase(env.DB, call), DB_1: wrapDatabase(env.DB_1, call) }
}

const stages: [name: string, status: number, hasCome: (progress: Progress) => boolean][] = [
  ['before the freeze', 200, ({ copy }) => copy?.movingTo === 'DB_1'],
  ['before the copy', 200, ({ source }) => source?.movingTo === 'DB_1'],
  ['in the copy', 200, ({ counts: [, copied = 0] }) => copied > 0],
  ['between the databases', 503, ({ source }) => source?.database === 'DB_1'],
  ['before the deletion', 200, ({ copy }) => copy?.database === null],
  ['in the deletion', 200, ({ copy, counts: [left = 0] }) => copy?.database === null && left < 600],
]

test.each(['before', 'after'] as const)(
  'an interrupted move continues, %s any statement',
  async (fault) => {
    muteLog('warn')
    const { id, get, json } = await newFilledOrganisation(crypto.randomUUID(), 600)
    const before = await readRows('DB', id)
    const page = await json('/members?limit=20&offset=400')
    for (const [name, status, hasCome] of stages) {
      const interrupted = move(id, 'DB_1', interruptedDatabases(id, fault, hasCome))
      await expect(interrupted, name).rejects.toThrow('Network connection lost')
      const answer = await get('/members?limit=20&offset=400')
      expect([name, answer.status]).toEqual([name, status])
      if (answer.status === 200) expect(await answer.json()).toEqual(page)
      else expect(answer.headers.get('Retry-After')).toBe('10')
    }
    await move(id, 'DB_1')
    expect(await readRows('DB_1', id)).toEqual({ ...before, ...unpacked })
    const { organisations, ...left } = await readRows('DB', id)
    expect(Object.values(left).flat()).toEqual([])
    await move(id, 'DB_1')
    expect(await readRows('DB_1', id)).toEqual({ ...before, ...unpacked })
  },
)

test('an organisation that a restore brought back stays only in the chosen database', async () => {
  const { id, key } = await newFilledOrganisation(crypto.randomUUID(), 20)
  await move(id, 'DB_1')
  expect((await createMember(key)).status).toBe(201)
  const before = await readRows('DB_1', id)
  await env.DB.prepare('UPDATE organisations SET database = NULL WHERE id = ?').bind(id).run()
  await expect(move(id, 'DB_1')).rejects.toThrow(`${id} is in DB and DB_1, as after a restore.`)
  await expect(moveOrganisation(env, id, 'DB_2', () => {}, true)).rejects.toThrow('DB and DB_1')
  await moveOrganisation(env, id, 'DB_1', () => {}, true)
  expect(await readRows('DB_1', id)).toEqual(before)
  expect((await createMember(key)).status).toBe(201)
})

const createMember = (key: string, headers = {}) =>
  request('/members', {
    method: 'POST',
    headers: { 'x-api-key': key, 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ 'Full Name': 'Ada King' }),
  })

test('a move refuses no request of another organisation in its databases', async () => {
  const { id } = await newFilledOrganisation(crypto.randomUUID(), 20)
  // Its id sorts before the others, so that a repeated move does not copy it again.
  const expired = "(?, ?, 'b', 'r', '2025-01-01T00:00:00.000Z', NULL)"
  await env.DB.prepare(`INSERT INTO idempotency_keys VALUES ${expired}`).bind(`! ${id}`, id).run()
  const before = await readRows('DB', id)
  const inCopy = interruptedDatabases(id, 'before', ({ counts: [, copied = 0] }) => copied > 0)
  await expect(move(id, 'DB_1', inCopy)).rejects.toThrow('Network connection lost')
  const updateCopy = (updated: string) =>
    env.DB_1.prepare(`UPDATE records SET updated = ${updated} WHERE organisation_id = ?`)
      .bind(id)
      .run()
  await updateCopy("updated || '+'")
  await expect(move(id, 'DB_1')).rejects.toThrow('differs')
  for (const name of ['DB', 'DB_1'] as const) {
    const other = await newOrganisation(fields, name)
    const used = () =>
      env[name].prepare('SELECT 1 FROM key_usage WHERE key_id = ?').bind(other.keyId).first()
    expect((await createMember(other.key, { 'Idempotency-Key': 'k' })).status).toBe(201)
    expect(await used()).toBe(null)
    await flushKeyUse(env, Date.now())
    expect(await used()).not.toBe(null)
  }
  await updateCopy("rtrim(updated, '+')")
  await move(id, 'DB_1')
  expect(await readRows('DB_1', id)).toEqual({ ...before, ...unpacked })
})

test('a second process that moves the same organisation changes no finished copy', async () => {
  const { id } = await newFilledOrganisation(crypto.randomUUID(), 40)
  let finished: Record<string, string[]> | undefined
  const slow = wrapDatabase(env.DB, async (make) => {
    const answer = await make()
    // When it has read the records, another process completes the move, and a record is deleted.
    if (Array.isArray(answer) && Array.isArray(answer[0]) && answer.length > 40 && !finished) {
      await move(id, 'DB_1')
      await env.DB_1.prepare("DELETE FROM records WHERE organisation_id = ? AND id = 'm7'")
        .bind(id)
        .run()
      finished = await readRows('DB_1', id)
    }
    return answer
  })
  await expect(move(id, 'DB_1', { DB: slow })).rejects.toThrow('differs')
  expect(await readRows('DB_1', id)).toEqual(finished)
})

test('a different copy stops a move, which ends where the organisation is', async () => {
  muteLog('warn')
  const { id, key, get } = await newFilledOrganisation(crypto.randomUUID(), 20)
  const before = await readRows('DB', id)
  const inCopy = interruptedDatabases(id, 'before', ({ counts: [, copied = 0] }) => copied > 0)
  await expect(move(id, 'DB_1', inCopy)).rejects.toThrow('Network connection lost')
  const change = (sql: string) => env.DB_1.prepare(sql).bind(id).run()
  const ofMember = "WHERE organisation_id = ? AND id = 'm7'"
  for (const [table, damage, repair] of [
    [
      'records',
      `UPDATE records SET updated = updated || '+' ${ofMember}`,
      `UPDATE records SET updated = rtrim(updated, '+') ${ofMember}`,
    ],
    [
      'terms',
      "UPDATE terms SET count = count + 1 WHERE organisation_id = ? AND field = 'place' AND value = 7",
      "UPDATE terms SET count = count - 1 WHERE organisation_id = ? AND field = 'place' AND value = 7",
    ],
    [
      'name_words',
      "INSERT INTO name_words VALUES (?, 'members', 'nobody', -1)",
      "DELETE FROM name_words WHERE organisation_id = ? AND word = 'nobody'",
    ],
  ] as const) {
    await change(damage)
    await expect(move(id, 'DB_1'), table).rejects.toThrow(`differs from the original in ${table}`)
    await change(repair)
    expect((await get('/members?limit=1')).status).toBe(200)
    expect((await createMember(key)).status).toBe(503)
  }
  await expect(move(id, 'DB_2')).rejects.toThrow(`${id} is being moved to DB_1.`)
  await move(id, 'DB')
  expect(await readRows('DB', id)).toEqual(before)
  const { organisations, ...left } = await readRows('DB_1', id)
  expect(Object.values(left).flat()).toEqual([])
  expect((await createMember(key)).status).toBe(201)
  await move(id, 'DB_1')
  expect((await createMember(key)).status).toBe(201)
})

test('a move needs a known organisation and a migrated database, and waits for others', async () => {
  const { id } = await newFilledOrganisation(crypto.randomUUID(), 20)
  const other = await newFilledOrganisation(crypto.randomUUID(), 1)
  await expect(move('nobody', 'DB_1')).rejects.toThrow('There is no organisation nobody.')
  await expect(move(id, 'DB_7')).rejects.toThrow(
    'There is no database DB_7. The databases are: DB, DB_1, DB_2.',
  )
  const databases = { ...env, DB_3: env.GEOGRAPHY }
  await expect(moveOrganisation(databases, id, 'DB_3', () => {})).rejects.toThrow(
    'DB_3 lacks migrations.',
  )
  const inCopy = interruptedDatabases(other.id, 'before', ({ source }) => source?.movingTo !== null)
  await expect(move(other.id, 'DB_1', inCopy)).rejects.toThrow('Network connection lost')
  await expect(move(id, 'DB_2')).rejects.toThrow(`finish that of ${other.id} first`)
  await move(other.id, 'DB')
  const setImport = (values: string) =>
    env.DB.prepare(`UPDATE imports SET ${values} WHERE organisation_id = ?`).bind(id).run()
  await setImport("undo_lease = '9999'")
  await expect(move(id, 'DB_1')).rejects.toThrow('wait for its end')
  await setImport('undo_lease = NULL, finished = NULL')
  await expect(move(id, 'DB_1')).rejects.toThrow('wait for its end')
  await setImport("at = '2025-01-01'")
  await move(id, 'DB_1')
  expect((await readProgress(id)).copy?.database).toBe(null)
})
