import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const page = readFileSync('SECURITY.md', 'utf8')
const risks = [...page.matchAll(/^\| (API\d+:2023) .*? \| .*? \| (.*) \|$/gm)].map(
  ([, risk = '', tests = '']) => [risk, tests] as const,
)

test('every one of the ten risks is there', () => {
  const ten = Array.from({ length: 10 }, (_, place) => `API${place + 1}:2023`)
  expect(risks.map(([risk]) => risk)).toEqual(ten)
})

test.each(risks)('every test named against %s is there', (_, tests) => {
  const files = tests.split('; ')
  for (const named of files) {
    const [, file = '', titles = ''] = /^`(.*?)`: (“.*”)$/.exec(named) ?? []
    expect([named, existsSync(file)]).toEqual([named, true])
    const source = readFileSync(file, 'utf8')
    for (const title of titles.slice(1, -1).split('”, “')) {
      const written = [`'${title}'`, `"${title}"`]
      expect([title, written.some((text) => source.includes(`${text},`))]).toEqual([title, true])
    }
  }
})

test('every heading that the page links to is there', () => {
  const links = [...page.matchAll(/\]\((docs\/[\w./-]+)#([\w-]+)\)/g)]
  expect(links.length).toBeGreaterThan(0)
  for (const [, file = '', anchor] of links) {
    const headings = [...readFileSync(file, 'utf8').matchAll(/^#+ (.*)$/gm)].map(
      ([, heading = '']) =>
        heading
          .toLowerCase()
          .replace(/[^\w\s-]/g, '')
          .replaceAll(' ', '-'),
    )
    expect(headings).toContain(anchor)
  }
})
