import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readWranglerConfig } from '../../cli/deployment/environment.ts'
import * as remote from '../../cli/deployment/remote.ts'
import { withBindings } from '../../cli/state/bindings.ts'
import * as localDatabases from '../../cli/state/local-databases.ts'
import { readLocalJwks } from '../../cli/state/local-tokens.ts'
import { ensureLocalWebhookKey } from '../../cli/state/webhook-key.ts'
import { CommandError } from '../../cli/terminal/report.ts'
import { listDatabases, openDatabase } from '../../src/store/databases.ts'
import { columnsOf } from '../store/columns.ts'
import { findFilesOthersCanAccess } from './file-modes.ts'
import { migratedState } from './migrated-state.ts'
import { temporaryFolder } from './temporary-folder.ts'

let mask: number

beforeEach(() => {
  mask = process.umask(0o022)
})

afterEach(() => {
  process.umask(mask)
})

test('a state that others could read is closed to them when a command opens it', async () => {
  const state = await migratedState()
  const before = join(state, 'v3/kept.sqlite')
  await writeFile(before, '')
  for (const path of [state, join(state, 'v3'), before]) await chmod(path, 0o755)
  expect(await findFilesOthersCanAccess(state)).toEqual(expect.arrayContaining([state, before]))
  await withBindings({ persistTo: state }, async ({ KEYS }) => {
    await KEYS.put('new', 'value')
    expect(await findFilesOthersCanAccess(state)).toEqual([])
  })
  expect(await findFilesOthersCanAccess(state)).toEqual([])
})

test('a state has every database of wrangler.toml, migrated', async () => {
  const { d1_databases: databases } = readWranglerConfig()
  expect(localDatabases.listLocalDatabases()).toEqual(databases?.map(({ binding }) => binding))
  const list = vi.spyOn(localDatabases, 'listLocalDatabases')
  list.mockReturnValue(['DB', 'DB_1', 'GEOGRAPHY'])
  await withBindings({ persistTo: await migratedState() }, async (env) => {
    expect(listDatabases(env).map(([name]) => name)).toEqual(['DB', 'DB_1'])
    expect(await columnsOf(openDatabase(env, 'DB_1'))).toEqual(await columnsOf(env.DB))
  })
  list.mockRestore()
})

test('a state of older migrations is refused with what to do', async () => {
  const persistTo = await migratedState()
  await withBindings({ persistTo }, ({ DB }) =>
    DB.prepare("INSERT INTO d1_migrations (name) VALUES ('0003_bitmap_index.sql')").run(),
  )
  await expect(withBindings({ persistTo }, async () => {})).rejects.toThrow(
    new CommandError(
      'Another version of the migrations made these databases: export the records with that version, or delete the folder.',
    ),
  )
})

test('a state and a deployment of a newer release are refused, and unchanged', async () => {
  const persistTo = await migratedState()
  await withBindings({ persistTo }, async (env) => {
    await env.DB.prepare("INSERT INTO d1_migrations (name) VALUES ('9999_later.sql')").run()
    const dispose = vi.fn(async () => {})
    // There is no account to connect to.
    vi.spyOn(remote, 'connectRemote').mockResolvedValue({ env, dispose })
    const work = vi.fn(async () => {})
    await expect(withBindings({ remote: true, env: 'production' }, work)).rejects.toThrow(newer)
    expect(work).not.toHaveBeenCalled()
    expect(dispose).toHaveBeenCalledOnce()
  })
  await expect(withBindings({ persistTo }, async () => {})).rejects.toThrow(newer)
  vi.restoreAllMocks()
})

const newer = new CommandError(
  'A newer release has migrated these databases (9999_later.sql): use that release, or a later one.',
)

test.each([
  ['the signing key', readLocalJwks],
  ['the key of webhook secrets', ensureLocalWebhookKey],
])('a folder that is made for %s is closed to others', async (_, makeIn) => {
  const state = join(await temporaryFolder(), 'state')
  await makeIn(state)
  expect(await findFilesOthersCanAccess(state)).toEqual([])
})
