import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { operatorStore } from '../../src/admin/operator-store.ts'
import { listDeletions } from '../../src/store/history/deletions.ts'
import { Store } from '../../src/store/store.ts'
import { everything } from '../examples/everything.ts'
import { rows } from '../store/whole-index.ts'
import { newSignedIn } from './signed-in.ts'

/** An event with bookings of three people. */
async function withEvent(role?: Parameters<typeof newSignedIn>[0]) {
  const person = await newSignedIn(role)
  await person.schema(
    'members',
    (['text', 'uniqueId'] as const).map((type, order) => {
      const id = type === 'text' ? 'Full Name' : 'Number'
      return { id, name: id, label: id, type, order }
    }),
  )
  const event = { ...everything.events?.document, eventId: 'walk', name: 'Walking Group' }
  await person.put('events', [{ id: 'walk', document: { ...event, managedBy: person.id } }])
  await person.put(
    'bookings',
    ['Ann', 'Ben', 'Cy'].map((userName) => {
      const ids = { bookingId: userName, eventId: 'walk', childEventId: null, memberId: '' }
      const document = { ...everything.bookings?.document, ...ids, userName }
      return { id: userName, document: { ...document, managedBy: person.id } }
    }),
  )
  return person
}

const textOf = (html: string) => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')

test('a deletion is restored with what went with it, from the list or by the notice', async () => {
  const { submit, html, json, post, email } = await withEvent('editor')
  const before = [await json('/events/walk'), await json('/bookings/Ann')]
  expect(textOf(await html('/records/events/walk/delete'))).toContain(
    '3 bookings deleted with it Ann, Lunch club Ben, Lunch club Cy, Lunch club',
  )
  for (const path of ['/records/events', '/records/deleted']) {
    await submit('/records/events/walk/delete', {})
    const page = await html(path)
    if (path === '/records/events')
      expect(textOf(page)).toContain('Deleted: Walking Group, with 3 bookings. Undo')
    else expect(textOf(page)).toContain(`Walking Group event with 3 bookings ${email},`)
    expect(page).toContain('/records/events/walk/restore"')
    expect((await post('/records/events/walk/restore', [])).status).toBe(303)
    expect(textOf(await html('/records/events/walk'))).toContain('Restored, with 3 bookings.')
    expect([await json('/events/walk'), await json('/bookings/Ann')]).toEqual(before)
  }
  expect(textOf(await html('/records/deleted'))).toContain('Nothing was deleted in this time.')
})

test('a deleted record keeps its name and history, until its versions are removed', async () => {
  const person = await withEvent('reader')
  const editor = await newSignedIn('editor', person)
  const { booking } = await editor.json<{ booking: object }>('/bookings/Ann')
  const { profile: _, ...document } = booking as { profile: object }
  await editor.put('bookings', [{ id: 'Ann', document: { ...document, attending: false } }])
  await editor.submit('/records/bookings/Ann/delete', {})
  const page = await person.visit('/records/bookings/Ann')
  const text = textOf(await page.text())
  expect([page.status, text]).toEqual([200, expect.stringContaining('Ann, Lunch club')])
  expect(text).toContain('Booked or came From Yes To No')
  expect(await person.html('/records/bookings/Ann')).not.toContain('Restore')
  expect(await editor.html('/records/bookings/Ann')).toContain('Restore')
  expect((await person.post('/records/bookings/Ann/restore', [])).status).toBe(403)
  await rows('UPDATE history SET replaced = NULL WHERE organisation_id = ?', person.id)
  expect(textOf(await editor.html('/records/deleted'))).toContain('Nothing was deleted')
  expect((await editor.post('/records/bookings/Ann/restore', [])).status).toBe(404)
  expect(await (await person.visit('/records/bookings/Ann')).text()).not.toContain('Lunch club')
})

test('what cannot be restored says why: a unique value has a new owner, or it exists again', async () => {
  const { submit, post, html, put } = await withEvent('editor')
  const members = (id: string) =>
    put('members', [{ id, document: { memberId: id, 'Full Name': 'Ada Obi', Number: 'N-1' } }])
  await members('m')
  await submit('/records/members/m/delete', {})
  await members('m2')
  const answer = await post('/records/members/m/restore', [])
  expect(answer.status).toBe(400)
  expect(textOf(await answer.text())).toContain('It was not restored. Number: ')
  await submit('/records/events/walk/delete', {})
  const document = { ...everything.bookings?.document, bookingId: 'Ben' }
  await put('bookings', [{ id: 'Ben', document }])
  expect((await post('/records/bookings/Ben/restore', [])).status).toBe(303)
  expect(await html('/records/bookings/Ben')).toContain('This record exists already.')
  await post('/records/events/walk/restore', [])
  expect(textOf(await html('/records/events/walk'))).toContain(
    'Restored, with 2 bookings. 1 other record was not restored: it changed since, or refers to something that no longer exists.',
  )
})

test('a deleted person is downloaded and erased from their page', async () => {
  const { submit, html, visit, put, id } = await withEvent('admin')
  const ada = { memberId: 'm', 'Full Name': 'Ada Obi', Number: 'N-1' }
  await put('members', [{ id: 'm', document: ada }])
  // A member of another organisation with the same id changes nothing.
  const neighbour = await withEvent('admin')
  await neighbour.put('members', [{ id: 'm', document: { memberId: 'm', 'Full Name': 'Other' } }])
  await submit('/records/members/m/delete', {})
  const page = await html('/records/members/m')
  for (const path of ['export?$format=zip', 'erase', 'restore'])
    expect([path, page.includes(`/records/members/m/${path}"`)]).toEqual([path, true])
  const archive = await visit('/records/members/m/export?$format=json')
  expect(await archive.text()).toContain('Ada Obi')
  expect(await html('/records/members/m/erase')).toContain('Type Ada Obi to confirm')
  expect((await submit('/records/members/m/erase', { name: 'Bea Obi' })).status).toBe(400)
  expect((await submit('/records/members/m/erase', { name: 'Ada Obi', etag: '"1"' })).status).toBe(
    412,
  )
  expect((await submit('/records/members/m/erase', { name: 'Ada Obi' })).status).toBe(303)
  const stored = 'SELECT 1 FROM history WHERE organisation_id = ? AND replaced IS NOT NULL'
  expect(await rows(stored, id)).toEqual([])
  expect(await html('/records/deleted')).not.toContain('Ada Obi')
})

test('erased people are not among the deleted, and another organisation has its own', async () => {
  const { submit, put, html } = await withEvent('admin')
  await put('members', [{ id: 'm', document: { memberId: 'm', 'Full Name': 'Ada Obi' } }])
  await submit('/records/members/m/erase', { name: 'Ada Obi' })
  await submit('/records/bookings/Ann/delete', {})
  const page = await html('/records/deleted')
  expect(page).toContain('Ann, Lunch club')
  expect(page).not.toContain('Ada Obi')
  expect(await (await newSignedIn()).html('/records/deleted')).not.toContain('Ann')
})

test('credentials that see only some records see no deletions', async () => {
  const { credential } = operatorStore(env.DB, (await withEvent()).id)
  const access = sql`SELECT 'read' AS permissions, '{"collections":["events"]}' AS restrictions`
  const store = new Store(env, { ...credential, access })
  await expect(listDeletions(store)).rejects.toMatchObject({ type: 'FORBIDDEN' })
})

test('many deletions come in pages, each with few rows read', async () => {
  const { id, put } = await newSignedIn()
  const bookings = Array.from({ length: 120 }, (_, index) => ({
    id: `b-${index}`,
    document: { bookingId: `b-${index}`, eventId: '' },
  }))
  await put('bookings', bookings)
  for (const { id: booking } of bookings)
    await rows('DELETE FROM records WHERE organisation_id = ? AND id = ?', id, booking)
  // Records deleted at the same time belong together.
  await rows(
    "UPDATE history SET at = at || version WHERE organisation_id = ? AND change = 'deleted'",
    id,
  )
  const store = operatorStore(env.DB, id)
  const ids: string[] = []
  let next: number | undefined
  do {
    const page = await listDeletions(store, next)
    expect(page.deletions.length).toBeLessThanOrEqual(50)
    ids.push(...page.deletions.map((deletion) => deletion.id))
    next = page.next
  } while (next !== undefined)
  expect(ids).toEqual(bookings.map(({ id }) => id).toReversed())
  expect(store.cost.rowsRead).toBeLessThan(3 * (120 + 70 + 20) + 10)
})
