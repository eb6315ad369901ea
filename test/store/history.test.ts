import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { operatorStore } from '../../src/admin/operator-store.ts'
import { createDestination } from '../../src/import/destination/destination.ts'
import { importRecords } from '../../src/import/import-records.ts'
import { loadTarget } from '../../src/import/targets/load-target.ts'
import { describeAuthor } from '../../src/model/author.ts'
import { listHistory } from '../../src/store/history/list-history.ts'
import { RunningImport } from '../../src/store/imports/running-import.ts'
import { newPerson } from '../auth/identity.ts'
import { newSignedIn } from '../dashboard/signed-in.ts'
import { fileOf } from '../import/table/files.ts'
import { deleteKey } from '../keys.ts'
import { request } from '../organisation.ts'
import { newWriter } from '../resources/writing.ts'
import { rows } from './whole-index.ts'

/** Returns the history of a record, one line per entry. */
async function readHistory(organisationId: string, collection: string, id: string) {
  const history = await listHistory(operatorStore(env.DB, organisationId), collection, id)
  return history.map(({ change, fields, author, key }) =>
    [change, ...fields, '–', describeAuthor(author, key)].join(' '),
  )
}

const noted = (organisationId: string) =>
  rows('SELECT * FROM history WHERE organisation_id = ?', organisationId)

test('history names the author and the fields of a change, through every interface', async () => {
  const writer = await newWriter()
  const { send, id, act, add } = writer
  const [writing] = await rows(
    "SELECT id, prefix FROM api_keys WHERE organisation_id = ? AND name = 'writer'",
    id,
  )
  await send('POST', '/events', { eventId: 'e', name: 'A' })
  await send('PATCH', '/events/e', { name: 'B' })
  await send('PUT', '/events/e', { name: 'B', tags: ['x'], venue: { name: 'The Hall' } })
  await send('PATCH', '/events', { events: [{ eventId: 'e', name: 'C' }] })
  await send('PATCH', '/events/e', { name: 'C' })
  await send('POST', '/imports?collection=events', '[{"eventId":"e","name":"D"}]')

  const person = newPerson()
  await add(person.email)
  const patched = await request(`/events/e?organisationId=${id}`, {
    method: 'PATCH',
    headers: {
      'Content-Type': 'application/json',
      Authorization: `Bearer ${await person.token()}`,
    },
    body: '{"name":"E"}',
  })
  expect(patched.status).toBe(200)

  const { submit, html, email } = await newSignedIn('editor', writer)
  expect((await submit('/records/events/e/edit', { name: 'F' })).status).toBe(303)

  const target = await loadTarget('events', id, {})
  if (!target) throw new Error('Events have no target.')
  const to = { store: operatorStore(env.DB, id), geography: env.GEOGRAPHY }
  const file = fileOf('[{"eventId":"e","name":"G"}]', 'events.json', 100)
  const run = new RunningImport(to.store, { collection: 'events', through: 'import' })
  await importRecords(file, target, createDestination(to, 'events', run))
  const page = await html('/records/events/e/history')
  for (const author of [
    `key writer (${writing?.prefix}…)`,
    email,
    'the command line, by an import',
  ])
    expect(page).toContain(`<p class="quiet">${author}, <time`)
  // By SQL at a console.
  for (const set of ["'H')", "'I'), version = version + 1"]) {
    await rows(
      `UPDATE records SET document = json_set(document, '$.name', ${set} WHERE organisation_id = ?`,
      id,
    )
  }
  await send('DELETE', '/events/e')

  const byKey = `– key writer (${writing?.prefix}…)`
  expect(await readHistory(id, 'events', 'e')).toEqual([
    `deleted ${byKey}`,
    'updated name – not known',
    'updated name – not known',
    'updated name – the command line, by an import',
    `updated name – ${email}, on the dashboard`,
    `updated name – ${person.email}`,
    `updated name ${byKey}, by an import`,
    `updated name ${byKey}`,
    `updated tags venue ${byKey}`,
    `updated name ${byKey}`,
    `created ${byKey}`,
  ])
  await deleteKey(env, { ...act, id: String(writing?.id) })
  expect((await readHistory(id, 'events', 'e')).at(-1)).toBe(
    `created – a deleted key, ${writing?.id}`,
  )
})

test('history omits refused changes and notes cascaded ones', async () => {
  const { send, id } = await newWriter()
  await send('PUT', '/events/e', { name: 'A' })
  await send('PUT', '/members/m', { 'Full Name': 'Ada' })
  await send('PUT', '/bookings/b', { eventId: 'e', memberId: 'm' })
  expect((await send('DELETE', '/events/e')).status).toBe(409)
  const stale = await send('PATCH', '/events/e', { name: 'B' }, { 'If-Match': '"1000"' })
  expect(stale.status).toBe(412)
  expect(await noted(id)).toEqual([])
  expect((await send('DELETE', '/members/m?$cascade=true')).status).toBe(204)
  expect((await send('DELETE', '/events/e?$cascade=true')).status).toBe(204)
  const [deleted, emptied, created] = await readHistory(id, 'bookings', 'b')
  expect(emptied).toMatch(/^updated memberId – key writer/)
  expect([deleted, created]).toEqual([
    expect.stringMatching(/^deleted – key writer/),
    expect.stringMatching(/^created – key writer/),
  ])
  expect(await readHistory(id, 'members', 'm')).toHaveLength(2)
  const names = (await noted(id)).map(({ author, fields }) => [author, fields])
  expect(JSON.stringify(names)).not.toContain('Ada')
})

test('history keeps the last 50 changes, as long as the deletion is remembered', async () => {
  const { send, id, put } = await newWriter()
  await put('events', [{ id: 'other', document: {} }])
  for (let change = 0; change <= 52; change++) await send('PUT', '/events/e', { name: `${change}` })
  const eventHistory = await readHistory(id, 'events', 'e')
  expect(eventHistory).toHaveLength(51)
  expect(eventHistory.at(-1)).toMatch(/^created/)
  expect(eventHistory.at(-2)).toMatch(/^updated name/)

  await send('DELETE', '/events/e')
  await send('PUT', '/events/e', { name: 'again' })
  expect((await readHistory(id, 'events', 'e')).slice(0, 3)).toEqual([
    expect.stringMatching(/^created/),
    expect.stringMatching(/^deleted/),
    expect.stringMatching(/^updated name/),
  ])
  await send('DELETE', '/events/e')
  await rows("UPDATE deletions SET at = '2020-01-01' WHERE organisation_id = ?", id)
  await send('DELETE', '/events/other')
  expect(await readHistory(id, 'events', 'e')).toEqual([])
  expect(await readHistory(id, 'events', 'other')).toHaveLength(2)
})

test('a creation writes no row of history, and a change one', async () => {
  const { send, id } = await newWriter()
  await send('PUT', '/events/e', { name: 'A' })
  expect(await noted(id)).toEqual([])
  const { meta } = await env.DB.prepare(
    `UPDATE records SET document = json_set(document, '$.name', 'B'), version = version + 10
    WHERE organisation_id = ?`,
  )
    .bind(id)
    .run()
  // Two of the record and its version, two of the index for each name, one of the organisation, two of
  // the version that followers of sessions read, and two of the history with its document.
  expect(await noted(id)).toHaveLength(1)
  expect(meta.rows_written).toBeLessThanOrEqual(12)
})
