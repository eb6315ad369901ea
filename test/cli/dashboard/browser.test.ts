import { spawnSync } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { runInNewContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { DefaultSettings, TaskUtils } from '@microsoft/powerquery-parser'
import { Uint8ArrayReader, ZipReader } from '@zip.js/zip.js'
import { parse } from 'papaparse'
import type { Browser, BrowserContext, Cookie, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addUser } from '../../../src/admin/users.ts'
import { localClaims } from '../../../src/auth/local.ts'
import { collectionNames } from '../../../src/model/collection.ts'
import { sha256 } from '../../../src/platform/sha256.ts'
import { claimMemberships, codeIssuer } from '../../../src/store/settings/memberships.ts'
import { putRecords } from '../../../src/store/write/put.ts'
import { listAudit } from '../../audit.ts'
import { createKey } from '../../keys.ts'
import { findText } from '../../store/find-text.ts'
import { localWorker } from '../local-worker.ts'
import {
  expectNoBarriers,
  inEachLook,
  inspect,
  inspectEachLook,
  inspectFamiliar,
  inspectsAll,
  launchBrowser,
  signInToDemo,
} from './browser.ts'
import { putDemo } from './demo.ts'

const worker = await localWorker()
let browser: Browser
let key: string
/** The cookies of the signed-in administrator. */
let cookies: Cookie[]
/** Where the tests open their pages, each with cookies of its own. */
let context: BrowserContext
let page: Page
let foreignRequests: string[]
let errors: string[]

beforeAll(async () => {
  browser = await launchBrowser()
  key = await putDemo(worker)
  context = await browser.newContext()
  await signInToDemo(await context.newPage(), at('/dashboard').href)
  cookies = await context.cookies()
})

afterAll(() => browser?.close())

beforeEach(async () => {
  await context.clearCookies()
  foreignRequests = []
  errors = []
  page = await openPage(context)
})

afterEach(async () => {
  for (const opened of context.pages()) await opened.close()
  await context.clearPermissions()
  expect(foreignRequests).toEqual([])
  expect(errors).toEqual([])
})

/** Opens a page, and collects its errors and requests to other origins. */
async function openPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if (origin !== at('/').origin && protocol !== 'data:') foreignRequests.push(request.url())
  })
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  page.on('pageerror', (error) => errors.push(error.message))
  return page
}

const at = (path: string) => new URL(path, `http://localhost:${worker.url.port}`)

/** Signs the administrator in without a page. */
const signIn = () => page.context().addCookies(cookies)

/** Opens the organisation's first page as its administrator. */
async function openDashboard() {
  await signIn()
  await page.goto(at(`/dashboard/${worker.organisationId}`).href)
}

const openKeys = () => page.goto(at(`/dashboard/${worker.organisationId}/settings/api-keys`).href)

/** Waits until the page has loaded: a click resolves when navigation begins. */
const waitForLoad = () => page.waitForLoadState()

async function status(key: string) {
  const answer = await fetch(at('/api/v1/events'), { headers: { 'x-api-key': key } })
  return answer.status
}

/** Creates a key with the form on the page. */
async function newKey(name: string, preset: string): Promise<string> {
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByRole('radio', { name: preset }).check()
  await page.getByRole('button', { name: 'Create key' }).click()
  return (await page.locator('#new-key').innerText()).trim()
}

test('an administrator signs in, sees the members, and signs out', async () => {
  const { organisationId } = worker
  await page.goto(at('/dashboard').href)
  await inspect(page, 'sign-in')
  await signInToDemo(page, at('/dashboard').href)
  await page.goto(at(`/dashboard/${organisationId}`).href)
  await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor()
  await page.locator('.account summary').click()
  await inspect(page, 'account')
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Your sessions' }).waitFor({ state: 'hidden' })
  await page.locator('.account summary').click()
  await page.getByRole('link', { name: 'Your sessions' }).click()
  await page.getByRole('cell', { name: 'This one' }).waitFor()
  await inspectFamiliar(page, 'sessions')
  await page.locator('.account summary').click()
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.waitForURL(at('/dashboard/sign-in').href)
  await page.goBack()
  await page.waitForURL(at('/dashboard/sign-in').href)
  await page.goto(at(`/dashboard/${organisationId}`).href)
  expect(new URL(page.url()).pathname).toBe('/dashboard/sign-in')
})

test('on a phone, an administrator downloads all data of a member and erases her by name', async () => {
  const headers = { 'x-api-key': key, 'Content-Type': 'application/json' }
  const api = (path: string, method = 'GET', body?: object) =>
    fetch(at(`/api/v1/${path}`), { method, headers, ...(body && { body: JSON.stringify(body) }) })
  const name = 'Wilhelmina Zzyzx'
  await api('members/to-erase', 'PUT', { 'Full Name': name })
  const booking = { eventId: 'event-open-day-1', memberId: 'to-erase', userName: name }
  await api('bookings/of-her', 'PUT', booking)

  await page.setViewportSize({ width: 390, height: 844 })
  await openDashboard()
  await page.getByRole('link', { name: 'Search' }).click()
  await page.getByRole('searchbox').fill('zzyz')
  await page.getByRole('searchbox').press('Enter')
  await page.getByRole('link', { name }).click()
  await waitForLoad()
  const chooseAction = async (action: string) => {
    await page.getByLabel(/^More actions/).click()
    await page.locator('.menu[open]').getByText(action, { exact: true }).click()
  }
  const download = async (link: string) => {
    const [file] = await Promise.all([page.waitForEvent('download'), chooseAction(link)])
    await page.keyboard.press('Escape')
    return readFile(await file.path())
  }
  const zip = new ZipReader(new Uint8ArrayReader(await download('Download all their data')))
  const names = (await zip.getEntries()).map(({ filename }) => filename)
  expect(names).toEqual(['member.csv', 'bookings.csv', 'contents.html'])
  const personalData = JSON.parse(String(await download('Download it for another program')))
  expect(personalData).toMatchObject({
    member: { memberId: 'to-erase' },
    bookings: [{ userName: name }],
  })

  await chooseAction('Erase for good')
  const typed = page.getByLabel(`Type ${name} to confirm`)
  await typed.fill('Somebody Else')
  await page.getByRole('button', { name: 'Erase for good' }).click()
  await page.locator('[aria-invalid=true]').waitFor()
  expect(errors.splice(0)).toEqual([expect.stringContaining('400')])
  await inspectEachLook(page, 'erase-refused')
  await typed.fill(name)
  await page.getByRole('button', { name: 'Erase for good' }).click()
  expect(await page.getByRole('status').innerText()).toBe('Erased.')
  expect((await api('members/to-erase')).status).toBe(404)
  expect(await (await api('bookings/of-her')).text()).not.toContain(name)
  expect(await findText(worker.env, 'Zzyzx')).toEqual([])
  const entries = await listAudit(worker.env.DB, worker.organisationId)
  for (const action of ['exported', 'erased'])
    expect(entries).toContainEqual(
      expect.objectContaining({
        actor: localClaims.administrator,
        action: `${action} member`,
        target: 'to-erase',
      }),
    )
})

/** Pages that have all but a few parts of the dashboard between them. */
const pages = {
  filter: '/records/bookings?event.tags=Food&$panel=filter&$field=eventId',
  reports: '/reports',
  survey: '/forms/form-wellbeing/results',
  'report-of-people':
    '/reports/view?$count=attendances&$measure=peopleWithAtLeast&$least=2&$by=member.demographics.gender&$split=date~quarter&$compare=true&$hideBelow=5',
  member: '/records/members/member-0001',
  event: '/records/events/event-open-day-1',
  'new-event': '/records/new/events',
  merge: '/records/members/member-0001/merge?with=member-0002',
  events: '/events',
  connect: '/connect?collection=events',
  'public-pages': '/settings/public-pages',
  'publish-grants': '/publish-grants',
}

/** The others: `npm run test:long` inspects them. */
const familiarPages = {
  members: '/records/members',
  edit: '/records/members/member-0001/edit',
  report: '/reports/view?$count=attendances&$compare=true',
  columns: '/records/events?$panel=columns',
  'no-matches': '/records/members?Nothing=1&Country=Nowhere',
  annual: '/reports/annual-return',
  quality: '/reports/quality',
  surveys: '/reports/surveys',
  'split-report': '/reports/view?$split=demographics.gender&$panel=filter',
  'people-who-came': '/reports/people?$count=attendances&$measure=people&$least=2',
  'not-marked': '/reports/not-marked',
  'save-report': '/views/new?page=reports/view&query=',
  usage: '/settings/usage',
  search: '/records/search?q=abara',
  history: '/records/members/member-0001/history',
  fund: '/records/funds/fund-2',
  deleted: '/records/deleted',
  'new-booking': '/records/new/bookings?member=member-0001&event=event-open-day-1',
  'new-note': '/records/new/case-notes?member=member-0001',
  'choose-duplicate': '/records/members/member-0001/merge',
  duplicates: '/records/duplicates/members',
  remove: '/records/events/event-open-day-1/delete',
  erase: '/records/members/member-0001/erase',
  people: '/settings/people',
  activity: '/settings/activity',
  imports: '/import/done',
  schema: '/settings/schema/members',
  'new-field': '/settings/schema/members/new',
  'retire-field': '/settings/schema/members/retire?id=Phone',
  retention: '/settings/retention',
  questions: '/events/event-open-day-1/questions',
}

test('every page fits and passes axe', async () => {
  await signIn()
  const { organisationId } = worker
  for (const [name, path] of Object.entries({ ...pages, ...(inspectsAll && familiarPages) })) {
    await page.goto(at(`/dashboard/${organisationId}${path}`).href)
    await (['filter', 'report-of-people', 'connect', 'publish-grants'].includes(name)
      ? inspectEachLook
      : inspect)(page, name)
  }
})

test('deleted records with long names fit the smallest phone', async () => {
  const headers = { 'x-api-key': key, 'Content-Type': 'application/json' }
  const send = (method: string, body?: object) =>
    fetch(at('/api/v1/events/long-name'), {
      ...{ method, headers, ...(body && { body: JSON.stringify(body) }) },
    })
  const name = 'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch'
  await send('PUT', { name })
  await send('DELETE')
  await page.setViewportSize({ width: 320, height: 640 })
  await signIn()
  await page.goto(at(`/dashboard/${worker.organisationId}/records/deleted`).href)
  await page.getByRole('button', { name: `Restore ${name}` }).waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320)
})

test('no bar covers the focus on a screen of 1280 by 1024 px at a zoom of 400 %', async () => {
  await page.setViewportSize({ width: 320, height: 256 })
  await signIn()
  await page.goto(at(`/dashboard/${worker.organisationId}/records/members/member-0001/edit`).href)
  await expectNoBarriers(page, 'zoomed', 'at 320 by 256 px')
})

test('problems with the quality of the data fit every page, also the smallest phone', async () => {
  const headers = { 'x-api-key': key, 'Content-Type': 'application/json' }
  const twin = { 'Full Name': 'Twin of Tomorrow', 'Date of Birth': '2999-12-31' }
  const records = {
    'members/twin-1': twin,
    'members/twin-2': twin,
    'bookings/of-nobody': { eventId: 'event-open-day-1', userName: 'Nobody' },
    'case-notes/of-tomorrow': { content: 'Soon', date: '2999-12-31T10:00:00.000Z' },
  }
  const send = async (path: string, method: string, body?: object) => {
    const response = await fetch(at(`/api/v1/${path}`), {
      ...{ method, headers, ...(body && { body: JSON.stringify(body) }) },
    })
    expect([path, response.ok]).toEqual([path, true])
  }
  for (const [path, body] of Object.entries(records)) await send(path, 'PUT', body)
  await signIn()
  const dashboard = `/dashboard/${worker.organisationId}`
  // The list of members may have compared them a moment ago, without the twins.
  await page.goto(at(`${dashboard}/records/duplicates/members`).href)
  await page.goto(at(`${dashboard}/reports/quality`).href)
  for (const problem of ['likely duplicate', 'without a person', 'in the future'])
    await page.locator('.mend strong', { hasText: problem }).waitFor()
  await page.locator('.fold summary').click()
  await inspectEachLook(page, 'quality-problems')
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320)
  for (const path of Object.keys(records)) await send(path, 'DELETE')
})

test('the Tab key reaches the skip link first, and leaves the page again', async () => {
  await signIn()
  for (const path of ['/records/members', '/settings/activity', '/import']) {
    await page.goto(at(`/dashboard/${worker.organisationId}${path}`).href)
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content')
  }
  const countControls =
    "document.querySelectorAll('a, button, input, select, textarea, summary').length"
  for (let left = await page.evaluate<number>(countControls); left > 0; left--)
    await page.keyboard.press('Tab')
  expect(await page.evaluate('document.activeElement.closest("main")')).toBeNull()
})

test('a person is warned before a session without use ends, and stays signed in', async () => {
  // A clock is that of all pages of its context.
  const ending = await browser.newContext()
  page = await openPage(ending)
  await page.clock.install()
  await openDashboard()
  const warning = page.getByRole('alert')
  await page.clock.fastForward('01:39:00')
  expect(await warning.isVisible()).toBe(false)
  await page.clock.fastForward('02:00')
  await inspectFamiliar(page, 'ending-session')
  const [answer] = await Promise.all([
    page.waitForResponse('**/sign-in/sessions'),
    warning.getByRole('button', { name: 'Stay signed in' }).click(),
  ])
  expect(answer.status()).toBe(200)
  await warning.waitFor({ state: 'hidden' })
  await ending.close()
})

test('a code can be pasted, and the page that a setup code opens has no barriers', async () => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(at('/dashboard/sign-in').href)
  await page.getByText('Use a code instead').click()
  await page.evaluate("navigator.clipboard.writeText('abcd-efgh')")
  await page.getByLabel('Code', { exact: true }).focus()
  await page.keyboard.press('Control+V')
  expect(await page.getByLabel('Code', { exact: true }).inputValue()).toBe('abcd-efgh')

  const secret = await sha256(crypto.randomUUID())
  const lastUsed = new Date().toISOString()
  await worker.env.DB.prepare(
    "INSERT INTO sessions (hash, issuer, subject, name, expires, last_used) VALUES (?, ?, '', '', ?, ?)",
  )
    .bind(await sha256(secret), codeIssuer, '2999-01-01T00:00:00.000Z', lastUsed)
    .run()
  await page.context().addCookies(cookies.map((cookie) => ({ ...cookie, value: secret })))
  await page.goto(at('/dashboard/set-up').href)
  await inspect(page, 'set-up')
})

test('list pages, the stylesheet and the scripts stay light', async () => {
  await signIn()
  for (const collection of collectionNames) {
    const path = `/dashboard/${worker.organisationId}/records/${collection}?$size=100`
    const response = await context.request.get(at(path).href)
    const bytes = gzipSync(await response.body()).length
    expect(bytes, collection).toBeGreaterThan(1000)
    expect(bytes, collection).toBeLessThanOrEqual(40 * 1024)
  }
  const assets = 'public/assets'
  const weigh = async (names: string[]) => {
    const files = await Promise.all(names.map((name) => readFile(`${assets}/${name}`)))
    return files.reduce((sum, file) => sum + gzipSync(file).length, 0)
  }
  const scripts = (await readdir(assets)).filter(
    (name) => name.endsWith('.js') && !/^(swagger-ui|docs)\.js$/.test(name),
  )
  expect(scripts).toContain('dashboard.js')
  expect(await weigh(['dashboard.css'])).toBeLessThanOrEqual(12 * 1024)
  expect(await weigh(scripts)).toBeLessThanOrEqual(15 * 1024)
})

test('every snippet reads the records of its collection', async () => {
  await signIn()
  await page.goto(at(`/dashboard/${worker.organisationId}/connect?collection=members`).href)
  const [curl = '', m = '', appsScript = '', python = ''] = (
    await page.locator('pre').allTextContents()
  ).map((text) => text.replace('YOUR_KEY', key))

  const { members } = JSON.parse(run('bash', ['-c', curl]))
  expect(members).toHaveLength(100)
  expect(run('python3', ['-c', python])).toMatch(/^1\d\d members/)
  const sheet = runAppsScript(appsScript)
  expect(sheet.length).toBeGreaterThan(100)
  const parsed = await TaskUtils.tryLexParse(DefaultSettings, m)
  expect(TaskUtils.isParseStageOk(parsed)).toBe(true)
})

test('a new key is filled into the snippets once', async () => {
  await openDashboard()
  await page.getByRole('link', { name: 'Connect', exact: true }).click()
  await page.getByText('For engineers: code').click()
  await page.getByLabel('Collection').selectOption('Grant applications')
  await page.getByRole('button', { name: 'Show snippets' }).click()
  await page.getByRole('button', { name: 'Create a key' }).click()
  const curl = await page.locator('pre', { hasText: 'sk_' }).first().innerText()
  expect(JSON.parse(run('bash', ['-c', curl])).applications.length).toBeGreaterThan(0)
  await page.reload()
  expect(await page.locator('pre').first().textContent()).toContain('YOUR_KEY')
})

test('every example in the guide works', async () => {
  await page.goto(at('/docs').href)
  await inspectFamiliar(page, 'guide')
  const examples = (await page.locator('pre').allTextContents()).flatMap((text) => text.split('\n'))
  expect(examples.length).toBeGreaterThan(5)
  for (const example of examples) expect(run('bash', ['-c', example])).toMatch(/^\uFEFF?[{\w]/)
  const reference = page.getByRole('link', { name: 'Reference', exact: true })
  expect(await reference.getAttribute('href')).toBe('/docs/reference')
})

/** Runs a program and returns its output. Throws its error output. */
function run(program: string, args: string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    env: { ...process.env, KEY: key },
  })
  if (status !== 0) throw new Error(stderr)
  return stdout
}

/** Runs an Apps Script against stubs of Google's services and returns the rows it writes. */
function runAppsScript(script: string): string[][] {
  let written: string[][] = []
  const UrlFetchApp = {
    fetch(url: string, { headers }: { headers: Record<string, string> }) {
      const options = Object.entries(headers).flatMap(([name, value]) => [
        '-H',
        `${name}: ${value}`,
      ])
      return { getContentText: () => run('curl', ['-s', '--fail', ...options, url]) }
    },
  }
  const Utilities = { parseCsv: (text: string) => parse<string[]>(text.trim()).data }
  const range = {
    setNumberFormat: () => range,
    setValues: (rows: string[][]) => {
      written = rows
    },
  }
  const sheet = { clearContents() {}, getRange: () => range }
  const SpreadsheetApp = { getActiveSheet: () => sheet }
  runInNewContext(`${script}\nfillSheet()`, { UrlFetchApp, Utilities, SpreadsheetApp })
  return written
}

test('a key is created, used, revoked, rejected, reactivated and deleted', async () => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signIn()
  await openKeys()
  const key = await newKey('Power BI', 'Partner’s events')
  expect(key).toMatch(/^sk_\w{38}$/)
  await inspect(page, 'new-key')
  await page.getByRole('button', { name: 'Copy' }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key)
  expect(await status(key)).toBe(200)
  await page.reload()
  expect(await page.getByRole('rowheader', { name: 'Power BI' }).count()).toBe(1)
  expect(await page.content()).not.toContain(key)

  await page.getByRole('link', { name: 'Power BI' }).click()
  await inspectFamiliar(page, 'key')
  await page.getByRole('link', { name: 'Limit what it can see' }).click()
  await inspectFamiliar(page, 'key-permissions')
  await page.getByRole('link', { name: 'Cancel' }).click()

  const chooseAction = async (action: string) => {
    await page.getByLabel('More actions for Power BI').click()
    await page.locator('.menu[open]').getByText(action, { exact: true }).click()
  }
  await chooseAction('Revoke')
  await inspectFamiliar(page, 'revoke')
  expect(await status(key)).toBe(200)
  await page.getByRole('button', { name: 'Revoke this key' }).click()
  await page.getByText('Revoked', { exact: true }).waitFor()
  await waitForLoad()
  expect(await page.content()).not.toContain(key)
  expect(await status(key)).toBe(401)
  await inspectFamiliar(page, 'keys')

  await chooseAction('Reactivate')
  await page.getByText('Revoked', { exact: true }).waitFor({ state: 'hidden' })
  expect(await status(key)).toBe(200)

  await page.getByRole('link', { name: 'Revoke all keys' }).click()
  await inspectFamiliar(page, 'revoke-all')
  await page.getByRole('link', { name: 'Cancel' }).click()

  await chooseAction('Delete')
  await inspectFamiliar(page, 'delete')
  expect(await status(key)).toBe(200)
  await page.getByRole('button', { name: 'Delete this key for good' }).click()
  await expect.poll(() => status(key), { timeout: 20_000 }).toBe(401)
  await page.getByRole('rowheader', { name: 'Power BI' }).waitFor({ state: 'detached' })
})

test('a key is rotated without JavaScript, with a grace period for the old one', async () => {
  const withoutScripts = await browser.newContext({ javaScriptEnabled: false })
  page = await withoutScripts.newPage()
  await signInToDemo(page, at('/dashboard').href)
  await openKeys()
  const old = await newKey('Sheets', 'Exchange with another system')
  expect(await page.getByRole('button', { name: 'Copy' }).isVisible()).toBe(false)
  await page.getByLabel('More actions for Sheets').click()
  await page.getByRole('link', { name: 'Rotate' }).click()
  await page.getByLabel('Keep the old key working for').selectOption('one hour')
  await page.getByRole('button', { name: 'Create new key' }).click()
  const next = (await page.locator('#new-key').innerText()).trim()
  expect(next).not.toBe(old)
  expect([await status(old), await status(next)]).toEqual([200, 200])
  await withoutScripts.close()
})

test('a webhook is added, tested, viewed, paused, rotated and removed', async () => {
  const received: string[] = []
  const receiver = createServer((request, answer) => {
    request.on('data', (part) => received.push(String(part)))
    answer.writeHead(received.length > 1 ? 500 : 200).end('<b>thanks</b>')
  }).listen(0)
  const address = `http://localhost:${(receiver.address() as AddressInfo).port}/hook`
  await openDashboard()
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('link', { name: 'For engineers', exact: true }).click()
  await page.getByLabel('Address').fill('https://10.0.0.1/hook')
  await page.getByLabel('members').uncheck()
  await page.getByRole('button', { name: 'Add webhook' }).click()
  expect(await page.locator('#field-address-error').innerText()).toContain('must have a host name')
  expect(errors.splice(0)).toEqual([expect.stringContaining('400')])
  expect(await page.getByLabel('Address').inputValue()).toBe('https://10.0.0.1/hook')
  expect(await page.getByLabel('members').isChecked()).toBe(false)
  await inspectFamiliar(page, 'webhook-refused')

  await page.getByLabel('Address').fill(address)
  await page.getByRole('button', { name: 'Add webhook' }).click()
  const secret = await page.locator('#new-key').innerText()
  expect(secret).toMatch(/^whsec_[\w+/]{43}=$/)
  const chooseAction = async (action: string) => {
    await page.getByLabel(`Actions for ${address}`).click()
    await page.locator('.menu[open]').getByText(action, { exact: true }).click()
  }
  await chooseAction('Test')
  await page.getByRole('heading', { name: 'Webhook', exact: true }).waitFor()
  const attempts = page.getByRole('region', { name: 'Attempts' })
  await expect
    .poll(
      async () => {
        await page.reload()
        return attempts.isVisible()
      },
      { timeout: 20_000, interval: 500 },
    )
    .toBe(true)
  expect(received.join()).toContain('"type":"webhook.test"')
  await attempts.getByText('characters').click()
  expect(await attempts.innerText()).toContain('<b>thanks</b>')
  await inspectFamiliar(page, 'webhook')
  expect(await page.content()).not.toContain(secret)

  await chooseAction('Pause')
  await page.getByRole('region', { name: 'Webhooks' }).getByText('Paused').waitFor()
  await inspectFamiliar(page, 'webhooks')
  await chooseAction('Rotate the secret')
  await page.getByRole('button', { name: 'Create new secret' }).click()
  expect(await page.locator('#new-key').innerText()).not.toBe(secret)
  await chooseAction('Remove')
  await inspectFamiliar(page, 'webhook-removal')
  await page.getByRole('button', { name: 'Remove this webhook for good' }).click()
  await page.getByText('There are no webhooks yet.').waitFor()
  receiver.close()
})

test('a reader sees the records but no keys', async () => {
  const { env } = worker
  const organisationId = 'neighbour'
  await env.DB.prepare('INSERT INTO organisations (id, name, created) VALUES (?, ?, ?)')
    .bind(organisationId, 'Neighbour Trust', '2025-01-01T00:00:00.000Z')
    .run()
  const email = localClaims.administrator
  await addUser(env.DB, { organisationId, email, role: 'reader', by: 'a test' })
  await signInToDemo(page, at('/dashboard').href)
  await page.getByRole('heading', { name: 'Organisations' }).waitFor()
  await inspectFamiliar(page, 'organisations')
  await page.getByRole('link', { name: 'Neighbour Trust' }).click()
  await page.getByRole('heading', { name: 'Members' }).waitFor()
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('heading', { name: 'Fields', exact: true }).waitFor()
  await page.goto(at('/dashboard/neighbour/reports').href)
  await inspectFamiliar(page, 'reports-of-a-reader')
  await page.goto(at('/dashboard/neighbour/settings/api-keys').href)
  expect(await page.getByRole('alert').innerText()).toContain('Only administrators')
  await inspect(page, 'forbidden')
  await page.goto(at('/dashboard/nobody').href)
  expect(await page.getByRole('alert').innerText()).toContain('does not exist')
  await page.goto(at('/dashboard/neighbour/no/such/page').href)
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  expect(errors.splice(0)).toHaveLength(3)
  await page.goto(at('/').href)
  await inspect(page, 'welcome')
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await page.getByRole('heading', { name: 'Organisations' }).waitFor()
})

test('pages load nothing from other origins and cannot be framed', async () => {
  const answer = await fetch(at('/dashboard/sign-in'))
  const policy = answer.headers.get('Content-Security-Policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toMatch(/unsafe|https?:|\*/)
  expect(answer.headers.get('Cache-Control')).toContain('no-store')
  for (const file of ['dashboard.css', 'icons.svg', 'dashboard.js', 'swagger-ui.js']) {
    const asset = await fetch(at(`/assets/${file}`))
    expect([asset.status, asset.headers.get('X-Content-Type-Options')]).toEqual([200, 'nosniff'])
    expect(asset.headers.get('Strict-Transport-Security')).toContain('max-age=31536000')
    expect(asset.headers.get('Content-Security-Policy')).toContain("frame-ancestors 'none'")
    expect(asset.headers.get('Content-Type')).toMatch(/; charset=utf-8$|^image/)
    expect(asset.headers.get('Cache-Control')).toBe('public, max-age=0, must-revalidate')
  }
})

test('the API reference sends requests with a key', async () => {
  const { env, organisationId } = worker
  const { key } = await createKey(env, organisationId, 'docs', 'a test')
  await putRecords(
    env.DB,
    organisationId,
    'funds',
    ['Tool Library', 'Kiln'].map((name, place) => ({
      id: `fund-${place}`,
      document: JSON.stringify({ fundId: `fund-${place}`, managedBy: organisationId, name }),
    })),
  )
  const answer = await page.goto(at('/docs/reference').href)
  const policy = answer?.headers()['content-security-policy']
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("script-src 'self';")
  expect(policy).not.toContain('unsafe')

  // Swagger UI takes seconds to open an operation, so one of them shows everything.
  await page.locator('#operations-tag-funds').click()
  const operation = page.locator('#operations-funds-listFunds')
  await operation.locator('.opblock-summary-control').click()
  await operation.locator('tr[data-param-name=name]').waitFor()
  await inEachLook(page, 'reference', async () => {})
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.locator('html.dark-mode').waitFor()

  await page.getByRole('button', { name: 'Authorize' }).first().click()
  const dialogue = page.locator('.modal-ux')
  await dialogue.locator('input').first().fill(key)
  await dialogue.getByRole('button', { name: 'Apply credentials' }).first().click()
  await dialogue.getByRole('button', { name: 'Close' }).first().click()

  await operation.getByRole('button', { name: 'Try it out' }).click()
  await operation.getByRole('button', { name: 'Execute' }).click()
  const live = operation.locator('.live-responses-table')
  await live.getByText('Tool Library').waitFor()
  expect(await live.locator('.response-col_status').last().textContent()).toContain('200')
  await live.getByText('Kiln').waitFor()
  await operation.locator('tr[data-param-name=name] input').fill('Tool Library')
  await operation.getByRole('button', { name: 'Execute' }).click()
  await operation
    .getByText(/name=Tool(%20|\+)Library/)
    .first()
    .waitFor()
  await live.getByText('"total": 1').waitFor()
  expect(await live.getByText('Kiln').count()).toBe(0)
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([])
})

/** Creates an organisation that the administrator, whom it signs in, administers. */
async function newNeighbour(name: string): Promise<string> {
  const organisationId = `neighbour-${name.replaceAll(' ', '-')}`
  await worker.env.DB.prepare('INSERT INTO organisations (id, name, created) VALUES (?, ?, ?)')
    .bind(organisationId, `Neighbours ${name}`, '2025-01-01T00:00:00.000Z')
    .run()
  const { issuer, administrator: email } = localClaims
  await addUser(worker.env.DB, { organisationId, email, role: 'admin', by: 'a test' })
  await claimMemberships(worker.env.DB, { issuer, subject: email, email })
  await signIn()
  return organisationId
}

/** An export of 200 members in Windows-1252, with three invalid rows. */
async function exportWithErrors() {
  const whole = await readFile('demo/exports/charity-members.csv')
  const rejected = [
    'TCT/0901;;Ann;Abara;;;;;;31/02/1960;;;;;;;',
    'TCT/0902;;Bo;Bold;;;;;;1960s;;;;;;;',
    'TCT/0903;;Cy;Cole;;;;;;;;;;free;;;',
  ]
  const buffer = Buffer.concat([whole, Buffer.from(rejected.map((row) => `${row}\r\n`).join(''))])
  return { name: 'members.csv', mimeType: 'text/csv', buffer }
}

describe('an import', () => {
  const button = (name: string | RegExp) => page.getByRole('button', { name }).click()
  const counts = async () => (await page.locator('.counts > span').allInnerTexts()).join(' ')

  test('is done after five clicks on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 860 })
    const id = await newNeighbour('of a phone')
    const file = await exportWithErrors()
    await page.goto(at(`/dashboard/${id}`).href)

    await page.getByText('More', { exact: true }).click()
    await page.getByRole('link', { name: 'Import', exact: true }).click()
    await page.getByLabel('File', { exact: true }).waitFor()
    await inspect(page, 'import')
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByLabel('File', { exact: true }).click(),
    ])
    await chooser.setFiles(file)
    await button('Read file')
    await page.getByRole('heading', { name: file.name }).waitFor()
    expect(await counts()).toBe('200 new 0 will change 0 stay the same 3 need an answer')
    const dates = page.locator('.issue').filter({ hasText: 'D.O.B.' })
    expect(await dates.innerText()).toContain('2 values cannot be read')
    expect(await dates.getByLabel('Row 250').inputValue()).toBe('31/02/1960')
    await inspectEachLook(page, 'import-review')
    await button('Import 200 rows')
    await page.getByRole('heading', { name: 'Imported', exact: true }).waitFor()
    expect(await counts()).toBe('200 new 0 changed 0 stayed the same 3 not imported')
    await inspectFamiliar(page, 'import-done')

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download as CSV' }).click(),
    ])
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n')
    expect(lines).toHaveLength(4)
    await page.getByRole('link', { name: 'Show members' }).click()
    await page.getByText('Dilys').first().waitFor()

    await page.getByText('More', { exact: true }).click()
    await page.getByRole('link', { name: 'Import', exact: true }).click()
    await page.getByLabel('File', { exact: true }).setInputFiles(file)
    await button('Read file')
    await page.getByRole('heading', { name: file.name }).waitFor()
    expect(await counts()).toBe('0 new 0 will change 200 stay the same 3 need an answer')
  })

  test('accepts a published file of grants and fits the smallest phone', async () => {
    await page.setViewportSize({ width: 320, height: 640 })
    await page.goto(at(`/dashboard/${await newNeighbour('grants')}/import`).href)
    const fits = async (heading: string) => {
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320)
      expect(await page.evaluate('document.activeElement.textContent')).toBe(heading)
    }
    await page
      .getByLabel('File', { exact: true })
      .setInputFiles('test/cli/fixtures/360giving-sample.json')
    await button('Read file')
    await fits('360giving-sample.json')
    await page.getByText('more matched column').click()
    await page.getByLabel('Field for grantProgramme').selectOption('Leave out')
    await page.getByLabel('Status for all records').selectOption('Applied')
    await button('Show preview')
    await page.locator('.counts').waitFor()
    await fits('360giving-sample.json')
    expect(await counts()).toBe('20 new 0 will change 0 stay the same 0 need an answer')
    await button('Import 20 rows')
    await fits('Imported')
    await page.getByRole('link', { name: 'Show grant applications' }).click()
    await page.getByText('Leicestershire').first().waitFor()
  })

  test('works without JavaScript and with pasted rows', async () => {
    const id = await newNeighbour('plain')
    const withoutScripts = await browser.newContext({
      javaScriptEnabled: false,
      storageState: await context.storageState(),
    })
    page = await withoutScripts.newPage()
    await page.goto(at(`/dashboard/${id}/import`).href)
    const file = 'demo/exports/mailchimp-subscribed.csv'
    await page.getByLabel('File', { exact: true }).setInputFiles(file)
    await button('Read file')
    await page.getByRole('heading', { name: 'mailchimp-subscribed.csv' }).waitFor()
    for (const column of await page.getByLabel('Field for').all())
      if ((await column.inputValue()) === '') await column.selectOption('Leave out')
    await page.getByLabel('Choose the file again').setInputFiles(file)
    const before = await counts()
    await button(/^Import \d+ rows$/)
    await page.getByRole('heading', { name: 'Imported', exact: true }).waitFor()
    expect(await counts()).toMatch(/^\d+ new 0 changed 0 stayed the same 0 not imported$/)
    expect(before).toMatch(/ 0 need an answer$/)

    await page.getByRole('link', { name: 'Import another file' }).click()
    await page
      .getByLabel('Or paste rows from a spreadsheet')
      .fill('Ref\tVolunteer\tPhone\nV1\tAnn Abara\t07700 900123\n')
    await button('Read file')
    await page.getByLabel('Kind of records').selectOption('Volunteers')
    await button('Continue')
    await page.getByText('1 row of volunteers').waitFor()
    expect(await counts()).toBe('1 new 0 will change 0 stay the same 0 need an answer')
    await button('Import 1 row')
    await page.getByRole('link', { name: 'Show volunteers' }).click()
    await page.getByText('Ann Abara').first().waitFor()
    await withoutScripts.close()
  })

  test('loses nothing when going back', async () => {
    await page.goto(at(`/dashboard/${await newNeighbour('back')}/import`).href)
    const { name, buffer } = await exportWithErrors()
    await page.evaluate(`(() => {
      const bytes = Uint8Array.from(atob('${buffer.toString('base64')}'), (character) => character.charCodeAt(0))
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([bytes], '${name}'))
      const drop = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true })
      document.querySelector('[data-drop]').dispatchEvent(drop)
    })()`)
    await button('Read file')
    await page.getByText('more matched column').click()
    await page.getByLabel('Field for Notes').selectOption('Leave out')
    const code = page.getByRole('row').filter({ hasText: 'Post Code' })
    await code.getByText('New field: postcode').click()
    await code.getByLabel('Label').fill('Home')
    await page.getByText('How people are matched').click()
    await page.getByLabel('Time zone').fill('Mars/Base')
    await button('Update preview')
    await page.locator('#field-timeZone-error').waitFor()
    expect(await page.locator('#field-timeZone-error').innerText()).toContain('Europe/London')
    expect(await page.getByLabel('Field for Notes').inputValue()).toBe('omit')
    await page.getByLabel('Time zone').fill('Europe/Paris')
    await page.route('**/import', (route) => route.abort(), { times: 1 })
    await button('Show preview')
    await page.getByText('Nothing on this page is lost').waitFor()
    expect(errors.splice(0)).toEqual([expect.stringContaining('ERR_FAILED')])
    await button('Show preview')
    await page.locator('.counts').waitFor()
    await button(/^Import \d+ rows$/)
    await page.getByRole('heading', { name: 'Imported', exact: true }).waitFor()
    await page.goBack()
    expect(await page.getByLabel('Field for Notes').inputValue()).toBe('omit')
    expect(await page.getByLabel('Time zone').inputValue()).toBe('Europe/Paris')
    await page.goBack()
    await page.getByRole('button', { name: 'Read file' }).waitFor()
    await page.goForward()
    expect(await page.getByLabel('Field for Notes').inputValue()).toBe('omit')
  })
})
