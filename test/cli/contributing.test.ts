import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { copyFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { adminProgram } from '../../cli/commands/program.ts'
import { listEnvironments } from '../../cli/deployment/environment.ts'
import { deployProgram } from '../../cli/deployment/program.ts'
import { resources } from '../../src/resources/resources.ts'
import { temporaryFolder } from './temporary-folder.ts'

const segments = Object.keys(resources)
const apiPage = readFileSync('docs/api.md', 'utf8')

test('the files of resources are the segments of the API', () => {
  const files = readdirSync('src/resources')
    .map((name) => name.replace('.ts', ''))
    .filter((name) => !['resources', 'collections', 'routes', 'summary'].includes(name))
    // The responses of a segment that is no collection have a file beside it, which only OpenAPI loads.
    .filter(
      (name) => !['change', 'me', 'schema', 'webhook'].some((it) => name === `${it}-responses`),
    )
  expect(files.toSorted()).toEqual(segments.toSorted())
})

test.each(segments)('%s is tested and documented', (segment) => {
  const tests = readdirSync('test/resources').join(' ')
  expect(tests).toContain(segment)
  expect(apiPage).toContain(`| \`/${segment}`)
})

test.each([
  'test/store/budgets.test.ts',
  'bench/load/expected-responses.ts',
  'bench/load/lists.ts',
])('%s has every collection', (path) => {
  const source = readFileSync(path, 'utf8')
  for (const segment of segments.filter(
    (segment) => !['schemas', 'changes', 'me', 'webhooks'].includes(segment),
  )) {
    expect(source).toMatch(RegExp(`[ ']${segment}[':]`))
  }
})

test('an older Node than the packages want makes no noise that looks like a failure', async () => {
  const folder = await temporaryFolder()
  const { npm_config_loglevel, ...env } = process.env
  const install = () =>
    spawnSync('npm', ['install', '--dry-run'], { cwd: folder, env, encoding: 'utf8' }).stderr
  await writeFile(join(folder, 'package.json'), '{"engines":{"node":">=99"}}')
  expect(install()).toContain('EBADENGINE')
  await copyFile('.npmrc', join(folder, '.npmrc'))
  expect(install()).toBe('')
})

const pages = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md'],
  ...readdirSync('docs')
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]

test.each(pages)('%s names existing files and scripts', (page) => {
  const text = readFileSync(page, 'utf8')
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
  const paths = text.matchAll(
    /`((?:src|test|cli|bench|docs|examples|migrations|\.github)\/[\w./-]*)`/g,
  )
  for (const [, path = ''] of paths) expect([path, existsSync(path)]).toEqual([path, true])
  for (const [, script = ''] of text.matchAll(/npm run ([\w:]+)/g)) {
    expect(Object.keys(scripts)).toContain(script)
  }
})

/** Replaces the work of a program's commands, so that parsing a line runs nothing and throws its errors. */
function parseOnly(command: Command): Command {
  command.exitOverride().configureOutput({ writeErr: () => {} })
  if (command.commands.length === 0) command.action(() => {})
  command.commands.forEach(parseOnly)
  return command
}

/** The commands of the operator on a page, in blocks and in sentences, as arguments. */
const commandLines = (page: string) =>
  [
    ...readFileSync(page, 'utf8').matchAll(/npm run (admin|deploy) -- ((?:(?! [>|] )[^`#\n])+)/g),
  ].map(([line, name, args = '']) => ({
    line,
    program: name === 'admin' ? adminProgram : deployProgram,
    args: [...args.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
      ([, single, double, plain]) => single ?? double ?? plain ?? '',
    ),
  }))

test('operating.md has commands of both programs, for existing environments', () => {
  const shown = commandLines('docs/operating.md')
  expect(new Set(shown.map(({ program }) => program))).toEqual(
    new Set([adminProgram, deployProgram]),
  )
  // The page adds the environment "training".
  const names = shown.flatMap(({ line }) => /--env (\S+)/.exec(line)?.[1] ?? [])
  expect(new Set(names)).toEqual(new Set([...listEnvironments(), 'training']))
})

test.each(pages)('the programs accept every command of %s', async (page) => {
  for (const { line, program, args } of commandLines(page)) {
    const parsed = parseOnly(program()).parseAsync(args, { from: 'user' })
    await expect(parsed, line).resolves.toBeDefined()
  }
})

/** The anchors of a page's headings, as GitHub makes them. */
const anchorsOf = (page: string) =>
  [...readFileSync(page, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  )

test.each(pages)('every link of %s leads to a file and a heading', (page) => {
  const links = readFileSync(page, 'utf8').matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([\w-]+))?\)/g)
  for (const [link, file = '', anchor] of links) {
    const target = file ? join(dirname(page), file) : page
    expect([link, existsSync(target)]).toEqual([link, true])
    if (anchor) expect([link, anchorsOf(target)]).toEqual([link, expect.arrayContaining([anchor])])
  }
})

test("the README's figures of performance are in the results of the bench", () => {
  const [, section = ''] =
    /## Performance\n(.*?)\n## /s.exec(readFileSync('README.md', 'utf8')) ?? []
  const results = readFileSync('bench/RESULTS.md', 'utf8')
  expect(section).toContain('(bench/RESULTS.md)')
  const figures = [...section.matchAll(/\d+\.\d+/g)].map(([figure]) => figure)
  expect(figures).not.toHaveLength(0)
  for (const figure of figures) expect(results).toContain(figure)
})
