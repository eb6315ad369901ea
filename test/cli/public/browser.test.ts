import jsQR from 'jsqr'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Field } from '../../../src/model/properties/schema.ts'
import { savePublicPages } from '../../../src/sign-up/public-pages.ts'
import { putSchemas } from '../../../src/store/settings/schemas.ts'
import { storeBooksAllDates } from '../../../src/store/sign-up/event-questions.ts'
import { administeredStore } from '../../../src/store/trusted-store.ts'
import { putRecords } from '../../../src/store/write/put.ts'
import { createKey } from '../../keys.ts'
import { ageForm, inspect, launchBrowser } from '../dashboard/browser.ts'
import { localWorker } from '../local-worker.ts'

const worker = await localWorker()
const { env, organisationId } = worker
const site = `http://localhost:${worker.url.port}/o/${organisationId}`
const headers = {
  'x-api-key': (await createKey(env, organisationId, 'Browser', 'a test')).key,
}

let browser: Browser
let context: BrowserContext
let page: Page
let problems: string[]

const field = (id: string, type: Field['type'], order: number, options?: string[]): Field => ({
  id,
  name: id,
  label: id,
  type,
  order,
  ...(options && { options: options.map((value) => ({ value, label: value })) }),
})

const schema = {
  name: 'Member Schema',
  fields: [
    field('Full Name', 'text', 0),
    field('Date of Birth', 'date', 1),
    field('Gender', 'select', 2, ['Woman', 'Man', 'Other']),
    field('Interests', 'multipleSelect', 3, ['Music', 'Walking']),
  ],
}

const settings = {
  signUpFields: schema.fields.map(({ id }, index) => ({ id, required: index === 0 })),
  privacyNotice: 'https://charity.test/privacy',
  consentText: 'You may store our details for this event.',
  colour: '#5b2a6e',
  contactPhone: '0113 496 0100',
}

const event = (eventId: string, name: string, month: string, parentEventId = '') => ({
  id: eventId,
  document: JSON.stringify({
    eventId,
    name,
    parentEventId,
    tags: ['Crafts'],
    bookable: true,
    concluded: null,
    start: `2096-${month}-15T14:00:00.000Z`,
    end: `2096-${month}-15T16:00:00.000Z`,
    bookingDetails: {
      bookable: true,
      capacityTotal: 3,
      bookVolunteers: true,
      free: true,
      description: 'Make a willow and tissue lantern for the winter walk.',
      contactEmail: 'events@charity.test',
    },
    venue: { name: 'Larkwell Mill', address: 'Tannery Row, Leeds', postcode: 'LS10 1LT' },
  }),
})

beforeAll(async () => {
  browser = await launchBrowser()
  const { DB } = env
  await putSchemas(DB, organisationId, { members: schema })
  await savePublicPages(administeredStore(DB, organisationId, 'a test'), schema, {
    enabled: true,
    settings,
  })
  await putRecords(DB, organisationId, 'events', [
    event('lanterns', 'Family Lantern Workshop', '11'),
    event('fair', 'Winter Fair', '12'),
    event('cooks', 'Young Cooks', '10'),
    event('cooks-1', 'Young Cooks', '09', 'cooks'),
    event('cooks-2', 'Young Cooks', '10', 'cooks'),
  ])
  await storeBooksAllDates(administeredStore(DB, organisationId, 'a test'), 'cooks', true)
  const booked = { bookingId: 'elsewhere', eventId: 'cooks-2', userName: 'Ada', attending: true }
  await putRecords(DB, organisationId, 'bookings', [
    { id: booked.bookingId, document: JSON.stringify(booked) },
  ])
})

afterAll(() => browser?.close())

beforeEach(async () => {
  context = await browser.newContext({ javaScriptEnabled: true })
  page = await context.newPage()
  page.setDefaultTimeout(20_000)
  problems = []
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  page.on('pageerror', (error) => problems.push(error.message))
})

afterEach(async () => {
  await context.close()
  expect(problems).toEqual([])
})

/** The group of controls for a person. */
const person = (number: number) => page.getByRole('region', { name: `Person ${number}` })

async function fillPerson(number: number, name: string) {
  await person(number).getByLabel('Full Name').fill(name)
  await person(number).getByLabel('Day').fill('4')
  await person(number).getByLabel('Month').fill('2')
  await person(number).getByLabel('Year').fill('2018')
}

const mailTo = (address: string) =>
  worker.printedMail().filter((text) => text.includes(`To: ${address}`))

/** Waits for a message, which follows its page. */
const waitForMail = (address: string) => vi.waitUntil(() => mailTo(address)[0], 20_000)

/** The addresses of the bookings in a message, on the host that the browser uses. */
const linksIn = (mail: string) =>
  [...mail.matchAll(/\/o\/\S+\/bookings\/\w+/g)].map(([path]) => new URL(path, site).href)

type Pixels = { data: number[]; width: number; height: number }

/** Decodes the QR code of the page from a screenshot, as a camera does. */
async function decodeQrCode(): Promise<string | undefined> {
  const png = (await page.locator('.qr-code').screenshot()).toString('base64')
  // The page's policy allows no images of other origins.
  const canvas = await context.newPage()
  const { data, width, height } = await canvas.evaluate<Pixels>(`(async () => {
    const image = new Image()
    image.src = 'data:image/png;base64,${png}'
    await image.decode()
    const drawing = new OffscreenCanvas(image.width, image.height).getContext('2d')
    drawing.drawImage(image, 0, 0)
    const { data, width, height } = drawing.getImageData(0, 0, image.width, image.height)
    return { data: [...data], width, height }
  })()`)
  await canvas.close()
  return jsQR(Uint8ClampedArray.from(data), width, height)?.data
}

async function joinWaitingList(name: string, email: string) {
  await page.goto(`${site}/events/lanterns`)
  await page.getByText('All places are taken').waitFor()
  await page.getByLabel('Come to the event').check()
  await page.getByLabel('Your name').fill(name)
  await page.getByLabel('Your e-mail address').fill(email)
  await person(1).getByLabel('Full Name').fill(name)
  await page.getByLabel('You may store our details').check()
  await ageForm(page)
  await page.getByRole('button', { name: 'Check your answers' }).last().click()
  await page.getByRole('button', { name: 'Join the waiting list' }).click()
  await page.getByRole('heading', { name: 'Check your inbox' }).waitFor()
  await waitForMail(email)
}

test('a parent signs up with two children and cancels one booking, and the next person accepts the place', async () => {
  await page.goto(site)
  await page.getByRole('heading', { name: 'November 2096' }).waitFor()
  await inspect(page, 'public-events')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('link', { name: 'Family Lantern Workshop' }).click()
  await page.getByText('3 left of 3').waitFor()
  await page.getByRole('button', { name: 'Add another person' }).click()
  await page.getByRole('button', { name: 'Add another person' }).click()
  await page.getByRole('button', { name: 'Check your answers' }).last().click()
  await page.getByRole('heading', { name: 'There is a problem' }).waitFor()
  await inspect(page, 'public-sign-up-errors')
  await page.getByRole('link', { name: 'Person 2: Full Name: enter an answer.' }).click()
  await page.keyboard.type('Idris Aldermere')
  await page.getByLabel('Come to the event').check()
  await page.getByLabel('Your name').fill('Rukhsana Aldermere')
  await page.getByLabel('Your e-mail address').fill('r.aldermere@example.org')
  await fillPerson(1, 'Rukhsana Aldermere')
  await fillPerson(2, 'Idris Aldermere')
  await fillPerson(3, 'Noor Aldermere')
  await person(3).getByLabel('Walking').check()
  await page.getByLabel('You may store our details').check()
  await inspect(page, 'public-sign-up')
  await ageForm(page)
  // Enter must not press the button that removes a person.
  await person(3).getByLabel('Full Name').press('Enter')
  await page.getByRole('heading', { name: 'Check your answers' }).waitFor()
  await inspect(page, 'public-check')
  await page.getByRole('button', { name: 'Sign up' }).click()
  await page.getByRole('heading', { name: 'Check your inbox' }).waitFor()
  await inspect(page, 'public-inbox')

  const links = linksIn(await waitForMail('r.aldermere@example.org'))
  expect(links).toHaveLength(3)
  const [, idris = ''] = links
  await page.goto(idris)
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
  await page.getByRole('heading', { name: 'You are booked' }).waitFor()
  await inspect(page, 'public-booking')
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await decodeQrCode()).toBe(idris)
  }
  await joinWaitingList('Zofia Nowak', 'z.nowak@example.org')
  await page.goto(idris)
  await page.getByRole('link', { name: 'Change details' }).click()
  await inspect(page, 'public-change')
  await page.getByRole('link', { name: 'Back to the booking' }).click()
  await page.getByRole('link', { name: 'Cancel booking' }).click()
  await inspect(page, 'public-cancel')
  await page.getByRole('button', { name: 'Cancel booking' }).click()
  await page.getByRole('heading', { name: 'Booking cancelled' }).waitFor()
  const offer = await vi.waitUntil(
    () =>
      mailTo('z.nowak@example.org').find((text) =>
        text.includes('A place at Family Lantern Workshop'),
      ),
    20_000,
  )
  await page.goto(linksIn(offer)[0] ?? '')
  await page.getByRole('heading', { name: 'There is a place for you' }).waitFor()
  await inspect(page, 'public-offer')
  await page.getByRole('button', { name: 'Accept the place' }).click()
  await page.getByRole('heading', { name: 'You are booked' }).waitFor()
  const answer = await worker.fetch('/api/v1/bookings?attending=true', { headers })
  expect(await answer.json()).toMatchObject({
    bookings: [
      { userName: 'Ada' },
      { userName: 'Rukhsana Aldermere', userStatus: 'confirmed' },
      { userName: 'Noor Aldermere', userStatus: 'confirmed' },
      { userName: 'Zofia Nowak', userStatus: 'confirmed' },
    ],
  })
  await page.goto(`${site}/events/cooks`)
  await page.getByText('The form is for all of these 2 dates.').waitFor()
  await page.getByLabel('Come to the event').check()
  await page.getByLabel('Your name').fill('Rukhsana Aldermere')
  await page.getByLabel('Your e-mail address').fill('cooks@example.org')
  await fillPerson(1, 'Idris Aldermere')
  await page.getByLabel('I am coming too').check()
  await page.getByRole('button', { name: 'Add another person' }).click()
  await page.waitForURL((url) => url.hash === '#person-3')
  await fillPerson(3, 'Noor Aldermere')
  await page.getByLabel('You may store our details').check()
  await inspect(page, 'public-series')
  await ageForm(page)
  await page.getByRole('button', { name: 'Check your answers' }).last().click()
  await page.getByText('These dates are full, so you join the waiting list for them').waitFor()
  await inspect(page, 'public-series-check')
  await page.getByRole('button', { name: 'Sign up' }).click()
  await page.getByRole('heading', { name: 'Check your inbox' }).waitFor()
  const [all = '', ...more] = linksIn(await waitForMail('cooks@example.org'))
  expect(more).toEqual([])
  await page.goto(all)
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
  await page.getByRole('heading', { name: 'You are booked' }).waitFor()
  await page.getByText('On the waiting list').waitFor()
  await inspect(page, 'public-series-bookings')
  await page.getByRole('link', { name: 'Saturday 15 September 2096' }).click()
  await page.getByRole('link', { name: 'Cancel bookings' }).click()
  await page.getByRole('button', { name: 'Cancel bookings' }).click()
  await page.getByText('Booking cancelled').waitFor()
  await page.getByRole('heading', { name: 'On the waiting list' }).waitFor()
  await page.goto(`${site}/nothing`)
  await inspect(page, 'public-missing')
  expect(problems.splice(0)).toEqual([expect.stringContaining('404')])
})
