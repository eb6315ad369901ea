import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import bundled from '@sparticuz/chromium'
import type axe from 'axe-core'
import { type Browser, chromium, type Page } from 'playwright-core'
import { expect } from 'vitest'
import { findEngineerWords } from '../../dashboard/officer-words.ts'

const screenshots = 'test/screenshots'
const unpacked = resolve('node_modules/.cache/chromium')

/** Starts Chromium from npm on Linux x64, otherwise the installed Chrome. */
export async function launchBrowser(others: readonly string[] = []): Promise<Browser> {
  if (process.platform === 'linux' && process.arch === 'x64') {
    return chromium.launch({
      executablePath: await bundledChromium(),
      // Containers have no user namespaces for a sandbox and little shared memory. Drawing in the browser's process is faster without a GPU.
      args: [
        ...['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--in-process-gpu'],
        // No process is started ahead of the page that needs it.
        '--renderer-process-limit=1',
        ...others,
      ],
    })
  }
  try {
    return await chromium.launch({ channel: 'chrome', args: [...others] })
  } catch (cause) {
    const message = 'The dashboard is tested in a browser: install Google Chrome on this machine.'
    throw new Error(message, { cause })
  }
}

// The package unpacks into the temporary folder and trusts existing files there, even from an
// interrupted run. So it unpacks into a new folder, which is renamed when complete.
async function bundledChromium(): Promise<string> {
  const { TMPDIR } = process.env
  try {
    if (!existsSync(unpacked)) {
      await mkdir(dirname(unpacked), { recursive: true })
      const folder = await mkdtemp(`${unpacked}-`)
      process.env.TMPDIR = folder
      await bundled.executablePath()
      await rename(folder, unpacked).catch(async (error) => {
        // Another process was faster.
        if (!existsSync(unpacked)) throw error
        await rm(folder, { recursive: true })
      })
    }
    process.env.TMPDIR = unpacked
    return await bundled.executablePath()
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = TMPDIR
  }
}

const axeSource = await readFile(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
)

const findBarriers = await readFile('test/cli/dashboard/find-barriers.js', 'utf8')

/** Whether to save a screenshot of every page: `npm run screenshots`. */
const savesScreenshots = process.env.MODE === 'screenshots'

/** Whether to inspect pages that consist of the parts of others too: in `npm run test:long`, and for screenshots. */
export const inspectsAll = savesScreenshots || process.env.MODE === 'long'

/** The smallest phone, which a wide screen at a zoom of 400 % resembles; screenshots show a common one. */
const phone = savesScreenshots ? { width: 390, height: 844 } : { width: 320, height: 640 }

const looks = [
  { name: 'phone-light', ...phone, colorScheme: 'light' },
  { name: 'wide-dark', width: 1280, height: 860, colorScheme: 'dark' },
] as const
const otherLooks = [
  { name: 'phone-dark', ...phone, colorScheme: 'dark' },
  { name: 'wide-light', width: 1280, height: 860, colorScheme: 'light' },
] as const

/** The looks to test: all of them when saving screenshots. */
const testedLooks = savesScreenshots ? [...looks, ...otherLooks] : looks

/** The axe rules that depend on the look. The others run once. */
const rulesByLook = ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable']

type Look = (typeof looks | typeof otherLooks)[number]

/** Checks that a page does not scroll sideways on a phone in light mode or a wide screen in dark mode. */
export async function inEachLook(
  page: Page,
  name: string,
  check: (look: Look) => Promise<void>,
): Promise<void> {
  const viewport = page.viewportSize()
  // A click resolves before the page that it opens has loaded.
  await page.waitForLoadState()
  for (const look of testedLooks) {
    const { width, height, colorScheme } = look
    await page.setViewportSize({ width, height })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    if (savesScreenshots) {
      await mkdir(screenshots, { recursive: true })
      await page.screenshot({ path: join(screenshots, `${name}-${look.name}.png`), fullPage: true })
    }
    // Until a frame is drawn, the size may be that of the previous look or of the unstyled page.
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))')
    const contentWidth = await page.evaluate<number>('document.documentElement.scrollWidth')
    expect([name, look.name, contentWidth]).toEqual([name, look.name, width])
    await check(look)
  }
  if (viewport) await page.setViewportSize(viewport)
}

/** Checks that a page has no words of engineers, has barriers in no look and passes axe, in `npm run test:slow` in the first look alone. */
export async function inspect(page: Page, name: string): Promise<void> {
  await expectPlainWords(page, name)
  await inEachLook(page, name, async (look) => {
    await expectNoBarriers(page, name, look.name)
    if (look === looks[0] || inspectsAll) await expectNoViolations(page, name, look)
  })
}

/** Checks the words of a page whose parts other pages have, on which tests inspect them. In `npm run test:long` it is inspected too. */
export const inspectFamiliar = (page: Page, name: string): Promise<void> =>
  inspectsAll ? inspect(page, name) : expectPlainWords(page, name)

/** Reads the page's text without the parts for engineers, and what is folded away too. */
async function expectPlainWords(page: Page, name: string): Promise<void> {
  await page.waitForLoadState()
  if (!/^\/dashboard\/[^/]+\/(?!settings\/(?:webhooks|usage))/.test(new URL(page.url()).pathname))
    return
  const text = await page.evaluate<string>(`{
    const body = document.body.cloneNode(true)
    for (const part of body.querySelectorAll('[data-for=engineers], script, style')) part.remove()
    body.textContent
  }`)
  expect([name, ...findEngineerWords(text)]).toEqual([name])
}

/** Checks in each look that a page has no barriers and passes axe. */
export const inspectEachLook = (page: Page, name: string): Promise<void> =>
  inEachLook(page, name, async (look) => {
    await expectNoBarriers(page, name, look.name)
    await expectNoViolations(page, name, look)
  })

/** Checks that a page has no barriers that axe does not see. */
export async function expectNoBarriers(page: Page, name: string, look: string): Promise<void> {
  const barriers = await page.evaluate<string[]>(findBarriers)
  expect([name, look, ...barriers]).toEqual([name, look])
}

async function expectNoViolations(page: Page, name: string, look: Look): Promise<void> {
  const rules = look === looks[0] ? [] : [...rulesByLook]
  if (look === looks[0]) await page.evaluate(axeSource)
  const violations = await page.evaluate(async (rules) => {
    const { axe: checker } = globalThis as unknown as { axe: typeof axe }
    const { violations, incomplete } = await checker.run({
      // Describing the elements that pass takes longer than checking them.
      resultTypes: ['violations', 'incomplete'],
      ...(rules.length > 0 && { runOnly: { type: 'rule', values: rules } }),
    })
    // axe does not report text in the colour of its background as a violation.
    const invisibleTexts = incomplete.filter(({ nodes }) =>
      nodes.some(({ any }) => any.some(({ data }) => data?.messageKey === 'equalRatio')),
    )
    return [...violations, ...invisibleTexts].map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`,
    )
  }, rules)
  expect([name, look.name, ...violations]).toEqual([name, look.name])
}

/** Lets a public form seem to have been open for a while: a form sent at once is refused. */
export const ageForm = (page: Page) =>
  page.evaluate(
    "document.querySelector('[name=started]').value = (Date.now() - 60_000).toString(36)",
  )

/** Signs in to the demo, and waits for the page that follows: a click resolves before it has loaded. */
export async function signInToDemo(page: Page, dashboard: string): Promise<void> {
  await page.goto(dashboard)
  await page.getByRole('button', { name: 'Sign in as the demo administrator' }).click()
  await page.waitForURL((url) => !url.pathname.startsWith('/dashboard/sign-in'))
}
