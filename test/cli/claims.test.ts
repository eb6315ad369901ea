import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

/* Documents claim that the service does something and name the tests of it, with their titles where one is meant. */

const documents = ['SECURITY.md', 'docs/asvs.md', 'docs/dpia.md', 'docs/accessibility.md']

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

/** The rows of a document about a standard: what the standard asks, the result, and a test or reason. */
const claimsOf = (document: string) =>
  tablesOf(document)
    .filter(({ headings }) => headings.at(-1) === 'Test or reason')
    .flatMap(({ rows }) => rows)
    .map(([requirement = '', result = '', evidence = '']) => ({ requirement, result, evidence }))

const hasLink = (evidence: string) => /\]\([^)]+\)/.test(evidence)

/** The evidence that a result needs. */
const evidenceRules: Readonly<Record<string, (evidence: string) => boolean>> = {
  Tested: (evidence) => testsIn(evidence).some(({ title }) => title !== undefined),
  Documented: hasLink,
  'Not used': (evidence) => evidence.length > 10,
  Platform: (evidence) => evidence.length > 20,
  Operator: hasLink,
  Organisation: (evidence) => evidence.length > 20,
  Otherwise: (evidence) => evidence.length > 60,
}

test.each(['docs/asvs.md', 'docs/accessibility.md'])(
  'every row of %s has a known result with its evidence',
  (document) => {
    const claims = claimsOf(document)
    expect(claims).not.toHaveLength(0)
    expect(
      claims.filter(({ result, evidence }) => !(evidenceRules[result]?.(evidence) ?? false)),
    ).toEqual([])
  },
)

test('docs/asvs.md has every requirement of levels 1 and 2 once', () => {
  const published = read('test/cli/fixtures/asvs-5.0.0.csv')
    .trimEnd()
    .split('\n')
    .slice(3)
    .map((line) => line.replace(/,.*/, ''))
  expect(published).toHaveLength(253)
  /** The ids at the beginning of a row: one, or all from one to another. */
  function idsOf(requirement: string): string[] {
    const [, first = '', last = first] = /^([\d.]+)(?:–([\d.]+))? /.exec(requirement) ?? []
    const [from, to] = [published.indexOf(first), published.indexOf(last)]
    return from < 0 || to < from ? [`not published: ${requirement}`] : published.slice(from, to + 1)
  }
  expect(claimsOf('docs/asvs.md').flatMap(({ requirement }) => idsOf(requirement))).toEqual(
    published,
  )
})

/** The criteria of levels A and AA of WCAG 2.2 by guideline. */
const criteria: Readonly<Record<string, readonly number[]>> = {
  '1.1': [1],
  '1.2': [1, 2, 3, 4, 5],
  '1.3': [1, 2, 3, 4, 5],
  '1.4': [1, 2, 3, 4, 5, 10, 11, 12, 13],
  '2.1': [1, 2, 4],
  '2.2': [1, 2],
  '2.3': [1],
  '2.4': [1, 2, 3, 4, 5, 6, 7, 11],
  '2.5': [1, 2, 3, 4, 7, 8],
  '3.1': [1, 2],
  '3.2': [1, 2, 3, 4, 6],
  '3.3': [1, 2, 3, 4, 7, 8],
  '4.1': [2, 3],
}

test('docs/accessibility.md has every criterion of levels A and AA once', () => {
  const ids = claimsOf('docs/accessibility.md').map(({ requirement }) => requirement.split(' ')[0])
  expect(ids).toEqual(
    Object.entries(criteria).flatMap(([guideline, numbers]) =>
      numbers.map((number) => `${guideline}.${number}`),
    ),
  )
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
