import { expect, test } from 'vitest'
import { putEverything } from '../examples/everything.ts'
import { findEngineerWords } from './officer-words.ts'
import { newSignedIn, unescaped } from './signed-in.ts'

/** The pages that only engineers open. */
const forEngineers = /^\/settings\/(webhooks|usage)/

/** The text of a page, its labels included, without the parts for engineers. */
async function readText(page: Response): Promise<{ text: string; links: string[] }> {
  const texts: string[] = []
  const links: string[] = []
  const shown = new HTMLRewriter()
    .on('[data-for=engineers], script, style', { element: (element) => void element.remove() })
    .transform(page)
  await new HTMLRewriter()
    .on('[aria-label], [placeholder], [title]', {
      element(element) {
        for (const name of ['aria-label', 'placeholder', 'title'])
          texts.push(element.getAttribute(name) ?? '')
      },
    })
    .on('a[href]', { element: (link) => void links.push(link.getAttribute('href') ?? '') })
    .onDocument({ text: ({ text }) => void texts.push(text) })
    .transform(shown)
    .text()
  return { text: unescaped(texts.join(' ')), links }
}

test('pages for officers have no words of engineers', async () => {
  const person = await newSignedIn()
  await putEverything(person)
  const base = `/dashboard/${person.id}`
  const waiting = [
    '/records/members',
    ...['members', 'bookings'].map((it) => `/records/${it}?$panel=filter`),
  ]
  const visited = new Set<string>()
  const found: string[] = []
  while (waiting.length > 0) {
    const path = waiting.shift() ?? ''
    const [route = ''] = path.split('?')
    const page = await person.visit(path)
    if (!page.headers.get('Content-Type')?.includes('text/html')) continue
    const { text, links } = await readText(page)
    if (!forEngineers.test(path))
      found.push(...findEngineerWords(text).map((words) => `${path}: ${words}`))
    for (const href of links) {
      const url = new URL(unescaped(href), `https://data.test${base}${route}`)
      const next = url.pathname.slice(base.length)
      // Each page once, with the links of the first of several records.
      if (!url.pathname.startsWith(`${base}/`) || visited.has(next) || visited.size > 300) continue
      visited.add(next)
      waiting.push(next + url.search)
    }
  }
  expect(visited.size).toBeGreaterThan(100)
  expect(found).toEqual([])
})
