import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { adminProgram } from '../../cli/commands/program.ts'
import { readServingEdition } from '../../cli/geography/edition.ts'
import * as platform from '../../cli/state/bindings.ts'
import { operatorStore } from '../../src/admin/operator-store.ts'
import { listKeys } from '../../src/store/settings/list-keys.ts'
import { administeredStore } from '../../src/store/trusted-store.ts'
import { listWebhooks } from '../../src/store/webhooks/list-webhooks.ts'
import { localState } from './local-state.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = await temporaryFolder()
const bindings = await localState()

// The commands share one state, as they would on an operator's machine.
beforeAll(() => {
  vi.spyOn(platform, 'withBindings').mockImplementation((_, work) => work(bindings))
})
afterAll(() => vi.restoreAllMocks())

const data = join(folder, 'data')
await mkdir(data)
await writeFile(
  join(data, 'schemas.json'),
  '{"members": {"fields": [{"id": "Town", "type": "text"}, {"id": "Full Name", "type": "text"}]}}',
)
await writeFile(join(data, 'members.csv'), 'memberId,Town\nm1,Leeds\n')
await writeFile(join(data, 'events.csv'), 'eventId,name\nevent-open-day-1,Open Day\n')
await writeFile(join(folder, 'questions.json'), '[]')
await writeFile(join(folder, 'ONSPD_AUG_2026_UK.csv'), 'pcds,doterm\n')

/** The first section of the page on importing sets up an organisation; the other pages work with it. */
const importing = readFileSync('docs/importing.md', 'utf8')
const setup = importing.slice(
  importing.indexOf('## Load your first data'),
  importing.indexOf('## Import any spreadsheet'),
)
const pages = ['keys', 'webhooks', 'personal-data', 'geography', 'public-pages'].map((name) =>
  readFileSync(`docs/${name}.md`, 'utf8'),
)

/** The documented commands of the operator's command line as arguments, in reading order. */
const commands = [setup, ...pages]
  .flatMap((page) => [...page.matchAll(/^npm run admin -- ([^#\n]+)/gm)])
  .map(([, line = '']) =>
    [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? ''),
  )

/** Replaces a placeholder by a value of the test's organisation. */
async function replacePlaceholder(word: string): Promise<string> {
  if (word === 'data/') return data
  if (word === 'copy/') return join(folder, 'copy')
  if (word === 'grants.json') return 'test/cli/fixtures/360giving-sample.json'
  if (word === 'ONSPD.zip') return join(folder, 'ONSPD_AUG_2026_UK.csv')
  if (word === '<webhook-id>')
    return String(
      (await listWebhooks(administeredStore(bindings.DB, 'oak-trust', 'a test')))[0]?.id,
    )
  if (word === '<member-id>') return 'm1'
  if (word === 'everything.zip' || word === 'questions.json') return join(folder, word)
  if (word === 'demo') return 'oak-trust'
  if (word !== '<key-id>') return word
  const [key] = await listKeys(operatorStore(bindings.DB, 'oak-trust'))
  return key?.id ?? ''
}

test('there are commands', () => {
  expect(commands.length).toBeGreaterThan(10)
})

test.each(commands.map((words) => [words.join(' '), words] as const))('%s', async (_, words) => {
  const stdout = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  process.exitCode = 0
  await adminProgram().parseAsync(await Promise.all(words.map(replacePlaceholder)), {
    from: 'user',
  })
  const [status, errors] = [process.exitCode, stderr.mock.calls.join()]
  process.exitCode = 0
  stdout.mockRestore()
  stderr.mockRestore()
  // A directory that is small enough for a test is refused, so none is loaded.
  const refusals: Record<string, string> = {
    load: 'ONSPD_AUG_2026',
    // Another file of the same process may have loaded the demo's directory.
    ...(!(await readServingEdition(bindings.GEOGRAPHY)) && { refresh: 'No postcode directory' }),
  }
  const refusal = refusals[words[1] ?? '']
  expect([status, errors]).toEqual(refusal ? [1, expect.stringContaining(refusal)] : [0, ''])
})
