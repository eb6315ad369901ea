import { dirname } from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readServingEdition } from '../../../cli/geography/edition.ts'
import { loadDirectory } from '../../../cli/geography/load.ts'
import { localWorker } from '../local-worker.ts'
import { launchBrowser, signInToDemo } from './browser.ts'
import { putDemo } from './demo.ts'

const directory = 'demo/postcodes/ONSPD_NOV_2025_UK.csv'

const sizes = [
  { width: 390, height: 844 },
  { width: 1280, height: 860 },
]

/** The sizes for a job: a phone and a wide screen in turn, and both in `npm run test:long`. */
const sizesOf = (job: number) =>
  process.env.MODE === 'long' ? sizes : sizes.slice(job % 2, (job % 2) + 1)

/** A job in progress: the first page of a signed-in person, and its tools. */
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

/** Loads the demo and returns `job`, which tests a job on a phone or on a wide screen. */
export async function startJobs() {
  const worker = await localWorker()
  let browser: Browser
  let key: string
  /** A signed-in page per width. Its jobs share the browser's process and cache. */
  const pages = new Map<number, Page>()
  const errors: string[] = []

  beforeAll(async () => {
    browser = await launchBrowser()
    const { GEOGRAPHY } = worker.env
    if (!(await readServingEdition(GEOGRAPHY)))
      await loadDirectory(GEOGRAPHY, directory, { names: dirname(directory), minRows: 1 })
    key = await putDemo(worker)
    for (const viewport of sizes) {
      const page = await browser.newPage({ viewport })
      pages.set(viewport.width, page)
      page.setDefaultTimeout(20_000)
      page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
      page.on('pageerror', (error) => errors.push(error.message))
      await signInToDemo(page, at('/dashboard'))
    }
  })

  afterAll(() => browser?.close())

  const at = (path: string) => new URL(path, `http://localhost:${worker.url.port}`).href
  const home = at(`/dashboard/${worker.organisationId}`)

  async function api(path: string, method = 'GET', body?: object): Promise<unknown> {
    const answer = await fetch(at(`/api/v1/${path}`), {
      method,
      headers: { 'x-api-key': key, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    return answer.status === 204 ? undefined : answer.json()
  }

  async function runJob(width: number, run: (job: Job) => Promise<void>) {
    const page = pages.get(width)
    if (!page) throw new RangeError(`No page is ${width} px wide.`)
    let clicks = 0
    errors.length = 0
    await page.goto(home)
    await run({
      page,
      api,
      width,
      home,
      async click(target) {
        clicks++
        await target.click()
      },
    })
    expect(errors).toEqual([])
    return clicks
  }

  let jobs = 0

  /** Tests that a person completes a job within `maxClicks`. Where a job runs twice, the second run starts with the records of the first. */
  function job(name: string, maxClicks: number, run: (job: Job) => Promise<void>) {
    test.each(sizesOf(jobs++))(`${name}, at $width px`, async ({ width }) => {
      expect(await runJob(width, run)).toBeLessThanOrEqual(maxClicks)
    })
  }

  return job
}
