import { globSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { importFiles } from '../../cli/import/import-files.ts'
import { withBindings } from '../../cli/state/bindings.ts'
import { createOrganisation } from '../../src/admin/organisations.ts'
import { migratedState } from './migrated-state.ts'

test('an import waits while another process writes to the database', async () => {
  const state = await migratedState()
  const file = join(state, 'events.json')
  await writeFile(file, '[{"eventId":"e1"}]')
  await withBindings({ persistTo: state }, async ({ DB, GEOGRAPHY }) => {
    await createOrganisation(DB, 'one', 'One')
    const writers = globSync(join(state, 'v3/d1/*/*.sqlite')).map((path) => new DatabaseSync(path))
    for (const writer of writers) writer.exec('BEGIN IMMEDIATE')
    const to = { db: DB, geography: GEOGRAPHY, organisationId: 'one', progress: () => {} }
    const importing = Array.fromAsync(importFiles([file], to))
    const ended = importing.then(
      () => 'ended',
      () => 'ended',
    )
    expect(await Promise.race([ended, setTimeout(1000, 'waits')])).toBe('waits')
    for (const writer of writers) {
      writer.exec('COMMIT')
      writer.close()
    }
    expect(await importing).toMatchObject([{ records: 1, errors: [] }])
  })
})
