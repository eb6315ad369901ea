import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { localJwks } from '../../cli/state/local-tokens.ts'
import { createKey } from '../../src/auth/key-acts.ts'
import { putRecords } from '../../src/store/put.ts'
import { launchBrowser } from './dashboard/browser.ts'
import { startLocalWorker } from './local-worker.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = await temporaryFolder()

let worker: Awaited<ReturnType<typeof startLocalWorker>>
let browser: Browser

beforeAll(async () => {
  worker = await startLocalWorker(await localJwks(folder))
  browser = await launchBrowser()
})

afterAll(async () => {
  await browser?.close()
  await worker?.close()
})

test('a request sent from the API reference with a key is answered, and nothing comes from elsewhere', async () => {
  const { env, organisationId, url } = worker
  const { key } = await createKey(env, organisationId, 'docs', 'a test')
  const fund = { fundId: 'fund-of-the-test', managedBy: organisationId, name: 'Warm Rooms' }
  await putRecords(env.DB, organisationId, 'funds', [
    { id: fund.fundId, document: JSON.stringify(fund) },
  ])
  const origin = `http://localhost:${url.port}`
  const page = await browser.newPage()
  const faults: string[] = []
  page.setDefaultTimeout(15_000)
  page.on('request', (request) => {
    const from = request.url()
    if (!from.startsWith(origin) && !from.startsWith('data:')) faults.push(from)
  })
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
  page.on('pageerror', (error) => faults.push(error.message))

  const answer = await page.goto(`${origin}/docs`)
  const policy = answer?.headers()['content-security-policy']
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("script-src 'self';")
  expect(policy).not.toContain('unsafe')

  await page.getByRole('button', { name: 'Authorize' }).first().click()
  const dialogue = page.locator('.modal-ux')
  await dialogue.locator('input').first().fill(key)
  await dialogue.getByRole('button', { name: 'Apply credentials' }).first().click()
  await dialogue.getByRole('button', { name: 'Close' }).first().click()

  const operation = page.locator('#operations-funds-getFunds')
  await operation.locator('.opblock-summary-control').click()
  await operation.getByRole('button', { name: 'Try it out' }).click()
  await operation.getByRole('button', { name: 'Execute' }).click()
  const live = operation.locator('.live-responses-table')
  await live.getByText('Warm Rooms').waitFor()
  expect(await live.locator('.response-col_status').last().textContent()).toContain('200')
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([])
  await page.screenshot({ path: 'test/screenshots/docs.png' })
  expect(faults).toEqual([])
})
