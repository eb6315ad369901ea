import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { importFiles } from '../../cli/commands/import-files.ts'
import { withBindings } from '../../cli/state/bindings.ts'
import { addOrganisation } from '../../src/operator/organisations.ts'
import { temporaryFolder } from './temporary-folder.ts'

test('two imports into one database at once come to their end, each record once', async () => {
  const folder = await temporaryFolder()
  const state = { persistTo: join(folder, 'state') }
  await withBindings(state, ({ DB }) => addOrganisation(DB, 'one', 'One'))
  const count = 3000
  const importing = (name: string, key: string) =>
    withBindings(state, async ({ DB, GEOGRAPHY }) => {
      const file = join(folder, name)
      const lines = Array.from({ length: count }, (_, place) => ({
        [key]: `${place}`,
        ...(key === 'formId' && { type: 'survey' }),
      }))
      await writeFile(file, lines.map((line) => JSON.stringify(line)).join('\n'))
      const to = { db: DB, geography: GEOGRAPHY, organisationId: 'one', progress: () => {} }
      return Array.fromAsync(importFiles([file], to))
    })
  const outcomes = await Promise.all([
    importing('events.ndjson', 'eventId'),
    importing('forms.ndjson', 'formId'),
  ])
  expect(outcomes.flat()).toMatchObject([
    { records: count, faults: [] },
    { records: count, faults: [] },
  ])
  const kept = await withBindings(state, ({ DB }) =>
    DB.prepare(
      'SELECT count(*) AS records, max(position) AS last FROM records GROUP BY collection',
    ).all(),
  )
  expect(kept.results).toEqual([
    { records: count, last: count },
    { records: count, last: count },
  ])
})
