import { drizzle } from 'drizzle-orm/d1'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { putSchemas } from '../../../src/store/settings/schemas.ts'
import { publicPages } from '../../../src/store/sign-up-tables.ts'
import { createKey } from '../../keys.ts'
import { localWorker } from '../local-worker.ts'
import { ageForm, inspect, inspectFamiliar, launchBrowser, signInToDemo } from './browser.ts'

const worker = await localWorker()
const { organisationId, env } = worker
const at = (path: string) => new URL(path, `http://localhost:${worker.url.port}`).href

let browser: Browser

beforeAll(async () => {
  browser = await launchBrowser()
  const field = (id: string, type: 'text' | 'multipleSelect' | 'email', order: number) => ({
    id,
    name: id,
    label: id,
    type,
    order,
    ...(type === 'multipleSelect' && {
      options: ['Tea', 'Cake'].map((value) => ({ value, label: value })),
    }),
  })
  const fields = [field('Full Name', 'text', 0), field('Likes', 'multipleSelect', 1)]
  await putSchemas(env.DB, organisationId, { members: { name: 'Members', fields } })
  const settings = {
    privacyNotice: 'https://charity.test/privacy',
    colour: '#5b2a6e',
    hasExitLink: true,
  }
  await drizzle(env.DB)
    .insert(publicPages)
    .values({ organisationId, enabled: 1, settings: JSON.stringify(settings) })
})

afterAll(() => browser?.close())

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

/** Adds a question on the form's page. */
async function addQuestion(page: Page, title: string, type: string, options = '', field?: string) {
  await page.getByRole('link', { name: 'Add question to Section 1' }).click()
  await page.getByLabel('Question', { exact: true }).fill(title)
  await page.getByLabel('Type').selectOption({ label: type })
  if (field) await page.getByLabel('Field that the answer fills').selectOption({ label: field })
  await page.getByLabel('Options').fill(options)
  await press(page, 'Save')
}

test('an administrator builds a form, and a stranger answers it and becomes a member', async () => {
  const { key } = await createKey(env, organisationId, 'forms', 'a test')
  const desk = await browser.newPage()
  await signInToDemo(desk, at('/dashboard'))
  await desk.goto(at(`/dashboard/${organisationId}/forms`))
  await desk.getByRole('link', { name: 'New form' }).click()
  await inspectFamiliar(desk, 'form-settings')
  await desk.getByLabel('Name', { exact: true }).fill('About you')
  await desk.getByLabel('Introduction').fill('Two pages.')
  await desk.getByLabel(/^Anyone with the address/).check()
  await desk.getByLabel(/^They fill the fields/).check()
  await desk.getByLabel(/^The numbers of the chosen/).check()
  await desk.getByLabel(/^Begin with a cover/).check()
  await desk.getByLabel(/^Answers fill/).selectOption('Members')
  await desk.getByLabel(/^Message after/).fill('See you on Friday.')
  await press(desk, 'Save')
  await addQuestion(desk, 'Your name', 'Short text', '', 'Full Name')
  await addQuestion(desk, 'What do you like?', 'Several options', '', 'Likes')
  await addQuestion(desk, 'How was it?', 'Scale', '1 | Bad\n2 | Good')
  await addQuestion(desk, 'Put these in order', 'Ranking', 'Art\nMusic\nSport')
  await addQuestion(desk, 'What do you bring?', 'Table, with the options as columns', 'Thing\nUse')
  await addQuestion(desk, 'When were you here first?', 'Date')
  await desk.getByLabel('Actions for How was it?').click()
  await desk.locator('.menu[open]').getByRole('button', { name: 'Move up' }).click()
  await inspect(desk, 'form')
  await desk.getByRole('link', { name: 'Your name' }).click()
  await desk.getByLabel('People must answer this question').check()
  await inspectFamiliar(desk, 'form-question')
  await press(desk, 'Save')
  await desk.getByRole('link', { name: 'Send to people' }).click()
  await inspectFamiliar(desk, 'form-links')
  await desk.goBack()
  const address = await desk.getByRole('link', { name: /\/o\// }).innerText()
  await desk.goto(at(`/dashboard/${organisationId}/forms`))
  await inspectFamiliar(desk, 'forms')

  const phone = await browser.newPage({
    viewport: { width: 390, height: 844 },
  })
  const errors: string[] = []
  phone.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  const formAddress = address.replace(/^https?:\/\/[^/]+/, at('/').slice(0, -1))
  await phone.goto(formAddress)
  await inspect(phone, 'public-form-cover')
  await press(phone, 'Start')
  await press(phone, 'Continue')
  await phone.getByRole('link', { name: '“Your name” needs an answer.' }).waitFor()
  await inspect(phone, 'public-form-error')
  expect(errors.splice(0)).toEqual([expect.stringContaining('400')])
  await phone.getByRole('link', { name: '“Your name” needs an answer.' }).click()
  await phone.keyboard.type('Ada Abara')
  await phone.getByLabel('Tea').check()
  await phone.getByLabel('Good').check()
  await phone.getByLabel('Music').fill('1')
  await phone.getByLabel('Thing').first().fill('Flour')
  await phone.getByLabel('Day').fill('7')
  await phone.getByLabel('Month').fill('3')
  await phone.getByLabel('Year').fill('2025')
  await press(phone, 'Continue')
  await inspectFamiliar(phone, 'public-form-check')
  expect(await phone.locator('dl').innerText()).toContain('Friday 7 March 2025')
  await ageForm(phone)
  await press(phone, 'Send')
  await phone.getByText('See you on Friday.').waitFor()
  await inspectFamiliar(phone, 'public-form-sent')
  await leaveForm(phone, formAddress)
  expect(errors).toEqual([])

  const get = async <Body>(path: string): Promise<Body> =>
    (await fetch(at(`/api/v1${path}`), { headers: { 'x-api-key': key } })).json() as Promise<Body>
  const { members } = await get<{ members: { memberId: string; fields: { value: unknown }[] }[] }>(
    '/members',
  )
  const [member] = members
  expect(member?.fields.map(({ value }) => value)).toEqual(['Ada Abara', ['Tea']])
  expect(await get('/survey-responses')).toMatchObject({
    total: 1,
    surveyResponses: [{ surveyScore: 2, linkedEntities: { memberIds: [member?.memberId] } }],
  })
})

/** Leaves a form by its link and by Shift: its page is not in the history of the tab. */
async function leaveForm(page: Page, form: string) {
  // Tests load nothing from other websites, to which the exit leads.
  await page.route('**/exit', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>Weather</title>' }),
  )
  const leaveBy = async (leave: () => Promise<void>) => {
    await page.goto(at('/'))
    await page.goto(form)
    await leave()
    await page.waitForURL('**/exit')
    await page.goBack()
    expect(page.url()).toBe(at('/'))
  }
  await leaveBy(() => page.getByRole('link', { name: 'Exit this page quickly' }).click())
  await leaveBy(async () => {
    await page.getByText('or press Shift three times').waitFor()
    for (let presses = 0; presses < 2; presses++) await page.keyboard.press('Shift')
    // A capital letter is not a press of Shift alone.
    await page.keyboard.press('Shift+A')
    await page.keyboard.press('Shift')
    expect(page.url()).toBe(form)
    for (let presses = 0; presses < 2; presses++) await page.keyboard.press('Shift')
  })
}
