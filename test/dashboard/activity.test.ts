import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { recordSignIn } from '../../src/store/audit-log.ts'
import { changeKey } from '../keys.ts'
import { newWriter } from '../resources/writing.ts'
import { rows } from '../store/whole-index.ts'
import { newSignedIn, unescaped } from './signed-in.ts'

const path = '/settings/activity'

/** The cells of the table on a page, by row and without the time. */
function readRows(html: string): string[][] {
  const [, body = ''] = /<tbody>(.*?)<\/tbody>/s.exec(html) ?? []
  return [...body.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell = '']) =>
      unescaped(cell.replaceAll(/<[^>]*>/g, '')),
    ),
  )
}

/** All rows from a page on, over the links to older ones. */
async function readAll(html: (path: string) => Promise<string>, query = ''): Promise<string[][]> {
  const all: string[][] = []
  for (let next: string | undefined = query; next !== undefined; ) {
    const page: string = await html(path + next)
    all.push(...readRows(page))
    const [, older] = /href="(\?[^"]*before=[^"]*)"/.exec(page) ?? []
    next = older === undefined ? undefined : unescaped(older)
  }
  return all
}

/** The number of records of a collection that rows show as deleted, each row with names and "5 more". */
const countDeleted = (all: readonly string[][], singular: string) =>
  all
    .filter(([, action]) => action?.startsWith(`Deleted ${singular}`))
    .flatMap(([, , names = '']) => names.split(', '))
    .reduce((sum, name) => sum + (Number(/^(\d+) more$/.exec(name)?.[1]) || 1), 0)

/** An administrator of an organisation in which something of most kinds happened. */
async function withActivity() {
  const writer = await newWriter()
  const { send, id: organisationId } = writer
  const admin = await newSignedIn('admin', writer)
  const { email } = admin
  const [person] = await rows('SELECT issuer, subject FROM memberships WHERE email = ?', email)
  await recordSignIn(
    env.DB,
    { issuer: String(person?.issuer), subject: String(person?.subject) },
    email,
  )
  const members = ['Ada', 'Ben', 'Cem', 'Dee'].map((name, index) => ({
    memberId: `m${index}`,
    'Full Name': name,
  }))
  await send('POST', '/imports?collection=members', members)
  await send('DELETE', '/members/m1')
  await send('POST', '/members/m0/$merge', { from: 'm3' })
  await send('DELETE', '/members/m2?$erase=true')
  await admin.html('/records/csv/members')
  const [key] = await rows(
    "SELECT name || ' (' || prefix || '…)' AS name FROM api_keys WHERE organisation_id = ? AND name = 'writer'",
    organisationId,
  )
  return { ...writer, admin, email, key: String(key?.name) }
}

test('lists what people and keys did, with the names of deleted records', async () => {
  const { admin, email, key, send } = await withActivity()
  expect((await readAll(admin.html)).slice(0, 6)).toEqual([
    [expect.any(String), 'Downloaded members', 'CSV'],
    [key, 'Erased member', 'm2'],
    [key, 'Merged member', 'Ada (m3 into m0)'],
    [key, 'Deleted member', 'Ben'],
    // The name of the file went with the erased person.
    [key, 'Imported', '4 members'],
    [expect.any(String), 'Signed in', email],
  ])
  // A restored deletion stays.
  const { versions } = await (await send('GET', '/members/m1/$versions')).json<{
    versions: { version: number }[]
  }>()
  await send('POST', '/members/m1/$restore', { version: versions[0]?.version })
  const restored = await admin.html(`${path}?kind=restores`)
  expect(readRows(restored)).toEqual([[key, 'Restored member', 'Ben']])
  expect(restored).toMatch(/<a href="[^"]*\/records\/members\/m1">Ben<\/a>/)
  expect(await readAll(admin.html, '?kind=deletions')).toEqual([
    [key, 'Erased member', 'm2'],
    [key, 'Deleted member', 'Ben'],
  ])
})

test('filters by kind and person, and pages through everything once', async () => {
  const { admin, email, key, keyId, id, send } = await withActivity()
  const only = async (kind: string) =>
    (await readAll(admin.html, `?kind=${kind}`)).map(([, action]) => action)
  expect(await only('sign-ins')).toEqual(['Signed in'])
  expect(await only('merges')).toEqual(['Merged member'])
  expect(await only('downloads')).toEqual(['Downloaded members'])
  await changeKey(
    env.DB,
    { organisationId: id, id: keyId, by: email },
    { permissions: ['read'], restrictions: { hideFields: ['userEmail'] } },
  )
  const changed = 'Changed key to read; without userEmail'
  expect(await only('keys')).toEqual([changed, 'Created key', 'Created key'])
  expect(await only('people')).toEqual(['Added user as admin'])
  const byKey = await readAll(admin.html, `?person=${encodeURIComponent(key)}`)
  expect(byKey.map(([, action]) => action)).toEqual([
    ...['Erased member', 'Merged member', 'Deleted member', 'Imported'],
  ])
  expect((await readAll(admin.html, `?person=${email}`)).length).toBeLessThan(4)

  // Records deleted at once are on several pages.
  await send('PUT', '/events/e', { name: 'Lunch' })
  const bookings = Array.from({ length: 120 }, (_, n) => ({
    bookingId: `b${n}`,
    eventId: 'e',
    userName: `Person ${n}`,
  }))
  await send('PATCH', '/bookings', { bookings })
  await send('DELETE', '/events/e?$cascade=true')
  expect(countDeleted(await readAll(admin.html, '?kind=deletions'), 'booking')).toBe(120)

  // More deletions than a page looks at, between others.
  const events = Array.from({ length: 240 }, (_, n) => ({ eventId: `e${n}`, name: `Event ${n}` }))
  await send('PATCH', '/events', { events })
  await rows("DELETE FROM records WHERE organisation_id = ? AND collection = 'events'", id)
  const all = await readAll(admin.html)
  expect(countDeleted(all, 'event')).toBe(241)
  expect(all.filter(([, action]) => action === 'Imported')).toHaveLength(1)
})

test('shows entries once although the clocks that wrote them differ', async () => {
  const admin = await newSignedIn('admin')
  await rows('DELETE FROM audit_log WHERE organisation_id = ?', admin.id)
  const entries = Array.from({ length: 120 }, (_, n) => ({
    at: new Date(Date.UTC(2026, 0, 1) + (n + (n % 3 === 0 ? 7 : 0)) * 1000).toISOString(),
    target: `Entry ${n}`,
  }))
  await rows(
    `INSERT INTO audit_log (id, organisation_id, at, actor, action, target)
      SELECT (SELECT coalesce(max(id), 0) FROM audit_log) + key + 1, ?, value ->> '$.at', 'ana',
        'created key', value ->> '$.target' FROM json_each(?)`,
    ...[admin.id, JSON.stringify(entries)],
  )
  const shown = (await readAll(admin.html)).map(([, , target]) => target)
  expect(shown.toSorted()).toEqual(entries.map(({ target }) => target).toSorted())
})

test('each kind has its actions and no others, with the sentences that are stored', async () => {
  const admin = await newSignedIn('admin')
  const stored: Readonly<Record<string, readonly string[]>> = {
    'sign-ins': ['signed in'],
    imports: ['undid import'],
    edits: ['edited bookings', 'undid bulk edit of case notes'],
    restores: ['restored survey response', 'undid deletion of'],
    merges: ['merged partner'],
    deletions: ['erased volunteer', 'removed by retention'],
    downloads: ['downloaded case notes', 'exported member', 'exported records'],
    keys: [
      ...['created key', 'rotated key', 'revoked key', 'reactivated key', 'deleted key'],
      'changed key to read; without the user field, schema, webhook',
    ],
    people: ['added user as editor', 'made user admin', 'removed user'],
    schema: [
      ...['added field', 'changed field', 'retired field'],
      ...['added options for', 'added a field for', 'added 2 fields for'],
    ],
    retention: ['set retention', 'removed retention', 'set previous versions'],
    'public-pages': ['changed public pages', 'changed questions of event'],
    webhooks: [
      ...['added webhook', 'paused webhook', 'resumed webhook', 'removed webhook'],
      ...['rotated the secret of webhook', 'had resent to webhook'],
    ],
    assistants: ['assistant: query'],
  }
  await rows('DELETE FROM audit_log WHERE organisation_id = ?', admin.id)
  for (const action of Object.values(stored).flat())
    await rows(
      `INSERT INTO audit_log (id, organisation_id, at, actor, action, target)
        SELECT coalesce(max(id), 0) + 1, ?, '2026-11-01T09:00:00.000Z', 'ana', ?, '' FROM audit_log`,
      ...[admin.id, action],
    )
  for (const [kind, actions] of Object.entries(stored)) {
    const shown = await readAll(admin.html, `?kind=${kind}`)
    expect([kind, shown.map(([, action = '']) => action.toLowerCase())]).toEqual([
      kind,
      actions.toReversed().map((action) => action.toLowerCase()),
    ])
  }
})

test('is only for administrators', async () => {
  const editor = await newSignedIn('editor')
  expect((await editor.visit(path)).status).toBe(403)
})
