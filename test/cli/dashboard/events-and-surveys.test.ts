import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import jsQR from 'jsqr'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { readServingEdition } from '../../../cli/geography/edition.ts'
import { loadDirectory } from '../../../cli/geography/load.ts'
import { addUser } from '../../../src/admin/users.ts'
import { formatDay } from '../../../src/model/dates.ts'
import type { Field } from '../../../src/model/properties/schema.ts'
import { fromLondon, londonDay } from '../../../src/model/timestamp.ts'
import { sha256 } from '../../../src/platform/sha256.ts'
import { parseSchema } from '../../../src/records/schema/schema.ts'
import { savePublicPages } from '../../../src/sign-up/public-pages.ts'
import { claimMemberships } from '../../../src/store/settings/memberships.ts'
import { putSchemas } from '../../../src/store/settings/schemas.ts'
import { storeBooksAllDates } from '../../../src/store/sign-up/event-questions.ts'
import { administeredStore } from '../../../src/store/trusted-store.ts'
import { putRecords } from '../../../src/store/write/put.ts'
import { addWebhook } from '../../../src/webhooks/new-secret.ts'
import { createKey } from '../../keys.ts'
import { localWorker } from '../local-worker.ts'
import {
  ageForm,
  inspect,
  inspectEachLook,
  inspectFamiliar,
  launchBrowser,
  signInToDemo,
} from './browser.ts'
import { readPdfPages } from './pdf.ts'

/*
 * What a charity does with its events and surveys, as staff, families and a colleague see it. Every page is checked at
 * 320 and 1280 px.
 */

const phone = { width: 390, height: 844 }
const desktop = { width: 1280, height: 860 }
const smallest = { width: 320, height: 640 }

const directory = 'demo/postcodes/ONSPD_NOV_2025_UK.csv'
const dayMs = 86_400_000

const worker = await localWorker()
const { env, organisationId } = worker
const origin = `http://localhost:${worker.url.port}`
const home = `${origin}/dashboard/${organisationId}`
const site = `${origin}/o/${organisationId}`
const permissions = ['read', 'create-members', 'write']
const { key } = await createKey(env, organisationId, 'Events', 'a test', undefined, permissions)

/** The picture that the camera of the browser sees. */
const cameraPicture = join(tmpdir(), `camera-${crypto.randomUUID()}.mjpeg`)

const field = (id: string, type: Field['type'], order: number, options?: string[]): Field => ({
  ...{ id, name: id, label: id, type, order },
  ...(options && { options: options.map((value) => ({ value, label: value })) }),
})
const schema = parseSchema('members', {
  fields: [
    field('Full Name', 'text', 0),
    field('Date of Birth', 'date', 1),
    field('Phone', 'phone', 2),
    field('Postcode', 'postcode', 3),
    field('Interests', 'multipleSelect', 4, ['Music', 'Walking']),
    field('Email', 'email', 5),
    field('Tags', 'multipleSelect', 6, ['Tea', 'Cake']),
  ],
}).data

let browser: Browser
/** Where staff are signed in. */
let staff: BrowserContext
let desk: Page
let receiver: Server
/** The ids of the members that a webhook has told of. */
const notified: string[] = []
const errors: string[] = []

/** Opens a page, and collects its errors. */
async function openPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  page.on('pageerror', (error) => errors.push(error.message))
  return page
}

beforeAll(async () => {
  const { DB, GEOGRAPHY } = env
  browser = await launchBrowser([
    '--use-fake-ui-for-media-stream',
    '--use-fake-device-for-media-stream',
    `--use-file-for-fake-video-capture=${cameraPicture}`,
  ])
  if (!(await readServingEdition(GEOGRAPHY)))
    await loadDirectory(GEOGRAPHY, directory, { names: dirname(directory), minRows: 1 })
  if (!schema) throw new Error('The schema is invalid.')
  await putSchemas(DB, organisationId, { members: schema })
  const store = administeredStore(DB, organisationId, 'a test')
  const signUpFields = ['Full Name', 'Date of Birth', 'Phone', 'Postcode', 'Interests'].map(
    (id) => ({ id, required: id === 'Full Name' || id === 'Postcode' }),
  )
  const settings = {
    signUpFields,
    privacyNotice: 'https://charity.test/privacy',
    consentText: 'You may store our details for this event.',
    colour: '#5b2a6e',
    contactPhone: '0113 496 0100',
    remindsDayBefore: true,
  }
  await savePublicPages(store, schema, { enabled: true, settings })
  receiver = createServer(async (request, response) => {
    const chunks = await request.toArray()
    notified.push(JSON.parse(Buffer.concat(chunks).toString()).data.id)
    response.end()
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  await addWebhook(env, store, {
    url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
    collections: ['members'],
    changes: ['created'],
  })
  staff = await browser.newContext({ viewport: desktop })
  desk = await openPage(staff)
  await signInToDemo(desk, `${origin}/dashboard`)
})

afterAll(async () => {
  await browser?.close()
  receiver?.close()
  await rm(cameraPicture, { force: true })
})

/** A reader of codes with the interface of the browsers of phones, as Chromium on Linux has none. It reads what the camera sees. */
async function barcodeDetector(): Promise<string> {
  const decoder = await readFile(createRequire(import.meta.url).resolve('jsqr'), 'utf8')
  return `${decoder}
    window.BarcodeDetector = class {
      async detect(video) {
        const { videoWidth: width, videoHeight: height } = video
        const drawing = new OffscreenCanvas(width, height).getContext('2d')
        drawing.drawImage(video, 0, 0)
        const code = jsQR(drawing.getImageData(0, 0, width, height).data, width, height)
        return code ? [{ rawValue: code.data }] : []
      }
    }`
}

async function api<Body>(path: string, method = 'GET', body?: object): Promise<Body> {
  const headers = { 'x-api-key': key, 'Content-Type': 'application/json' }
  const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
  const answer = await fetch(`${origin}/api/v1/${path}`, init)
  expect([path, answer.status < 300]).toEqual([path, true])
  return answer.json() as Promise<Body>
}

/** Runs the tasks of a minute, in which messages leave. It is after nine in the morning, when reminders do. */
async function runSchedule() {
  const morning = Date.parse(String(fromLondon(`${londonDay(Date.now())}T09:30`)))
  const time = Math.max(Date.now(), morning)
  await worker.fetch(`/cdn-cgi/local/scheduled?cron=*+*+*+*+*&time=${time}`)
}

/** Waits for the last message to an address with this text in its subject. Returns it with its private links. */
async function readMail(address: string, subject: string) {
  const find = () =>
    worker
      .printedMail()
      .findLast((text) => text.includes(`To: ${address}\n`) && subjectOf(text).includes(subject))
  const text = (await vi.waitUntil(find, 20_000)) ?? ''
  const links = [...text.matchAll(/\/o\/\S+\/(?:bookings|forms\/\w+)\/\w+/g)].map(
    ([path]) => origin + path,
  )
  return { text, links, link: links[0] ?? '' }
}

const subjectOf = (text: string) => /^Subject: (.*)$/m.exec(text)?.[1] ?? ''

const press = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true }).click()

const waitForTitle = (page: Page, name: string) =>
  page.getByRole('heading', { name, exact: true }).first().waitFor()

async function fitsSmallestPhone(page: Page, name: string) {
  const before = page.viewportSize()
  await page.waitForLoadState()
  await page.setViewportSize(smallest)
  const width = await page.evaluate('document.documentElement.scrollWidth')
  expect([name, width]).toEqual([name, smallest.width])
  if (before) await page.setViewportSize(before)
}

/** Moves the focus with the Tab key, as people without a mouse do. */
async function tabTo(page: Page, target: Locator) {
  const focused = target.and(page.locator(':focus'))
  for (let presses = 0; presses < 80; presses++) {
    await page.keyboard.press('Tab')
    if ((await focused.count()) > 0) return
  }
  throw new Error(`The Tab key does not reach ${target}.`)
}

async function typeInto(page: Page, target: Locator, text: string) {
  await tabTo(page, target)
  await page.keyboard.press('Control+A')
  await page.keyboard.type(text)
}

async function pressKey(page: Page, target: Locator, key: 'Enter' | 'Space') {
  await tabTo(page, target)
  await page.keyboard.press(key)
}

const person = (page: Page, number: number) =>
  page.getByRole('region', { name: `Person ${number}`, exact: true })

const checkAnswers = (page: Page) => page.getByRole('button', { name: 'Check your answers' }).last()

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

type Pixels = { data: string; width: number; height: number }

/** Decodes the QR code of a page from a screenshot, as a camera does. */
async function decodeQrCode(page: Page): Promise<string | undefined> {
  const png = (await page.locator('.qr-code').screenshot()).toString('base64')
  // The page's policy allows no images of other origins.
  const canvas = await page.context().newPage()
  const { data, width, height } = await canvas.evaluate<Pixels>(`(async () => {
    const image = new Image()
    image.src = 'data:image/png;base64,${png}'
    await image.decode()
    const drawing = new OffscreenCanvas(image.width, image.height).getContext('2d')
    drawing.drawImage(image, 0, 0)
    const { data: { buffer }, width, height } = drawing.getImageData(0, 0, image.width, image.height)
    return { data: new Uint8Array(buffer).toBase64(), width, height }
  })()`)
  await canvas.close()
  return jsQR(Uint8ClampedArray.from(Buffer.from(data, 'base64')), width, height)?.data
}

const parent = 'r.aldermere@story.test'
const [sam, wilf] = ['sam@story.test', 'wilf@story.test']
const parentPhone = '07700 900145'
const postcode = 'SW1A 1AA'

/** Details that a colleague without contact details must not see. */
const contactDetails = [parent, sam, wilf, parentPhone, postcode]

/** Opens a colleague's page, and returns a function that expects none of some texts on a page or in a download. */
async function openColleague(hidden: readonly string[]) {
  const subject = crypto.randomUUID()
  const email = `${subject}@people.test`
  const identity = { issuer: origin, subject, email }
  const role = 'reader-without-contact-details'
  await addUser(env.DB, { organisationId, email, role, by: 'a test' })
  await claimMemberships(env.DB, identity)
  const value = await sha256(email)
  const now = new Date().toISOString()
  await env.DB.prepare(
    'INSERT INTO sessions (hash, issuer, subject, name, expires, last_used) VALUES (?, ?, ?, ?, ?, ?)',
  )
    .bind(await sha256(value), origin, subject, 'Colleague', '2999-01-01T00:00:00.000Z', now)
    .run()
  const context = await browser.newContext({ viewport: phone })
  const session = (await staff.cookies()).find(({ name }) => name === '__Host-session')
  if (session) await context.addCookies([{ ...session, value }])
  const page = await openPage(context)
  const expectNone = (path: string, text: string) =>
    expect([path, ...hidden.filter((detail) => text.includes(detail))]).toEqual([path])
  return {
    page,
    async visit(path: string) {
      await page.goto(home + path)
      expectNone(path, await page.content())
    },
    async download(path: string, shown: string) {
      const answer = await context.request.get(home + path)
      const text = await answer.text()
      expect([path, answer.status(), text.includes(shown)]).toEqual([path, 200, true])
      expectNone(path, text)
    },
    close: () => context.close(),
  }
}

test('a weekly series is planned, booked by a family, moved, and its register taken on a phone', async () => {
  const tomorrow = londonDay(Date.now() + dayMs)
  const name = 'Gentle Yoga'
  let publicSeries = ''
  let dateId = ''

  await planSeries()
  const family = await browser.newContext({ viewport: phone })
  const page = await openPage(family)
  await signUpFamily()
  await joinWaitingList('Sam Oduya', sam, true)
  await joinWaitingList('Wilf Penhallow', wilf, false)
  await cancelOneChild()
  await writeToEverybody()
  await takeRegister()
  await printSheet()
  await expectRecords()
  await showColleague()
  await family.close()
  expect(errors.splice(0)).toEqual([])

  async function planSeries() {
    await desk.goto(`${home}/events`)
    await desk.getByRole('link', { name: 'New event' }).click()
    await desk.getByLabel('Name', { exact: true }).fill(name)
    await desk.getByLabel('Date', { exact: true }).fill(tomorrow)
    await desk.getByLabel('Starts').fill('10:00')
    await desk.getByLabel('Ends', { exact: true }).fill('11:30')
    await desk.getByLabel(/^Every week on/).check()
    await desk.getByLabel('Number of dates').fill('40')
    await desk.getByLabel('Places on each date').fill('3')
    await desk.getByLabel('Fixed price').check()
    await desk.getByLabel('Price per person').fill('2.50')
    await desk.getByText('Add a question', { exact: true }).click()
    await desk.getByLabel('Question', { exact: true }).first().fill('Do you need a chair?')
    await desk.getByLabel('Reason for asking').first().fill('To put one out for you.')
    await inspectFamiliar(desk, 'new-series')
    await press(desk, 'Save event')
    await desk.getByText('Event added.').waitFor()
    const details = expect.objectContaining({ capacityTotal: 3, free: false, price: 2.5 })
    expect(await api(`events?name=${encodeURIComponent(name)}`)).toMatchObject({
      total: 41,
      events: Array(41).fill({ bookingDetails: details }),
    })
    const coming = desk.getByRole('region', { name: 'Dates to come', exact: true })
    expect(await coming.getByRole('row', { name: '0 of 3' }).count()).toBe(6)
    await desk.getByText('40 dates', { exact: true }).waitFor()
    await desk.getByText('Do you need a chair?').waitFor()
    await inspectEachLook(desk, 'series')
    await fitsSmallestPhone(desk, 'series')
    const series = desk.url()
    const link = await desk.getByRole('link', { name: site }).getAttribute('href')
    publicSeries = new URL(link ?? '', site).href
    await desk.getByRole('link', { name: 'Poster' }).click()
    await desk.getByRole('img', { name: 'QR code of the public page' }).waitFor()
    await inspect(desk, 'poster')
    await desk.goto(series)
    await desk.getByRole('link', { name: 'Change dates' }).click()
    await desk.getByLabel('Starts').fill('10:15')
    await press(desk, 'Check the change')
    await desk.getByText('40 dates change.').waitFor()
    await inspectFamiliar(desk, 'change-dates')
    await desk.goto(series)
    await desk.getByRole('link', { name: 'Add dates' }).click()
    await button(desk, 'Add dates').waitFor()
    await inspectFamiliar(desk, 'add-dates')
    await desk.goto(`${home}/records/series`)
    await desk.getByRole('link', { name }).waitFor()
    await inspectFamiliar(desk, 'series-list')
  }

  /** Signs up a mother and her two children with the keyboard alone. */
  async function signUpFamily() {
    await page.goto(site)
    await inspect(page, 'public-events')
    await page.goto(publicSeries)
    await waitForTitle(page, name)
    await inspect(page, 'public-series')
    await page.getByRole('link', { name: formatDay(tomorrow) }).click()
    await page.getByText('3 left of 3').waitFor()
    dateId = decodeURIComponent(new URL(page.url()).pathname.split('/').at(-1) ?? '')
    await pressKey(page, checkAnswers(page), 'Enter')
    await waitForTitle(page, 'There is a problem')
    await inspect(page, 'public-sign-up-errors')
    await pressKey(page, page.getByRole('link', { name: /^Your name/ }), 'Enter')
    await page.keyboard.type('Rukhsana Aldermere')
    await typeInto(page, page.getByLabel('Your e-mail address'), parent)
    await pressKey(page, page.getByLabel('I am coming too'), 'Space')
    await typeBirthday(1, '1986')
    await typeInto(page, person(page, 1).getByLabel('Phone'), parentPhone)
    await typeInto(page, person(page, 1).getByLabel('Postcode'), postcode)
    await typeInto(page, person(page, 1).getByLabel('Do you need a chair?'), 'No')
    for (const [index, child] of ['Idris', 'Noor'].entries()) {
      const number = index + 2
      await pressKey(page, button(page, 'Add another person'), 'Enter')
      await page.waitForURL((url) => url.hash === `#person-${number}`)
      const added = person(page, number)
      expect(await added.getByLabel('Postcode').inputValue()).toBe(postcode)
      expect(await added.getByLabel('Phone').inputValue()).toBe(parentPhone)
      await typeInto(page, added.getByLabel('Full Name'), `${child} Aldermere`)
      await typeBirthday(number, '2018')
      await pressKey(page, added.getByLabel('Walking'), 'Space')
      await typeInto(page, added.getByLabel('Do you need a chair?'), 'Yes')
    }
    await pressKey(page, page.getByLabel('You may store our details'), 'Space')
    await inspectFamiliar(page, 'public-sign-up')
    await ageForm(page)
    // Enter must not press the button that removes a person.
    await person(page, 3).getByLabel('Full Name').press('Enter')
    await waitForTitle(page, 'Check your answers')
    await inspect(page, 'public-check')
    // Back shows the answers, and nothing is sent again.
    await page.goBack()
    await person(page, 3).waitFor()
    await page.goForward()
    await press(page, 'Sign up')
    await waitForTitle(page, 'Check your inbox')
    await inspectFamiliar(page, 'public-inbox')
    await page.goBack()
    await waitForTitle(page, 'Check your inbox')

    const { links } = await readMail(parent, 'Your sign-up for')
    expect(links).toHaveLength(3)
    await page.goto(String(links[1]))
    await press(page, 'Confirm')
    await waitForTitle(page, 'You are booked')
    await inspectFamiliar(page, 'public-booking')
    await page.getByRole('link', { name: 'Change details' }).click()
    await inspectFamiliar(page, 'public-change')
    await runSchedule()
    const booked = await readMail(parent, 'You are booked')
    expect(booked.text).toContain(
      'Rukhsana Aldermere, Idris Aldermere and Noor Aldermere are booked',
    )
    expect(booked.text).toContain('/calendar.ics')
    await page.goto(booked.link)
    await page.getByRole('link', { name: 'Noor Aldermere' }).waitFor()
    await inspect(page, 'public-family')
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await decodeQrCode(page)).toBe(booked.link)
    }
    await page.locator('.qr-code').screenshot({ type: 'jpeg', quality: 100, path: cameraPicture })
  }

  async function typeBirthday(number: number, year: string) {
    await typeInto(page, person(page, number).getByLabel('Day'), '4')
    await typeInto(page, person(page, number).getByLabel('Month'), '2')
    await typeInto(page, person(page, number).getByLabel('Year'), year)
  }

  /** Joins the waiting list on the smallest phone, without a script; perhaps after a question about the postcode. */
  async function joinWaitingList(who: string, email: string, isMistyped: boolean) {
    const friend = await browser.newContext({ viewport: smallest, javaScriptEnabled: false })
    const form = await openPage(friend)
    await form.goto(`${site}/events/${encodeURIComponent(dateId)}`)
    await form.getByText('All places are taken').waitFor()
    await form.getByLabel('Your name').fill(who)
    await form.getByLabel('Your e-mail address').fill(email)
    await form.getByLabel('I am coming too').check()
    await form.getByLabel('Postcode').fill(isMistyped ? 'SW1A 1AB' : postcode)
    await form.getByLabel('Do you need a chair?').fill('No')
    await form.getByLabel('You may store our details').check()
    await ageForm(form)
    await checkAnswers(form).click()
    if (isMistyped) {
      await form.getByText('Is SW1A 1AB right?').waitFor()
      await press(form, 'Change answers')
      await form.getByLabel('Postcode').fill(postcode)
      await checkAnswers(form).click()
      await waitForTitle(form, 'Check your answers')
      expect(await form.getByText('Is SW1A').count()).toBe(0)
    }
    await press(form, 'Join the waiting list')
    await waitForTitle(form, 'Check your inbox')
    const { text, link } = await readMail(email, 'Your sign-up for')
    expect(text).toContain('waiting list')
    await form.goto(link)
    await waitForTitle(form, 'On the waiting list')
    await fitsSmallestPhone(form, 'waiting')
    await friend.close()
  }

  /** The reminder leads to the bookings. The place of one child goes to the next who waits. */
  async function cancelOneChild() {
    await runSchedule()
    const reminder = await readMail(parent, 'Tomorrow')
    expect(reminder.text).toContain('Cannot come? Give up the places')
    await page.goto(reminder.link)
    await page.getByRole('link', { name: 'Idris Aldermere' }).click()
    await page.getByRole('link', { name: 'Cancel booking' }).click()
    await inspectFamiliar(page, 'public-cancel')
    await press(page, 'Cancel booking')
    const listed = page.getByRole('listitem').filter({ hasText: 'Idris Aldermere' })
    await listed.getByText('Booking cancelled').waitFor()
    const offer = await readMail(sam, 'A place at')
    await page.goto(offer.link)
    await waitForTitle(page, 'There is a place for you')
    await inspectFamiliar(page, 'public-offer')
    await press(page, 'Accept the place')
    await waitForTitle(page, 'You are booked')
  }

  async function writeToEverybody() {
    const path = `${home}/events/${encodeURIComponent(dateId)}/messages`
    await desk.goto(path)
    await desk.getByLabel('Subject').fill('Bring a mat')
    await desk.getByLabel('Message', { exact: true }).fill('If you have one.')
    await press(desk, 'Preview')
    await button(desk, 'Send to 2 addresses').waitFor()
    await inspect(desk, 'message')
    await press(desk, 'Send me a test')
    await desk.getByText('A test is on its way to').waitFor()
    await desk.goto(`${path}/cancel`)
    await inspectFamiliar(desk, 'cancel-event')
    await desk.goto(`${home}/records/events/${encodeURIComponent(dateId)}/edit`)
    await desk.evaluate(
      "for (const fold of document.querySelectorAll('details.fold')) fold.open = true",
    )
    await desk.locator('[name="venue.name"]').fill('Reading Room')
    await press(desk, 'Save event')
    await waitForTitle(desk, 'The event has changed. Tell the people?')
    await inspect(desk, 'message-change')
    await press(desk, 'Send to 3 addresses')
    await desk.getByText('The message is on its way to 3 addresses.').waitFor()
    await inspectFamiliar(desk, 'message-sent')
    await runSchedule()
    for (const address of [parent, sam, wilf])
      expect((await readMail(address, 'has changed')).text).toContain('Reading Room')
    const administrator = worker.printedMail().find((text) => text.includes('Test: Bring a mat'))
    expect(administrator).toContain('Hello,')
  }

  async function takeRegister() {
    await desk.setViewportSize(phone)
    await desk.addInitScript(await barcodeDetector())
    await desk.goto(`${home}/events/${encodeURIComponent(dateId)}`)
    const mark = (who: string, name: string) =>
      desk.getByRole('group', { name: who, exact: true }).getByRole('button', { name, exact: true })
    const openTab = (name: string) =>
      desk.getByRole('navigation', { name: 'Register' }).getByRole('link', { name }).click()
    const rowsOf = (panel: string) =>
      desk.locator(`[data-panel="${panel}"] [data-booking]:visible`).allInnerTexts()
    const counts = () => desk.locator('.counts').innerText()

    await staff.setOffline(true)
    await pressKey(desk, mark('Sam Oduya', 'Came'), 'Enter')
    await mark('Sam Oduya', 'Did not come').click()
    const walkIn = desk.locator('#walk-in')
    await walkIn.getByLabel('Full Name').fill('Walter Walk-In')
    await walkIn.getByLabel('Postcode').fill(postcode)
    await press(desk, 'Add')
    await desk.getByText('No connection. 3 changes are waiting to send.').waitFor()
    expect(await counts()).toMatch(/^0 came\s+1 did not come\s+2 to mark\s+3 of 3 places$/)
    await openTab('To mark 2')
    expect(await rowsOf('booked')).toEqual([
      expect.stringContaining('Noor Aldermere'),
      expect.stringContaining('Rukhsana Aldermere'),
    ])
    await desk.locator('.save').getByRole('link', { name: 'Scan codes' }).click()
    await desk.getByLabel('Link of a booking').waitFor()
    await inspect(desk, 'register')
    expect(errors.splice(0).every((error) => error.includes('ERR_INTERNET_DISCONNECTED'))).toBe(
      true,
    )
    await staff.setOffline(false)
    await desk.locator('[data-queue]').waitFor({ state: 'hidden' })

    await press(desk, 'Use the camera')
    await desk.getByText('Rukhsana Aldermere and Noor Aldermere came.').waitFor()
    await mark('Rukhsana Aldermere came', 'Take back').click()
    await desk.getByRole('group', { name: 'Rukhsana Aldermere came' }).waitFor({ state: 'hidden' })
    await openTab('Booked')
    await desk.getByLabel('Find a name').fill('noor')
    expect(await rowsOf('booked')).toEqual([expect.stringContaining('Noor Aldermere')])
    await desk.locator('summary', { hasText: 'Noor Aldermere' }).click()
    const call = desk.getByRole('link', { name: parentPhone }).filter({ visible: true })
    expect(await call.getAttribute('href')).toBe(`tel:${parentPhone.replaceAll(' ', '')}`)
    await desk.getByLabel('Find a name').fill('')
    const question = desk.waitForEvent('dialog')
    await Promise.all([
      question.then(async (dialog) => {
        expect(dialog.message()).toBe('Mark 1 as came?')
        await dialog.accept()
      }),
      press(desk, 'Mark all as came'),
    ])
    await openTab('To mark 0')
    expect(await counts()).toMatch(/^3 came\s+1 did not come\s+0 to mark/)

    await openTab('Waiting 1')
    await inspectFamiliar(desk, 'register-waiting')
    await desk.getByLabel('Number of places').fill('6')
    await press(desk, 'Save places')
    await desk.getByText('Wilf Penhallow has an offer now.').waitFor()
    await desk.getByText(/^Offered until /).waitFor()
    await desk.getByRole('link', { name: /^Next: / }).waitFor()
  }

  async function printSheet() {
    await desk.getByLabel('More actions for this event').click()
    await desk.getByRole('link', { name: 'Print a sign-in sheet' }).click()
    await waitForTitle(desk, 'Sign-in sheet')
    await inspect(desk, 'sheet')
    const print = async () => readPdfPages(await desk.pdf({ preferCSSPageSize: true }))
    const [sheet = '', ...others] = await print()
    expect(others).toEqual([])
    expect(sheet).toMatch(
      /^Page 1 of 1 Demo Charity Gentle Yoga .* Reading Room Register, for staff No\. Name Age Contact Came Signature 1 Noor Aldermere \d Rukhsana Aldermere 07700 900145 .* Booked 4 Came Walk-ins Volunteers Led by, signature Printed on /,
    )
    await desk.getByLabel('Contact').uncheck()
    await desk.getByLabel('Empty lines').selectOption('A whole page')
    await press(desk, 'Show')
    await desk.waitForLoadState()
    const [first = '', second = '', ...more] = await print()
    expect(more).toEqual([])
    expect(first).not.toContain('07700')
    expect([first, second]).toEqual([
      expect.stringContaining('No. Name Age Came Signature'),
      expect.stringMatching(/^Page 2 of 2 No\. Name Age Came Signature .* Booked 4 /),
    ])
  }

  type Booking = { userName: string; memberId: string; orgStatus: string; userStatus: string }
  type Member = { memberId: string; fields: { key: string; value: unknown }[] }

  async function expectRecords() {
    const { bookings } = await api<{ bookings: Booking[] }>(`bookings?eventId=${dateId}`)
    const states = bookings.map(({ userName, userStatus, orgStatus, memberId }) =>
      [userName, userStatus, orgStatus, memberId && 'member'].join(' ').trim(),
    )
    // Noor has her mother's phone number, so staff say who she is.
    expect(states.toSorted()).toEqual([
      'Idris Aldermere cancelled',
      'Noor Aldermere confirmed attended',
      'Rukhsana Aldermere confirmed attended member',
      'Sam Oduya confirmed absent member',
      'Walter Walk-In confirmed attended member',
      'Wilf Penhallow offered',
    ])
    const ids = bookings.map(({ memberId }) => memberId).filter(Boolean)
    for (const id of ids) {
      const { member } = await api<{ member: Member }>(`members/${id}`)
      expect(member.fields).toContainEqual(
        expect.objectContaining({ key: 'Postcode.ward', value: "St James's" }),
      )
    }
    expect(await api(`events/${dateId}`)).toMatchObject({ event: { attendees: 3 } })
    await vi.waitFor(() => expect(notified).toEqual(expect.arrayContaining(ids)), 20_000)
  }

  /** A colleague sees who came, and on no page or download how to reach them. */
  async function showColleague() {
    const { bookings } = await api<{ bookings: Booking[] }>(`bookings?eventId=${dateId}`)
    const memberOf = (name: string) =>
      bookings.find(({ userName }) => userName === name)?.memberId ?? ''
    const member = `/records/members/${memberOf('Rukhsana Aldermere')}`
    await desk.setViewportSize(desktop)
    await desk.goto(home + member)
    await desk.getByText(postcode).first().waitFor()
    const colleague = await openColleague(contactDetails)
    await colleague.visit('/records/members')
    await colleague.page.getByRole('link', { name: 'Rukhsana Aldermere' }).click()
    await colleague.visit(member)
    await inspectFamiliar(colleague.page, 'colleague-member')
    for (const path of [
      `${member}/history`,
      '/records/bookings',
      `/records/events/${dateId}`,
      '/records/search?q=aldermere',
    ]) {
      await colleague.visit(path)
      await fitsSmallestPhone(colleague.page, path)
    }
    await colleague.download('/records/csv/members', 'Rukhsana Aldermere')
    await colleague.download('/records/csv/bookings', 'Sam Oduya')
    await colleague.visit(`/events/${dateId}/sign-ups/csv`)
    await colleague.visit(`/events/${dateId}/messages`)
    expect(errors.splice(0)).toEqual(Array(2).fill(expect.stringContaining('403')))
    await colleague.close()
  }
}, 300_000)

test('who books a series at once has one link for its dates, and waits for the full ones', async () => {
  const event = (eventId: string, month: string, parentEventId = '') => ({
    id: eventId,
    document: JSON.stringify({
      ...{ eventId, name: 'Young Cooks', parentEventId, tags: ['Crafts'] },
      ...{ bookable: true, concluded: null },
      start: `2096-${month}-15T14:00:00.000Z`,
      end: `2096-${month}-15T16:00:00.000Z`,
      bookingDetails: { bookable: true, capacityTotal: 3, bookVolunteers: true, free: true },
      venue: { name: 'Larkwell Mill', address: 'Tannery Row, Leeds', postcode: 'LS10 1LT' },
    }),
  })
  await putRecords(env.DB, organisationId, 'events', [
    event('cooks', '10'),
    event('cooks-1', '09', 'cooks'),
    event('cooks-2', '10', 'cooks'),
  ])
  await storeBooksAllDates(administeredStore(env.DB, organisationId, 'a test'), 'cooks', true)
  const booked = { bookingId: 'elsewhere', eventId: 'cooks-2', userName: 'Ada', attending: true }
  await putRecords(env.DB, organisationId, 'bookings', [
    { id: booked.bookingId, document: JSON.stringify(booked) },
  ])
  const context = await browser.newContext({ viewport: phone })
  const page = await openPage(context)
  await page.goto(`${site}/events/cooks`)
  await page.getByText('The form is for all of these 2 dates.').waitFor()
  await page.getByLabel('Come to the event').check()
  await page.getByLabel('Your name').fill('Rukhsana Aldermere')
  await page.getByLabel('Your e-mail address').fill('cooks@story.test')
  const fillIn = async (number: number, name: string) => {
    await person(page, number).getByLabel('Full Name').fill(name)
    await person(page, number).getByLabel('Postcode').fill(postcode)
  }
  await fillIn(1, 'Idris Aldermere')
  await page.getByLabel('I am coming too').check()
  await press(page, 'Add another person')
  await page.waitForURL((url) => url.hash === '#person-3')
  await fillIn(3, 'Noor Aldermere')
  await page.getByLabel('You may store our details').check()
  await inspectFamiliar(page, 'public-series-form')
  await ageForm(page)
  await checkAnswers(page).click()
  await page.getByText('These dates are full, so you join the waiting list for them').waitFor()
  await inspectFamiliar(page, 'public-series-check')
  await press(page, 'Sign up')
  await waitForTitle(page, 'Check your inbox')
  const { links } = await readMail('cooks@story.test', 'Your sign-up for')
  expect(links).toHaveLength(1)
  await page.goto(String(links[0]))
  await press(page, 'Confirm')
  await waitForTitle(page, 'You are booked')
  await page.getByText('On the waiting list').waitFor()
  await inspectFamiliar(page, 'public-series-bookings')
  await page.getByRole('link', { name: 'Saturday 15 September 2096' }).click()
  await page.getByRole('link', { name: 'Cancel bookings' }).click()
  await press(page, 'Cancel bookings')
  await page.getByText('Booking cancelled').waitFor()
  await waitForTitle(page, 'On the waiting list')
  await page.goto(`${site}/nothing`)
  await inspectFamiliar(page, 'public-missing')
  expect(errors.splice(0)).toEqual([expect.stringContaining('404')])
  await context.close()
})

test('a sheet of ticks of 25 people and 6 dates marks the registers of a series, and is undone', async () => {
  const days = Array.from({ length: 5 }, (_, day) => `2025-10-0${1 + day}`)
  const recurrence = { type: 'weekly', recurring: true, rrule: '' }
  const events = [
    { eventId: 'club', name: 'Lunch club', recurrence },
    ...days.map((day) => ({
      ...{ eventId: `club-${day}`, name: 'Lunch club', parentEventId: 'club' },
      start: `${day}T11:00:00.000Z`,
    })),
  ]
  await putRecords(
    env.DB,
    organisationId,
    'events',
    events.map((event) => ({ id: event.eventId, document: JSON.stringify(event) })),
  )
  const countRecords = async () => {
    const { results } = await env.DB.prepare(
      'SELECT collection, count(*) AS records FROM records WHERE organisation_id = ? GROUP BY collection',
    )
      .bind(organisationId)
      .all()
    return results
  }
  const before = await countRecords()
  const rows = Array.from({ length: 25 }, (_, index) => {
    const ticks = Array.from({ length: 6 }, (_, day) => ['✓', 'ill', ''][(index + day) % 3])
    return [`Neighbour ${index + 1}`, ...ticks].join('\t')
  })
  const headings = ['', '1 Oct', '2 Oct', '3 Oct', '4 Oct', '5 Oct', '6 Oct'].join('\t')
  const counts = async () => (await desk.locator('.counts > span').allInnerTexts()).join(' ')
  await desk.setViewportSize(phone)
  await desk.goto(`${home}/import`)
  await desk.getByLabel('Or paste rows from a spreadsheet').fill([headings, ...rows].join('\n'))
  await press(desk, 'Read file')
  await desk.getByText('A sheet of ticks with 25 people and 6 dates').waitFor()
  await desk.getByRole('radio', { name: 'Lunch club' }).check()
  await press(desk, 'Show preview')
  await desk.getByLabel('1 date has no event').selectOption('Add to the series')
  await desk.getByLabel('What does an empty cell mean?').selectOption('The person did not come')
  await inspectFamiliar(desk, 'import-ticks')
  await press(desk, 'Show preview')
  await desk.locator('.counts').waitFor()
  expect(await counts()).toBe('150 new 0 will change 0 stay the same 0 need an answer')
  await inspectFamiliar(desk, 'import-ticks-review')
  await press(desk, 'Import 150 rows')
  await desk.getByText('25 people became members.').waitFor()
  await desk.getByRole('link', { name: 'Undo' }).click()
  await desk.getByRole('button', { name: 'Undo' }).click()
  await desk.getByText('undone').first().waitFor()
  expect(await countRecords()).toEqual(before)
  expect(errors.splice(0)).toEqual([])
})

const scale = [1, 2, 3].map((value) => ({ label: ['', 'Bad', 'Fair', 'Good'][value], value }))
const choices = (...values: string[]) => values.map((value) => ({ label: value, value }))

const ask = (questionId: string, title: string, type: string, order: number, values = {}) => ({
  ...{ questionId, title, type, section: 0, order, required: false, description: '' },
  ...{ options: [], outcome: null, validation: {}, hasConditions: false },
  ...values,
})

const survey = {
  ...{ formId: 'survey', name: 'Spring survey', type: 'survey' },
  settings: { calculateOverallScore: true },
  questions: [
    ask('mood', 'How are you?', 'Likert Scale', 0, { options: scale, required: true }),
    ask('came', 'Did you come to lunch?', 'Multiple Choice', 1, { options: choices('Yes', 'No') }),
    ask('why', 'What kept you away?', 'Paragraph Text Input', 2, { required: true }),
    ask('what', 'What do you like?', 'Checkbox', 3, { options: choices('Tea', 'Cake') }),
    ask('hours', 'How many hours do you come?', 'number', 4),
    ask('when', 'When were you here first?', 'date', 5),
  ],
}

test('a survey goes to everybody tagged, is answered by three, summarised and downloaded', async () => {
  await api('forms/survey', 'PUT', survey)
  for (const name of ['Ada', 'Bea', 'Cem', 'Dan'])
    await api(`members/${name}`, 'PUT', {
      'Full Name': `${name} Abara`,
      Email: name === 'Cem' ? null : `${name.toLowerCase()}@survey.test`,
      Tags: name === 'Dan' ? [] : ['Cake'],
    })
  await desk.setViewportSize(desktop)
  await desk.goto(`${home}/forms/survey`)
  await desk.getByRole('link', { name: 'What kept you away?' }).click()
  await desk.getByText('Ask only after some answers').click()
  await desk
    .getByLabel('Ask this question')
    .selectOption({ label: 'After an answer to “Did you come to lunch?”' })
  await desk.getByLabel('Answers', { exact: true }).fill('No')
  await inspectFamiliar(desk, 'form-condition')
  await press(desk, 'Save')
  await desk.getByText('Asked if “Did you come to lunch?” is No').waitFor()
  await desk.getByRole('link', { name: 'Send to people' }).click()
  await desk.getByLabel('People', { exact: true }).selectOption({ label: 'Cake' })
  await press(desk, 'Choose')
  await desk.getByText('1 has no e-mail address').waitFor()
  await inspectFamiliar(desk, 'form-send')
  const file = desk.waitForEvent('download')
  await press(desk, 'Download 3 links with addresses')
  const rows = (await readFile(await (await file).path(), 'utf8')).trim().split('\r\n').slice(1)
  expect(rows.map((row) => row.split(',')[0])).toEqual(['Ada Abara', 'Bea Abara', 'Cem Abara'])
  await press(desk, 'Preview the message')
  await button(desk, 'Send to 2 addresses').waitFor()
  await inspectFamiliar(desk, 'form-mail')
  await press(desk, 'Send to 2 addresses')
  await desk.getByText('The links are on their way to 2 addresses.').waitFor()
  await runSchedule()
  const mailed = ['ada', 'bea'].map((name) => readMail(`${name}@survey.test`, 'Spring survey'))
  const [ada = '', bea = ''] = (await Promise.all(mailed)).map(({ link }) => link)
  const cem = origin + new URL(rows[2]?.split(',')[3] ?? '').pathname

  const context = await browser.newContext({ viewport: phone })
  const page = await openPage(context)
  for (const [index, link] of [ada, bea, cem].entries()) {
    await page.goto(link)
    await page.getByLabel(scale[index]?.label ?? '', { exact: true }).check()
    await page.getByLabel(index === 0 ? 'No' : 'Yes', { exact: true }).check()
    await press(page, 'Continue')
    expect(await page.getByLabel('What kept you away?').count()).toBe(index === 0 ? 1 : 0)
    if (index === 0) await page.getByLabel('What kept you away?').fill('The stairs')
    await page.getByLabel('Tea').check()
    await page.getByLabel('How many hours').fill(String(index + 2))
    if (index === 0) await inspectFamiliar(page, 'public-form-condition')
    await press(page, 'Continue')
    await button(page, 'Send').waitFor()
    await ageForm(page)
    await press(page, 'Send')
    await page.getByText('Answers sent').first().waitFor()
    if (index > 0) continue
    await page.goto(link)
    await waitForTitle(page, 'Already answered')
    await inspectFamiliar(page, 'public-form-answered')
    expect(errors.splice(0)).toEqual([expect.stringContaining('410')])
  }
  await context.close()

  await desk.goto(`${home}/forms/survey/results`)
  await desk.getByText('1 answer, asked of 1').waitFor()
  await desk.getByText('3 answers, average 2, median 2').waitFor()
  await desk.getByText('The stairs').waitFor()
  expect(await desk.getByText('Abara').count()).toBe(0)
  await inspectFamiliar(desk, 'form-results')
  await desk.getByText('Download', { exact: true }).click()
  const answers = desk.waitForEvent('download')
  await desk.getByRole('link', { name: 'Answers as CSV' }).click()
  const [head = '', ...answered] = (await readFile(await (await answers).path(), 'utf8'))
    .trim()
    .split('\r\n')
  expect(head).toContain('Score,How are you?,Did you come to lunch?,What kept you away?')
  expect(answered.map((row) => row.split(',').slice(1))).toEqual([
    ['Ada Abara', 'Ada', '1', 'Bad', 'No', 'The stairs', 'Tea', '2', '', ''],
    ['Bea Abara', 'Bea', '2', 'Fair', 'Yes', '', 'Tea', '3', '', ''],
    ['Cem Abara', 'Cem', '3', 'Good', 'Yes', '', 'Tea', '4', '', ''],
  ])
  const colleague = await openColleague(['The stairs', '@survey.test'])
  await colleague.visit('/forms/survey/results')
  await colleague.visit('/records/members/Ada')
  await colleague.download('/forms/survey/results/csv', 'Ada Abara')
  await colleague.close()
  expect(errors.splice(0)).toEqual([])
})
