import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { deploy } from '../../../cli/deployment/deploy.ts'
import * as wrangler from '../../../cli/deployment/wrangler.ts'
import { CommandError } from '../../../cli/terminal/report.ts'
import { temporaryFolder } from '../temporary-folder.ts'

/** The commands that wrangler ran, in order. */
let commands: string[]
let printed: string

beforeEach(() => {
  commands = []
  printed = ''
  vi.spyOn(console, 'log').mockImplementation((text) => {
    printed += `${text}\n`
  })
  vi.spyOn(wrangler, 'readAccountStorage').mockResolvedValue({
    databases: new Map([
      ['records-staging', { id: 'database-1', jurisdiction: 'eu' }],
      ['geography-staging', { id: 'database-2', jurisdiction: null }],
    ]),
    namespaces: new Map(),
    queues: new Set(),
  })
  vi.spyOn(wrangler, 'listSecrets').mockResolvedValue(new Set())
  vi.spyOn(wrangler, 'runWrangler').mockImplementation(async (args) => {
    commands.push(args.join(' '))
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

/** Answers requests for bookmarks. */
const answerBookmarks = (bookmarkOf: (database: string) => unknown) =>
  vi.spyOn(wrangler, 'readJson').mockImplementation(async (args) => {
    commands.push(args.join(' '))
    return bookmarkOf(String(args[3]))
  })

test('every existing database has its bookmark noted before the first migration', async () => {
  const summary = join(await temporaryFolder(), 'summary.md')
  vi.stubEnv('GITHUB_STEP_SUMMARY', summary)
  answerBookmarks((database) => ({ bookmark: `00000085-${database}` }))
  await deploy('staging', { jurisdiction: 'eu' })
  expect(printed).toContain('records-staging exists in the jurisdiction eu, which cannot change.')
  const noted = commands.findLastIndex((command) => command.startsWith('d1 time-travel info'))
  const migrated = commands.findIndex((command) => command.startsWith('d1 migrations apply'))
  expect(commands.filter((command) => command.startsWith('d1 time-travel'))).toHaveLength(2)
  expect(migrated).toBeGreaterThan(noted)
  for (const name of ['records-staging', 'geography-staging']) {
    const command = `npx wrangler d1 time-travel restore ${name} --bookmark 00000085-${name}\n`
    expect(printed).toContain(command)
    expect(await readFile(summary, 'utf8')).toContain(command)
  }
})

test.each([
  ['fails', () => Promise.reject(new CommandError('wrangler says why.'))],
  ['has no bookmark', () => ({})],
  ['is no bookmark', () => ({ bookmark: '$(rm -rf .)' })],
])('nothing is migrated if the bookmark of one database %s', async (_, answer) => {
  answerBookmarks((name) => (name.startsWith('geography') ? answer() : { bookmark: '00000085' }))
  await expect(deploy('staging', { jurisdiction: 'eu' })).rejects.toThrow(
    'Nothing was migrated, because geography-staging has no Time Travel bookmark to restore it from.',
  )
  expect(commands.filter((command) => /migrations|^deploy/.test(command))).toEqual([])
})
