import { dirname } from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadDirectory } from '../../../cli/geography/load.ts'
import { readLocalJwks } from '../../../cli/state/local-tokens.ts'
import { startLocalWorker } from '../local-worker.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { launchBrowser, signInToDemo } from './browser.ts'
import { putDemo } from './demo.ts'

const directory = 'demo/postcodes/ONSPD_NOV_2025_UK.csv'

const sizes = [
  { width: 390, height: 844 },
  { width: 1280, height: 860 },
]

/** A job in progress: the page where the person is after signing in to the demo, and its tools. */
type Job = {
  page: Page
  width: number
  /** The organisation's path on the dashboard. */
  home: string
  /** Clicks and counts. Typing, choosing in a native select and choosing a file are not clicks. */
  click(target: Locator): Promise<void>
  /** Calls the API with every permission and returns the JSON of its answer. */
  api(path: string, method?: string, body?: object): Promise<unknown>
}

/** Starts the demo and returns `job`, which tests a job on a phone and on a wide screen. */
export async function startJobs() {
  const folder = await temporaryFolder()
  let worker: Awaited<ReturnType<typeof startLocalWorker>>
  let browser: Browser
  let key: string

  beforeAll(async () => {
    worker = await startLocalWorker(await readLocalJwks(folder))
    browser = await launchBrowser()
    const { GEOGRAPHY } = worker.env
    await loadDirectory(GEOGRAPHY, directory, { names: dirname(directory), minRows: 1 })
    key = await putDemo(worker)
  })

  afterAll(async () => {
    await browser?.close()
    await worker?.close()
  })

  const at = (path: string) => new URL(path, `http://localhost:${worker.url.port}`).href

  async function api(path: string, method = 'GET', body?: object): Promise<unknown> {
    const answer = await fetch(at(`/api/v1/${path}`), {
      method,
      headers: { 'x-api-key': key, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    return answer.status === 204 ? undefined : answer.json()
  }

  async function runJob(size: (typeof sizes)[number], run: (job: Job) => Promise<void>) {
    const context = await browser.newContext({ viewport: size })
    const page = await context.newPage()
    page.setDefaultTimeout(20_000)
    const errors: string[] = []
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
    page.on('pageerror', (error) => errors.push(error.message))
    let clicks = 0
    try {
      await signInToDemo(page, at('/dashboard'))
      await run({
        page,
        api,
        width: size.width,
        home: at(`/dashboard/${worker.organisationId}`),
        async click(target) {
          clicks++
          await target.click()
        },
      })
    } finally {
      await context.close()
    }
    expect(errors).toEqual([])
    return clicks
  }

  /** Tests that a person completes a job within `maxClicks` on a phone and on a wide screen. The second run starts with the records of the first. */
  function job(name: string, maxClicks: number, run: (job: Job) => Promise<void>) {
    test.each(sizes)(`${name}, at $width px`, async (size) => {
      expect(await runJob(size, run)).toBeLessThanOrEqual(maxClicks)
    })
  }

  return job
}
