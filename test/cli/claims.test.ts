import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

/* Documents claim that the service does something and name the tests of it, with their titles where one is meant. */

const documents = ['SECURITY.md', 'docs/asvs.md', 'docs/dpia.md']

const read = (path: string) => readFileSync(path, 'utf8')

/** The files of tests in a text, each with the beginning of a title if one follows in quotation marks. */
const testsIn = (text: string) =>
  [...text.matchAll(/`(test\/[\w./-]+\.ts)`(?: "([^"]+)")?/g)].map(([, file = '', title]) => ({
    file,
    title,
  }))

function isTest({ file, title }: ReturnType<typeof testsIn>[number]): boolean {
  if (!existsSync(file)) return false
  const quoted = (quote: string) => read(file).includes(`${quote}${title}`)
  return title === undefined || ["'", '"', '`'].some(quoted)
}

/** The tables of a document: the headings and the cells of the rows. */
const tablesOf = (document: string) =>
  [...read(document).matchAll(/^\|.*\|\n\|[-|]+\|\n((?:\|.*\|\n)+)/gm)].map(([table]) => {
    const [headings = [], , ...rows] = table
      .trimEnd()
      .split('\n')
      .map((line) => line.slice(2, -2).split(' | '))
    return { headings, rows }
  })

test.each(documents)('every test that %s names exists', (document) => {
  const tests = testsIn(read(document))
  expect(tests).not.toHaveLength(0)
  expect(tests.filter((it) => !isTest(it))).toEqual([])
})

test.each(documents)('every row of %s under "Tests" names one', (document) => {
  const tables = tablesOf(document).filter(({ headings }) => headings.at(-1) === 'Tests')
  const rows = tables.flatMap((table) => table.rows)
  expect(rows.filter((cells) => testsIn(cells.at(-1) ?? '').length === 0)).toEqual([])
})

describe('docs/asvs.md', () => {
  const requirements = tablesOf('docs/asvs.md')
    .filter(({ headings }) => headings[0] === 'Requirement')
    .flatMap(({ rows }) => rows)
    .map(([requirement = '', result = '', evidence = '']) => ({ requirement, result, evidence }))
  const published = read('test/cli/fixtures/asvs-5.0.0.csv')
    .trimEnd()
    .split('\n')
    .slice(3)
    .map((line) => line.replace(/,.*/, ''))

  /** The ids at the beginning of a row: one, or all from one to another. */
  function idsOf(requirement: string): string[] {
    const [, first = '', last = first] = /^([\d.]+)(?:–([\d.]+))? /.exec(requirement) ?? []
    const [from, to] = [published.indexOf(first), published.indexOf(last)]
    return from < 0 || to < from ? [`not published: ${requirement}`] : published.slice(from, to + 1)
  }

  test('has every requirement of levels 1 and 2 once', () => {
    expect(published).toHaveLength(253)
    expect(requirements.flatMap(({ requirement }) => idsOf(requirement))).toEqual(published)
  })

  test.each([
    ['Tested', (evidence: string) => testsIn(evidence).some(({ title }) => title !== undefined)],
    ['Documented', (evidence: string) => /\]\([^)]+\)/.test(evidence)],
    ['Not used', (evidence: string) => evidence.length > 10],
    ['Platform', (evidence: string) => evidence.length > 20],
    ['Operator', (evidence: string) => /\]\([^)]+\)/.test(evidence)],
    ['Otherwise', (evidence: string) => evidence.length > 60],
  ])('gives the evidence for "%s"', (name, hasEvidence) => {
    const rows = requirements.filter(({ result }) => result === name)
    expect(rows).not.toHaveLength(0)
    expect(rows.filter(({ evidence }) => !hasEvidence(evidence))).toEqual([])
  })

  test('has no other results', () => {
    const results = new Set(requirements.map(({ result }) => result))
    const known = ['Tested', 'Documented', 'Not used', 'Platform', 'Operator', 'Otherwise']
    expect([...results].filter((result) => !known.includes(result))).toEqual([])
  })
})

describe('docs/dpia.md', () => {
  test('has the seven steps in their order', () => {
    const steps = [...read('docs/dpia.md').matchAll(/^## Step (\d):/gm)].map(([, step]) => step)
    expect(steps).toEqual(['1', '2', '3', '4', '5', '6', '7'])
  })

  test('has measures for every risk, and leaves to the adopter what only they know', () => {
    const tables = tablesOf('docs/dpia.md')
    const [risks = [], measures = []] = tables
      .filter(({ headings }) => headings[0] === 'Risk')
      .map(({ rows }) => rows.map(([risk = '']) => risk.replace(/ .*/, '')))
    expect(risks).not.toHaveLength(0)
    expect(measures).toEqual(risks)
    const cells = tables.flatMap(({ headings, rows }) =>
      rows.map((row) => row[headings.findIndex((heading) => /^(You|Name)/.test(heading))]),
    )
    expect(cells.filter((cell) => !cell?.startsWith('**You:**'))).toEqual([])
  })
})
