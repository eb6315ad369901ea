import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from './temporary-folder.ts'

const folder = await temporaryFolder()

/** The command line run by the operator, on a state of the file's own. */
function admin(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['cli/admin.ts', '--persist-to', folder, ...args],
    { encoding: 'utf8' },
  )
  return { status, stdout, stderr }
}

function json(...args: string[]) {
  const { status, stdout, stderr } = admin('--json', ...args)
  expect(stdout).toMatch(/^\{.*\}\n$/)
  return { status, stderr, answer: JSON.parse(stdout) }
}

const refused = (reason: string) => ({ status: 1, stdout: '', stderr: `${reason}\n` })

test('an organisation gets a key, loads its data and takes the key back', async () => {
  expect(admin('organisation', 'add', 'well', '--name', 'The Well')).toEqual({
    status: 0,
    stdout: 'well added.\n',
    stderr: '',
  })
  expect(json('organisation', 'list').answer).toEqual({
    organisations: [{ id: 'well', name: 'The Well', created: expect.any(String) }],
  })
  const made = json('key', 'create', 'well', '--name', 'Power BI')
  expect(made).toMatchObject({ status: 0, stderr: '' })
  const { id, key, prefix } = made.answer
  expect(made.answer).toEqual({ id, key, prefix: key.slice(0, 8) })
  expect(key).toMatch(/^sk_[0-9A-Za-z]{38}$/)

  const good = join(folder, 'funds.json')
  const bad = join(folder, 'events.json')
  await writeFile(good, '[{"fundId":"f1"}]')
  await writeFile(bad, '[{"eventId":"e1"},\n{"eventId":"e2","end":"soon"}]')
  const time = 'must be a real time in ISO 8601 form, such as 2025-03-01T09:30:00.000Z.'
  expect(admin('import', 'well', bad, good)).toEqual({
    status: 1,
    stdout: [
      `${bad}:2: end ${time}`,
      `${bad}: nothing imported, 1 fault.`,
      `${good}: 1 funds imported.`,
      '',
    ].join('\n'),
    stderr: '',
  })
  expect(json('import', 'well', bad, good)).toEqual({
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
  expect(json('import', 'well', good)).toMatchObject({ status: 0, answer: { done: true } })

  expect(json('key', 'revoke', id)).toEqual({ status: 0, stderr: '', answer: { id } })
  const listed = admin('key', 'list', 'well')
  expect(listed.stdout).toBe(`${id}  well  ${prefix}…  revoked  Power BI\n`)
  expect(json('key', 'list').answer.keys).toMatchObject([{ id, organisationId: 'well', prefix }])
  expect(JSON.stringify(json('key', 'list'))).not.toContain(key)
  expect(admin('key', 'delete', id).status).toBe(0)
  expect(admin('key', 'list', 'well').stdout).toBe('')
})

test('what cannot be done is refused in a sentence', async () => {
  admin('organisation', 'add', 'spring', '--name', 'The Spring')
  const id =
    'id: must be 1 to 64 letters, digits or any of - _ . ~, and begin with a letter, a digit or _.'
  const add = (given: string) => admin('organisation', 'add', given, '--name', 'x')
  expect(add('spring')).toEqual(refused('There is an organisation spring already.'))
  expect(add('a/b')).toEqual(refused(id))
  expect(add('..')).toEqual(refused(id))
  expect(admin('key', 'create', 'nope', '--name', 'x')).toEqual(
    refused('There is no organisation nope.'),
  )
  expect(admin('key', 'list', 'nope')).toEqual(refused('There is no organisation nope.'))
  expect(admin('key', 'revoke', 'nope')).toEqual(refused('There is no key nope.'))
  expect(admin('import', 'nope', '.')).toEqual(refused('There is no organisation nope.'))
  expect(admin('import', 'spring')).toEqual(refused('Name files to import.'))
  expect(admin('import', 'spring', 'x.json')).toEqual(refused('There is no file or folder x.json.'))
  expect(admin('import', 'spring', '--360giving', 'x.json')).toEqual(
    refused('There is no file x.json.'),
  )
  expect(admin('--env', 'production', 'key', 'list')).toEqual(refused('--env is for --remote.'))
  expect(json('key', 'list', 'nope')).toEqual({
    status: 1,
    stderr: 'There is no organisation nope.\n',
    answer: { error: 'There is no organisation nope.' },
  })
})

test('a command that is not understood does nothing', () => {
  expect(admin('key', 'create', 'well')).toEqual(
    refused("error: required option '--name <name>' not specified"),
  )
  expect(admin('organisation', 'remove', 'well').status).toBe(1)
  expect(admin('--help')).toMatchObject({ status: 0, stderr: '' })
})
