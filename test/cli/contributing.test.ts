import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { resources } from '../../src/resources/resources.ts'
import { temporaryFolder } from './temporary-folder.ts'

const segments = Object.keys(resources)
const readme = readFileSync('README.md', 'utf8')

test('every file of a resource is mounted, and the other way round', () => {
  const files = readdirSync('src/resources')
    .map((name) => name.replace('.ts', ''))
    .filter((name) => !['resources', 'collections', 'routes'].includes(name))
  expect(files.toSorted()).toEqual(segments.toSorted())
})

test.each(segments)('%s is tested, and stands in the README', (segment) => {
  const tests = readdirSync('test/resources').join(' ')
  expect(tests).toContain(segment)
  expect(readme).toContain(`| \`/${segment}`)
})

test.each(['test/store/budgets.test.ts', 'bench/load/served.ts', 'bench/load/lists.ts'])(
  '%s has every collection',
  (path) => {
    const source = readFileSync(path, 'utf8')
    for (const segment of segments.filter((segment) => !['schemas', 'changes'].includes(segment))) {
      expect(source).toMatch(RegExp(`[ ']${segment}[':]`))
    }
  },
)

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

test.each([
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'docs/importing.md',
  'docs/operating.md',
  'docs/decisions.md',
  'docs/data-protection.md',
])('every file and script that %s names is there', (page) => {
  const text = readFileSync(page, 'utf8')
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
  const named = [
    ...text.matchAll(/`((?:src|test|cli|bench|load|docs|examples|migrations|\.github)[\w./-]*)`/g),
  ]
  for (const [, path = ''] of named) expect([path, existsSync(path)]).toEqual([path, true])
  for (const [, script = ''] of text.matchAll(/npm run ([\w:]+)/g)) {
    expect(Object.keys(scripts)).toContain(script)
  }
})

test("the README's figures of performance are lines of the bench's results", () => {
  const [, section = ''] =
    /## Performance\n(.*?)\n## /s.exec(readFileSync('README.md', 'utf8')) ?? []
  const results = readFileSync('bench/RESULTS.md', 'utf8').split('\n')
  // The head, its rule, and three lines.
  const quoted = section.split('\n').filter((line) => line.startsWith('|'))
  expect(quoted).toHaveLength(5)
  for (const line of quoted) expect(results).toContain(line)
  expect(section).toContain('(bench/RESULTS.md)')
})
