import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { adminProgram } from '../../cli/commands/program.ts'
import type { withBindings } from '../../cli/state/bindings.ts'
import type { Bindings } from '../../src/platform/bindings.ts'
import { localState } from './local-state.ts'
import { temporaryFolder } from './temporary-folder.ts'

// Opening a state takes longer than all else here: the commands share one.
const state = vi.hoisted(() => ({ bindings: undefined as Bindings | undefined }))
vi.mock(import('../../cli/state/bindings.ts'), async (original) => {
  const platform = await original()
  const shared: typeof withBindings = (target, work) =>
    state.bindings ? work(state.bindings) : platform.withBindings(target, work)
  return { ...platform, withBindings: shared }
})
const folder = await temporaryFolder()
state.bindings = await localState()

afterEach(() => vi.restoreAllMocks())

/** The exit code of a command of the operator's, and what it writes. */
async function admin(...args: string[]) {
  const written = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      written[name] += text
      return true
    })
  }
  process.exitCode = 0
  await adminProgram().parseAsync(args, { from: 'user' })
  const status = process.exitCode
  process.exitCode = 0
  vi.restoreAllMocks()
  return { status, ...written }
}

async function json(...args: string[]) {
  const { status, stdout, stderr } = await admin('--json', ...args)
  expect(stdout).toMatch(/^\{.*\}\n$/)
  return { status, stderr, answer: JSON.parse(stdout) }
}

/** The same as a process of its own, on a state of its own. */
function separately(...args: string[]) {
  const all = ['cli/admin.ts', '--persist-to', folder, ...args]
  const { status, stdout, stderr } = spawnSync(process.execPath, all, { encoding: 'utf8' })
  return { status, stdout, stderr }
}

const refused = (reason: string) => ({ status: 1, stdout: '', stderr: `${reason}\n` })

test('an organisation gets a key, loads its data and takes the key back', async () => {
  expect(await admin('organisation', 'add', 'well', '--name', 'The Well')).toEqual({
    status: 0,
    stdout: 'well added.\n',
    stderr: '',
  })
  expect((await json('organisation', 'list')).answer).toEqual({
    organisations: [{ id: 'well', name: 'The Well', created: expect.any(String) }],
  })
  const made = await json('key', 'create', 'well', '--name', 'Power BI')
  expect(made).toMatchObject({ status: 0, stderr: '' })
  const { id, key, prefix } = made.answer
  expect(made.answer).toEqual({ id, key, prefix: key.slice(0, 8) })
  expect(key).toMatch(/^sk_[0-9A-Za-z]{38}$/)

  const good = join(folder, 'funds.json')
  const bad = join(folder, 'events.json')
  await writeFile(good, '[{"fundId":"f1","recipientType":"individual"}]')
  await writeFile(bad, '[{"eventId":"e1"},\n{"eventId":"e2","end":"soon"}]')
  const time = 'must be a real time in ISO 8601 form, such as 2025-03-01T09:30:00.000Z.'
  expect(await admin('import', 'well', bad, good)).toEqual({
    status: 1,
    stdout: [
      `${bad}:2: end ${time}`,
      `${bad}: nothing imported, 1 fault.`,
      `${good}: 1 funds imported.`,
      '',
    ].join('\n'),
    stderr: '',
  })
  expect(await json('import', 'well', bad, good)).toEqual({
    status: 1,
    stderr: '',
    answer: {
      done: false,
      files: [
        {
          file: bad,
          collection: 'events',
          records: 1,
          faults: [{ line: 2, field: 'end', reason: time }],
        },
        { file: good, collection: 'funds', records: 1, faults: [] },
      ],
    },
  })
  expect(await json('import', 'well', good)).toMatchObject({ status: 0, answer: { done: true } })

  expect(await json('key', 'revoke', id)).toEqual({ status: 0, stderr: '', answer: { id } })
  const listed = await admin('key', 'list', 'well')
  expect(listed.stdout).toBe(`${id}  well  ${prefix}…  revoked  Power BI\n`)
  expect((await json('key', 'list')).answer.keys).toMatchObject([
    { id, organisationId: 'well', prefix },
  ])
  expect(JSON.stringify(await json('key', 'list'))).not.toContain(key)
  expect((await admin('key', 'delete', id)).status).toBe(0)
  expect((await admin('key', 'list', 'well')).stdout).toBe('')
})

test('what cannot be done is refused in a sentence', async () => {
  await admin('organisation', 'add', 'spring', '--name', 'The Spring')
  const id =
    'id: must be 1 to 64 letters, digits or any of - _ . ~, and begin with a letter, a digit or _.'
  const add = (given: string) => admin('organisation', 'add', given, '--name', 'x')
  expect(await add('spring')).toEqual(refused('There is an organisation spring already.'))
  expect(await add('a/b')).toEqual(refused(id))
  expect(await add('..')).toEqual(refused(id))
  expect(await admin('key', 'create', 'nope', '--name', 'x')).toEqual(
    refused('There is no organisation nope.'),
  )
  expect(await admin('key', 'list', 'nope')).toEqual(refused('There is no organisation nope.'))
  expect(await admin('key', 'revoke', 'nope')).toEqual(refused('There is no key nope.'))
  expect(await admin('import', 'nope', '.')).toEqual(refused('There is no organisation nope.'))
  expect(await admin('import', 'spring')).toEqual(refused('Name files to import.'))
  expect(await admin('import', 'spring', 'x.json')).toEqual(
    refused('There is no file or folder x.json.'),
  )
  expect(await admin('import', 'spring', '--360giving', 'x.json')).toEqual(
    refused('There is no file or folder x.json.'),
  )
  expect(await json('key', 'list', 'nope')).toEqual({
    status: 1,
    stderr: 'There is no organisation nope.\n',
    answer: { error: 'There is no organisation nope.' },
  })
})

test('a process ends with the exit code, and writes what a program or a person asked for', () => {
  const add = ['organisation', 'add', 'well', '--name', 'The Well']
  expect(separately('--json', ...add)).toEqual({
    status: 0,
    stdout: '{"id":"well","name":"The Well"}\n',
    stderr: '',
  })
  expect(separately('--json', ...add)).toEqual({
    status: 1,
    stdout: '{"error":"There is an organisation well already."}\n',
    stderr: 'There is an organisation well already.\n',
  })
  expect(separately('--env', 'production', ...add)).toEqual(refused('--env is for --remote.'))
  expect(separately('key', 'create', 'well')).toEqual(
    refused("error: required option '--name <name>' not specified"),
  )
})
