import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as platform from '../../cli/state/bindings.ts'
import { OrganisationMovingError } from '../../src/model/api-error.ts'
import { putRecords } from '../../src/store/write/put.ts'
import { runAdmin } from './in-process.ts'
import { openState } from './local-state.ts'
import { migratedState } from './migrated-state.ts'

const [first, second] = [await migratedState(), await migratedState()]
const [state, other] = [await openState(first), await openState(second)]
const bindings = { ...state.bindings, DB_1: other.bindings.DB }

beforeAll(() => {
  vi.spyOn(platform, 'withBindings').mockImplementation((_, work) => work(bindings))
})
afterAll(async () => {
  vi.restoreAllMocks()
  await state.runtime.dispose()
  await other.runtime.dispose()
})

// Files share a process, which remembers the database of an organisation: no other file has these two.
test('organisations are added to a database, listed, moved and removed', async () => {
  const run = (...words: string[]) => runAdmin('organisation', ...words)
  const done = (line: string) => ({ status: 0, stdout: `${line}\n`, stderr: '' })
  const refused = (line: string) => ({ status: 1, stdout: '', stderr: `${line}\n` })
  expect(await run('add', 'moving-oak', '--name', 'The Oak')).toEqual(done('moving-oak added.'))
  expect(await run('add', 'moving-elm', '--name', 'The Elm', '--database', 'DB_1')).toEqual(
    done('moving-elm added.'),
  )
  expect(await run('add', 'ash', '--name', 'The Ash', '--database', 'DB_2')).toEqual(
    refused('There is no database DB_2. The databases are: DB, DB_1.'),
  )
  await putRecords(bindings.DB, 'moving-oak', 'events', [{ id: 'a', document: '{}' }])
  await bindings.DB.prepare(
    "UPDATE organisations SET measured = '2026-01-01', document_bytes = 1500000 WHERE id = 'moving-oak'",
  ).run()
  expect(await run('list')).toEqual(
    done(
      'moving-elm  The Elm  (DB_1; records 0)\nmoving-oak  The Oak  (DB; records 1; documents 2 MB)',
    ),
  )
  const execute = (sql: string) => bindings.DB.prepare(sql).run()
  await execute(
    `CREATE TRIGGER stop BEFORE INSERT ON audit_log BEGIN SELECT raise(ABORT, 'organisation_moving'); END`,
  )
  expect(await run('keep-versions', 'moving-oak', '20')).toEqual(
    refused(new OrganisationMovingError().message),
  )
  await execute('DROP TRIGGER stop')
  const phases = ['Copying 0%', 'Copying 100%', 'Comparing 0%', 'Comparing 100%', 'Deleting 100%']
  expect(await run('move', 'moving-oak', '--to', 'DB_1')).toEqual({
    ...done('moving-oak is in DB_1.'),
    stderr: `${phases.join('\n')}\n`,
  })
  expect(await run('keep-versions', 'moving-oak', '20')).toMatchObject({ status: 0 })
  expect(await run('list')).toEqual(
    done('moving-elm  The Elm  (DB_1; records 0)\nmoving-oak  The Oak  (DB_1; records 1)'),
  )
  expect(await run('remove', 'moving-oak', '--yes')).toEqual(done('moving-oak removed.'))
  expect(await run('list')).toEqual(done('moving-elm  The Elm  (DB_1; records 0)'))
})
