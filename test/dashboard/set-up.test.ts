import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { addUser } from '../../src/admin/users.ts'
import { app } from '../../src/app.ts'
import { createSetUpCode, createSignInCode } from '../../src/auth/one-time-codes.ts'
import { startingPoints } from '../../src/dashboard/set-up/set-up-page.tsx'
import { collectionNames } from '../../src/model/collection.ts'
import type { Bindings } from '../../src/platform/bindings.ts'
import { listOrganisations } from '../../src/store/organisations.ts'
import { claimMemberships } from '../../src/store/settings/memberships.ts'
import { readStoredPublicPages } from '../../src/store/settings/public-pages.ts'
import { trustedStore } from '../../src/store/trusted-store.ts'
import { listAudit } from '../audit.ts'
import { muteLog } from '../logs/mute.ts'
import { loggedLines } from '../logs/watch.ts'

import { migrateEmpty } from '../migrations/migrate-empty.ts'
import { queryRows } from '../store/index-of-database.ts'

const origin = 'https://new.test'
const DB = env.NEW
const setUpPath = '/dashboard/set-up'

beforeAll(() => migrateEmpty(DB, env.TEST_MIGRATIONS))

beforeEach(async () => {
  const { results } = await DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf_*' AND name NOT GLOB 'sqlite_*' AND name <> 'd1_migrations'",
  ).all<{ name: string }>()
  await DB.batch(
    ['PRAGMA defer_foreign_keys = on', ...results.map(({ name }) => `DELETE FROM ${name}`)].map(
      (query) => DB.prepare(query),
    ),
  )
})

/** A browser without cookies, which sends forms as the dashboard's pages do. `settings` are those of the Worker. */
function newBrowser(settings: Partial<Bindings> = {}) {
  let cookie = ''
  const network = crypto.randomUUID()
  async function visit(path: string, fields?: Record<string, string>) {
    const response = await app.request(
      origin + path,
      {
        headers: { Cookie: cookie, Origin: origin, 'CF-Connecting-IP': network },
        ...(fields && { method: 'POST', body: new URLSearchParams(fields) }),
      },
      { ...env, DB, ...settings },
    )
    const [session] = response.headers.getSetCookie().filter((it) => it.includes('session='))
    if (session) cookie = session.split(';')[0] ?? ''
    return response
  }
  return {
    visit,
    signIn: (code: string) => visit('/dashboard/sign-in/code', { code }),
    /** Where a page leads, or its status. */
    async destination(path: string) {
      const { status, headers } = await visit(path)
      return headers.get('Location') ?? status
    },
  }
}

const makeSetUpCode = async () => String(await createSetUpCode(DB))

const oakTrust = {
  name: '  Chêne & Oak’s Trust ',
  email: 'Ana@example.org',
  colour: '#5b2a6e',
  publicPages: 'on',
  privacyNotice: 'https://oak.example/privacy',
  start: 'file',
}

test('a setup code opens the page that creates the organisation and signs its administrator in', async () => {
  const { visit, signIn, destination } = newBrowser()
  expect(await destination(setUpPath)).toBe('/dashboard/sign-in')
  const code = await makeSetUpCode()
  expect(code).toMatch(/^([a-z2-9]{4}-){6}[a-z2-9]{4}$/)
  // As somebody types it from paper.
  const accepted = await signIn(` ${code.toUpperCase().replaceAll('-', ' ')}`)
  expect([accepted.status, accepted.headers.get('Location')]).toEqual([303, setUpPath])
  expect((await visit(setUpPath)).status).toBe(200)
  const created = await visit(setUpPath, oakTrust)
  const id = 'chene-oaks-trust'
  expect([created.status, created.headers.get('Location')]).toEqual([
    303,
    `/dashboard/${id}/import`,
  ])
  expect(await listOrganisations({ DB })).toMatchObject([{ id, name: 'Chêne & Oak’s Trust' }])
  const store = trustedStore(DB, id, { by: 'command line' })
  const { enabled, settings } = await readStoredPublicPages(store)
  expect([enabled, JSON.parse(settings)]).toMatchObject([
    true,
    { colour: '#5b2a6e', privacyNotice: 'https://oak.example/privacy' },
  ])
  expect((await listAudit(DB, id)).map(({ actor, action }) => [actor, action])).toEqual([
    ['ana@example.org', 'signed in'],
    ['set-up', 'changed public pages'],
    ['set-up', 'added user as admin'],
  ])
  const people = await visit(`/dashboard/${id}/settings/people`)
  expect([people.status, await people.text()]).toEqual([
    200,
    expect.stringContaining('needs a code from the operator'),
  ])
  expect(await destination(setUpPath)).toBe('/dashboard')
  // Only the administrator's session is left.
  expect(await queryRows(DB, 'SELECT subject FROM sessions')).toEqual([
    { subject: 'ana@example.org' },
  ])
  await visit('/dashboard/sign-out', {})
  expect(await destination(`/dashboard/${id}/reports`)).toBe('/dashboard/sign-in')
})

test.each([
  ['trial', { TRIAL: 'true' }, 'example'],
  ['service', {}, 'file'],
])('the set-up page of a %s suggests what to start with', async (_, settings, start) => {
  const { visit, signIn } = newBrowser(settings)
  await signIn(await makeSetUpCode())
  const page = await (await visit(setUpPath)).text()
  const [, chosen] = /name="start" value="(\w+)" checked/.exec(page) ?? []
  expect([chosen, page.includes('This is a trial')]).toEqual([start, 'TRIAL' in settings])
})

test('a code is refused if it is wrong, used, replaced, expired, or comes too late', async () => {
  const status = async (code: string) => (await newBrowser().signIn(code)).status
  expect(await status('')).toBe(401)
  expect(await status('abcd-abcd-abcd-abcd-abcd-abcd-abcd')).toBe(401)
  expect(await status('x'.repeat(100_000))).toBe(401)
  const used = await makeSetUpCode()
  expect([await status(used), await status(used)]).toEqual([303, 401])
  const replaced = await makeSetUpCode()
  const expired = await makeSetUpCode()
  expect(await status(replaced)).toBe(401)
  const [row] = await queryRows(DB, 'SELECT hash, expires FROM sessions')
  expect(Date.parse(String(row?.expires)) - Date.now()).toBeLessThanOrEqual(24 * 3_600_000)
  await DB.prepare('UPDATE sessions SET expires = ?').bind(new Date().toISOString()).run()
  expect(await status(expired)).toBe(401)
  const late = await makeSetUpCode()
  await DB.prepare("INSERT INTO organisations (id, name, created) VALUES ('oak', 'Oak', '')").run()
  expect(await status(late)).toBe(401)
  expect(await createSetUpCode(DB)).toBeUndefined()
  for (const text of [used, expired, late, String(row?.hash)])
    expect(loggedLines().filter((line) => line.includes(text))).toEqual([])
})

test('too many wrong codes from a network are refused', async () => {
  const limit = async ({ key }: { key: string }) => ({ success: !key.startsWith('code ') })
  const answer = await app.request(
    `${origin}/dashboard/sign-in/code`,
    { method: 'POST', headers: { Origin: origin }, body: new URLSearchParams({ code: 'wrong' }) },
    { ...env, DB, LIMIT_FAILURES_BY_ADDRESS: { limit } },
  )
  expect(answer.status).toBe(429)
})

test('of simultaneous uses of a code, and of simultaneous set-ups, one succeeds', async () => {
  const code = await makeSetUpCode()
  const browsers = Array.from({ length: 8 }, () => newBrowser())
  const answers = await Promise.all(browsers.map(({ signIn }) => signIn(code)))
  const statuses = answers.map(({ status }) => status)
  expect(statuses.toSorted()).toEqual([303, ...Array(7).fill(401)])
  const { visit } = browsers[statuses.indexOf(303)] ?? newBrowser()
  const names = Array.from({ length: 8 }, (_, index) => `Oak ${index}`)
  const created = await Promise.all(names.map((name) => visit(setUpPath, { ...oakTrust, name })))
  // One that comes later leads the administrator to the dashboard.
  const isCreation = ({ headers }: Response) => headers.get('Location')?.endsWith('/import')
  expect(created.filter(isCreation)).toHaveLength(1)
  expect(created.every(({ status }) => [303, 409].includes(status))).toBe(true)
  expect(await listOrganisations({ DB })).toHaveLength(1)
  expect(await queryRows(DB, 'SELECT email FROM memberships')).toHaveLength(1)
})

test('whose set-up is interrupted is signed in nevertheless', async () => {
  muteLog()
  const fetch = () => Promise.reject(new Error('The Worker has ended.'))
  const { visit, signIn, destination } = newBrowser({ ASSETS: { ...env.ASSETS, fetch } })
  await signIn(await makeSetUpCode())
  expect((await visit(setUpPath, { ...oakTrust, start: 'example' })).status).toBe(500)
  expect(await destination(setUpPath)).toBe('/dashboard')
  expect((await visit('/dashboard/chene-oaks-trust/settings/people')).status).toBe(200)
})

test('a new setup code ends the session of an earlier one', async () => {
  const { signIn, destination } = newBrowser()
  await signIn(await makeSetUpCode())
  await makeSetUpCode()
  expect(await destination(setUpPath)).toBe('/dashboard/sign-in')
})

test('invalid values are shown again beside their errors, and nothing is created', async () => {
  const { visit, signIn } = newBrowser()
  await signIn(await makeSetUpCode())
  const answer = await visit(setUpPath, {
    ...oakTrust,
    name: ' ',
    email: 'ana',
    colour: 'red',
    privacyNotice: 'http://oak.example',
  })
  expect(answer.status).toBe(400)
  const html = await answer.text()
  for (const text of [
    'Name must not be empty.',
    'E-mail address must be an address in ASCII',
    'Colour must be a colour',
    'Privacy notice must be an address that begins with https://.',
    'value="http://oak.example"',
  ])
    expect(html).toContain(text)
  expect(await listOrganisations({ DB })).toEqual([])
  expect((await visit(setUpPath, oakTrust)).status).toBe(303)
})

test('a sign-in code signs a user in until the identity provider does', async () => {
  const [id, email] = ['oak', 'ana@example.org']
  await DB.prepare("INSERT INTO organisations (id, name, created) VALUES ('oak', 'Oak', '')").run()
  await addUser(DB, { organisationId: id, email, role: 'admin', by: 'a test' })
  expect(await createSignInCode(DB, 'nobody@example.org')).toBeUndefined()
  const { signIn, destination } = newBrowser()
  const signInAgain = async () => signIn(String(await createSignInCode(DB, email)))
  for (const answer of [await signInAgain(), await signInAgain()]) expect(answer.status).toBe(303)
  const page = `/dashboard/${id}/settings/people`
  expect(await destination(page)).toBe(200)
  expect(await destination(setUpPath)).toBe('/dashboard')
  const last = String(await createSignInCode(DB, email))
  await claimMemberships(DB, { issuer: 'https://identity.test', subject: 'ana', email })
  expect(await destination(page)).toBe(404)
  expect((await signIn(last)).status).toBe(401)
  expect(await createSignInCode(DB, email)).toBeUndefined()
})

test('the example data has the announced records, and is one import that can be undone', async () => {
  const { visit, signIn } = newBrowser()
  await signIn(await makeSetUpCode())
  const created = await visit(setUpPath, { ...oakTrust, start: 'example' })
  expect([created.status, created.headers.get('Location')]).toEqual([
    303,
    '/dashboard/chene-oaks-trust/home',
  ])
  const countRecords = () =>
    queryRows(DB, 'SELECT collection, count(*) AS number FROM records GROUP BY collection')
  expect(await countRecords()).toHaveLength(collectionNames.length)
  const { summary = '' } = startingPoints.find(({ id }) => id === 'example') ?? {}
  const announced = [...summary.matchAll(/(\d+) (\w+)/g)]
  expect(announced).toHaveLength(2)
  for (const [, number, collection] of announced)
    expect(await countRecords()).toContainEqual({ collection, number: Number(number) })
  const [{ id } = {}] = await queryRows(DB, 'SELECT id FROM imports')
  await visit(`/dashboard/chene-oaks-trust/import/done/${id}/undo`, {})
  expect(await countRecords()).toEqual([])
})

test('the settings list what is not set up, and administrators mark what the service cannot know', async () => {
  const settings: Partial<Bindings> = {}
  const { visit, signIn } = newBrowser(settings)
  await signIn(await makeSetUpCode())
  const created = await visit(setUpPath, { ...oakTrust, start: 'nothing' })
  const path = String(created.headers.get('Location'))
  const names = ['Sign-in', 'E-mail', 'Backups', 'Alerts', 'Web address']
  const missing = async () => {
    const html = await (await visit(path)).text()
    return names.filter((name) => html.includes(`<strong>${name}</strong>`))
  }
  expect(await missing()).toEqual(['Sign-in', 'E-mail', 'Backups', 'Alerts'])
  settings.AUTH_CLIENT_ID = 'dashboard'
  Object.assign(settings, { MAIL_FROM: 'a@oak.example', MAIL_API_URL: 'https://mail.test' })
  expect(await missing()).toEqual(['E-mail', 'Backups', 'Alerts'])
  settings.MAIL_API_KEY = 'key'
  for (const task of ['backups', 'alerts']) await visit(path, { task, done: 'yes' })
  expect(await missing()).toEqual([])
  await visit(path, { task: 'alerts', done: 'no' })
  expect(await missing()).toEqual(['Alerts'])
  expect((await visit(path, { task: 'sign-in', done: 'yes' })).status).toBe(400)
})
