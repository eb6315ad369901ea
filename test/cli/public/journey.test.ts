import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { readServingEdition } from '../../../cli/geography/edition.ts'
import { loadDirectory } from '../../../cli/geography/load.ts'
import { parseSchema } from '../../../src/records/schema/schema.ts'
import { savePublicPages } from '../../../src/sign-up/public-pages.ts'
import { putSchemas } from '../../../src/store/settings/schemas.ts'
import { administeredStore } from '../../../src/store/trusted-store.ts'
import { putRecords } from '../../../src/store/write/put.ts'
import { addWebhook } from '../../../src/webhooks/new-secret.ts'
import { createKey } from '../../keys.ts'
import { ageForm, inspect, launchBrowser, signInToDemo } from '../dashboard/browser.ts'
import { localWorker } from '../local-worker.ts'

const directory = 'demo/postcodes/ONSPD_NOV_2025_UK.csv'
const worker = await localWorker()
const { env, organisationId } = worker
const at = (path: string) => `http://localhost:${worker.url.port}${path}`
const permissions = ['read', 'create-members', 'write']
const { key } = await createKey(env, organisationId, 'Journey', 'a test', undefined, permissions)
const headers = { 'x-api-key': key, 'Content-Type': 'application/json' }

const field = (id: string, type: string, order: number) => ({
  id,
  name: id,
  label: id,
  type,
  order,
})
const schema = parseSchema('members', {
  fields: [
    field('Full Name', 'text', 0),
    field('Email', 'email', 1),
    field('Postcode', 'postcode', 2),
    field('Hobby', 'text', 3),
  ],
}).data

const event = {
  eventId: 'lanterns',
  name: 'Family Lantern Workshop',
  bookable: true,
  concluded: null,
  start: '2096-11-15T14:00:00.000Z',
  end: '2096-11-15T16:00:00.000Z',
  bookingDetails: { bookable: true, capacityTotal: 3, free: true },
}

const form = {
  formId: 'hobbies',
  name: 'Hobbies',
  type: 'survey',
  schemaForm: true,
  formFor: 'Members',
  sections: [{ id: 'one', title: 'You', description: '' }],
  questions: [{ questionId: 'Hobby', title: 'Your hobby', type: 'Text Input', section: 0 }],
}

let browser: Browser
let receiver: Server
/** The ids of the members that webhooks have told of. */
const notified: string[] = []

beforeAll(async () => {
  browser = await launchBrowser()
  receiver = createServer(async (request, response) => {
    const chunks = await request.toArray()
    notified.push(JSON.parse(Buffer.concat(chunks).toString()).data.id)
    response.end()
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const { DB } = env
  if (!schema) throw new Error('The schema is invalid.')
  if (!(await readServingEdition(env.GEOGRAPHY)))
    await loadDirectory(env.GEOGRAPHY, directory, { names: dirname(directory), minRows: 1 })
  await putSchemas(DB, organisationId, { members: schema })
  const signUpFields = ['Full Name', 'Postcode'].map((id) => ({ id, required: true }))
  const settings = { signUpFields, privacyNotice: 'https://charity.test/privacy' }
  await savePublicPages(administeredStore(DB, organisationId, 'a test'), schema, {
    enabled: true,
    settings,
  })
  await putRecords(DB, organisationId, 'events', [
    { id: event.eventId, document: JSON.stringify(event) },
  ])
  const made = await worker.fetch('/api/v1/forms', {
    method: 'POST',
    headers,
    body: JSON.stringify(form),
  })
  expect(made.status).toBe(201)
  await addWebhook(env, administeredStore(env.DB, organisationId, 'a test'), {
    url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
    collections: ['members'],
    changes: ['created'],
  })
})

afterAll(async () => {
  await browser?.close()
  receiver?.close()
})

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

async function expectNoSidewaysScrolling(page: Page) {
  // A click resolves before the page that it opens has loaded.
  await page.waitForLoadState()
  const width = await page.evaluate('document.documentElement.scrollWidth')
  expect(width).toBe(page.viewportSize()?.width)
}

/** Fills in the form of the event for people with one address. The first signs up, and comes too. */
async function fillIn(
  page: Page,
  email: string,
  names: readonly [string, ...string[]],
  postcode = 'SW1A 1AA',
) {
  await page.goto(at(`/o/${organisationId}/events/lanterns`))
  await page.getByLabel('Your name').fill(names[0])
  await page.getByLabel('Your e-mail address').fill(email)
  await page.getByLabel('I am coming too').check()
  const person = (number: number) => page.getByRole('region', { name: `Person ${number}` })
  await person(1).getByLabel('Postcode').fill(postcode)
  for (const [index, name] of names.entries()) {
    if (index === 0) continue
    await press(page, 'Add another person')
    await page.waitForURL((url) => url.hash === `#person-${index + 1}`)
    const added = person(index + 1)
    expect(await added.getByLabel('Postcode').inputValue()).toBe(postcode)
    await added.getByLabel('Full Name').fill(name)
  }
  await ageForm(page)
  await expectNoSidewaysScrolling(page)
  await pressCheck(page)
  await expectNoSidewaysScrolling(page)
}

async function pressCheck(page: Page) {
  await page.getByRole('button', { name: 'Check your answers' }).last().click()
  await page.getByRole('heading', { name: 'Check your answers' }).waitFor()
}

/** Sends a form that was checked, and waits for its message, which follows the page. */
async function send(page: Page, email: string, button: string) {
  await press(page, button)
  await page.getByRole('heading', { name: 'Check your inbox' }).waitFor()
  await vi.waitUntil(() => readInbox(email).text, 20_000)
}

/** Returns the latest message to an address, and the addresses of the bookings in it. */
function readInbox(email: string) {
  const text = worker.printedMail().findLast((message) => message.includes(email)) ?? ''
  const links = [...text.matchAll(/https?:\/\/\S+\/bookings\/\w+/g)].map(([link]) => link)
  return { text, links: links.map((link) => at(new URL(link).pathname)) }
}

async function read<Body>(path: string): Promise<Body> {
  return (await worker.fetch(`/api/v1/${path}`, { headers })).json() as Promise<Body>
}

type Booking = { userName: string; memberId: string; orgStatus: string; userStatus: string }
type Member = { memberId: string; fields: { key: string; value: unknown }[] }

test('people sign up, wait, come and answer a form, and the API shows it all', async () => {
  // The public pages need no script, and fit on the narrowest phones.
  const viewport = { width: 320, height: 640 }
  const page = await browser.newPage({ viewport, javaScriptEnabled: false })
  const [parent, friend] = ['parent@journey.test', 'sam@journey.test']
  await fillIn(page, parent, ['Rukhsana Aldermere', 'Idris Aldermere', 'Noor Aldermere'])
  // Back shows what was entered, and nothing is sent again.
  await page.goBack()
  await page.getByRole('heading', { name: 'Person 3' }).waitFor()
  await page.goForward()
  await send(page, parent, 'Sign up')
  await page.goBack()
  await page.getByRole('heading', { name: 'Check your inbox' }).waitFor()
  const family = readInbox(parent).links
  await page.goto(String(family[0]))
  await press(page, 'Confirm')
  await page.getByRole('heading', { name: 'You are booked' }).waitFor()

  await fillIn(page, friend, ['Sam Oduya'], 'SW1A 1AB')
  await page.getByText('Is SW1A 1AB right?').waitFor()
  await press(page, 'Change answers')
  await page.getByLabel('Postcode').fill('SW1A 1AA')
  await pressCheck(page)
  expect(await page.getByText('Is SW1A').count()).toBe(0)
  await send(page, friend, 'Join the waiting list')
  expect(readInbox(friend).text).toContain('waiting list')
  await page.goto(String(readInbox(friend).links[0]))
  await page.getByRole('heading', { name: 'On the waiting list' }).waitFor()

  await page.goto(`${family[1]}/cancel`)
  await press(page, 'Cancel booking')
  await page.getByRole('heading', { name: 'Booking cancelled' }).waitFor()
  await vi.waitUntil(() => readInbox(friend).text.includes('A place at'), 20_000)
  await page.goto(String(readInbox(friend).links[0]))
  await page.getByRole('heading', { name: 'There is a place for you' }).waitFor()
  await press(page, 'Accept the place')
  await page.getByRole('heading', { name: 'You are booked' }).waitFor()

  const staff = await browser.newPage({ viewport: { width: 390, height: 844 } })
  await signInToDemo(staff, at('/dashboard'))
  await staff.goto(at(`/dashboard/${organisationId}/events/lanterns/messages`))
  await staff.getByLabel('Subject').fill('Bring a box')
  await staff.getByLabel('Message', { exact: true }).fill('For what you make.')
  await press(staff, 'Preview')
  await staff.getByRole('button', { name: 'Send to 2 addresses' }).waitFor()
  await inspect(staff, 'message')
  await staff.goto(at(`/dashboard/${organisationId}/events/lanterns/messages/cancel`))
  await inspect(staff, 'cancel-event')
  await staff.goto(at(`/dashboard/${organisationId}/records/events/lanterns/edit`))
  await staff.evaluate(
    "for (const fold of document.querySelectorAll('details.fold')) fold.open = true",
  )
  await staff.locator('[name="venue.name"]').fill('Reading Room')
  await press(staff, 'Save event')
  await staff.getByRole('heading', { name: 'The event has changed. Tell the people?' }).waitFor()
  await inspect(staff, 'message-change')
  await press(staff, 'Send to 2 addresses')
  await staff.getByText('The message is on its way to 2 addresses.').waitFor()
  await inspect(staff, 'message-sent')
  await worker.fetch('/cdn-cgi/local/scheduled?cron=*+*+*+*+*')
  const isTold = (email: string) => readInbox(email).text.includes('Reading Room')
  await vi.waitUntil(() => [parent, friend].every(isTold), 20_000)
  await page.goto(String(readInbox(parent).links[0]))
  await page.getByRole('link', { name: 'Noor Aldermere' }).waitFor()
  await expectNoSidewaysScrolling(page)

  await staff.goto(at(`/dashboard/${organisationId}/events/lanterns`))
  const mark = async (name: string, button: string) => {
    const buttons = staff.getByRole('group', { name, exact: true })
    await buttons.getByRole('button', { name: button, exact: true }).click()
    await buttons.locator('[aria-pressed=true]').waitFor()
  }
  await mark('Rukhsana Aldermere', 'Came')
  await mark('Noor Aldermere', 'Did not come')
  await mark('Sam Oduya', 'Came')
  const walkIn = staff.locator('#walk-in')
  await walkIn.getByLabel('Full Name').fill('Wren Hollis')
  await walkIn.getByLabel('Postcode').fill('SW1A 1AA')
  await walkIn.getByRole('button').click()
  await staff.getByText('Wren Hollis', { exact: true }).first().waitFor()

  const { members } = await read<{ members: Member[] }>('members')
  const textOf = ({ fields }: Member, key: string) =>
    fields.find((field) => field.key === key)?.value
  expect(
    members.map((member) => [textOf(member, 'Full Name'), textOf(member, 'Postcode.ward')]),
  ).toEqual([
    ['Rukhsana Aldermere', "St James's"],
    ['Sam Oduya', "St James's"],
    ['Wren Hollis', "St James's"],
  ])
  const idOf = (name: string) =>
    members.find((member) => textOf(member, 'Full Name') === name)?.memberId ?? ''
  const { bookings } = await read<{ bookings: Booking[] }>('bookings')
  expect(
    bookings.map(({ userName, memberId, userStatus, orgStatus }) => [
      ...[userName, memberId, userStatus, orgStatus],
    ]),
  ).toEqual([
    ['Rukhsana Aldermere', idOf('Rukhsana Aldermere'), 'confirmed', 'attended'],
    ['Idris Aldermere', '', 'cancelled', ''],
    ['Noor Aldermere', '', 'confirmed', 'absent'],
    ['Sam Oduya', idOf('Sam Oduya'), 'confirmed', 'attended'],
    ['Wren Hollis', idOf('Wren Hollis'), 'confirmed', 'attended'],
  ])
  expect(await read('events/lanterns')).toMatchObject({ event: { attendees: 3 } })
  await vi.waitFor(() => expect(notified).toHaveLength(3), { timeout: 20_000 })
  expect(notified.toSorted()).toEqual(members.map(({ memberId }) => memberId).toSorted())

  const body = JSON.stringify({ memberIds: [idOf('Sam Oduya')] })
  const links = await worker.fetch('/api/v1/forms/hobbies/$links', {
    method: 'POST',
    headers,
    body,
  })
  const [link] = ((await links.json()) as { links: { href: string }[] }).links
  await page.goto(at(new URL(link?.href ?? '').pathname))
  await expectNoSidewaysScrolling(page)
  await page.getByLabel('Your hobby').fill('Kites')
  await ageForm(page)
  await press(page, 'Continue')
  await press(page, 'Send')
  await page.getByRole('heading', { name: 'Answers sent' }).waitFor()
  expect(await read('survey-responses')).toMatchObject({
    surveyResponses: [{ linkedEntities: { memberIds: [idOf('Sam Oduya')] } }],
  })
  const sam = await read<{ member: Member }>(`members/${idOf('Sam Oduya')}`)
  expect(textOf(sam.member, 'Hobby')).toBe('Kites')
  expect(notified).toHaveLength(3)
})
