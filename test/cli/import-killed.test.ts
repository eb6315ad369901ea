import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { importFiles } from '../../cli/import/import-files.ts'
import { withBindings } from '../../cli/state/bindings.ts'
import { createOrganisation } from '../../src/admin/organisations.ts'
import type { Databases } from '../../src/platform/bindings.ts'
import { putSchemas } from '../../src/store/settings/schemas.ts'
import { expectExactIndex, queryRows } from '../store/index-of-database.ts'
import { migratedState } from './migrated-state.ts'

const state = await migratedState()
const file = join(state, 'members.ndjson')

/** When an import is killed: after how many statements, and how many turns of the event loop later. */
type Kill = { statements: number; turns: number }

const ids = Array.from({ length: 1000 }, (_, place) => `m${(place * 7919) % 1000}`)
await writeFile(
  file,
  ids
    .map((memberId) => JSON.stringify({ memberId, Number: memberId, Tags: ['a', 'b'] }))
    .join('\n'),
)

const opened = <Result>(work: (bindings: Databases) => Promise<Result>) =>
  withBindings({ persistTo: state }, work)

/** Makes an organisation that can have the members of the file. */
async function newOrganisation({ DB }: Databases, id: string): Promise<void> {
  await createOrganisation(DB, id, id)
  const fields = [
    { id: 'Number', name: 'Number', label: 'Number', type: 'uniqueId' as const, order: 0 },
    { id: 'Tags', name: 'Tags', label: 'Tags', type: 'tags' as const, order: 1 },
  ]
  await putSchemas(DB, id, { members: { name: 'Members', fields } })
}

/** Imports the file, and expects it whole; how many statements that took. */
async function importWhole({ DB, GEOGRAPHY }: Databases, organisationId: string): Promise<number> {
  let statements = 0
  const db: D1Database = Object.assign(Object.create(DB), {
    prepare(query: string) {
      statements++
      return DB.prepare(query)
    },
  })
  const to = { db, geography: GEOGRAPHY, organisationId, progress: () => {} }
  const outcomes = await Array.fromAsync(importFiles([file], to))
  expect(outcomes).toMatchObject([{ records: ids.length, errors: [] }])
  await expectRecordsAndIndex(DB, organisationId)
  return statements
}

/** The same in a process that is killed, with the database, once it has prepared so many statements. */
async function importKilled(organisationId: string, { statements, turns }: Kill): Promise<void> {
  const given = [state, organisationId, file, `${statements}`, `${turns}`]
  const args = ['test/cli/killed-import.ts', ...given]
  const child = spawn(process.execPath, args, { detached: true, stdio: 'ignore' })
  expect((await once(child, 'exit'))[1]).toBe('SIGKILL')
}

test('an import that was killed, and is run again, has every record once', async () => {
  const statements = await opened(async (bindings) => {
    await newOrganisation(bindings, 'whole')
    await newOrganisation(bindings, 'killed')
    return importWhole(bindings, 'whole')
  })
  const between = (from: number, to: number) =>
    fc.record({
      statements: fc.integer({
        min: Math.ceil(from * statements),
        max: Math.floor(to * statements),
      }),
      turns: fc.nat(2000),
    })
  // Existing records take fewer statements, so the second kill must come earlier.
  const kills = fc.tuple(between(0.3, 0.5), between(0.5, 0.6))
  await fc.assert(
    fc.asyncProperty(kills, async ([early, late]) => {
      await importKilled('killed', early)
      expect(await opened(({ DB }) => recordsOf(DB, 'killed'))).toBeLessThan(ids.length)
      await importKilled('killed', late)
      await opened((bindings) => importWhole(bindings, 'killed'))
    }),
    { numRuns: 1, unbiased: true, endOnFailure: true },
  )
})

/** Expects every record once, in the order of the file, the index to agree with them, and no import to be recorded that did not end. */
async function expectRecordsAndIndex(db: D1Database, organisationId: string): Promise<void> {
  const records = 'SELECT id, ordinal FROM records WHERE organisation_id = ? ORDER BY row'
  expect(await queryRows(db, records, organisationId)).toEqual(
    ids.map((id, index) => ({ id, ordinal: index + 1 })),
  )
  await expectExactIndex(db, organisationId)
  const imports =
    'SELECT DISTINCT records, total FROM imports WHERE organisation_id = ? AND finished IS NOT NULL'
  expect(await queryRows(db, imports, organisationId)).toEqual([
    { records: ids.length, total: ids.length },
  ])
}

async function recordsOf(db: D1Database, organisationId: string): Promise<number> {
  const count = 'SELECT count(*) AS count FROM records WHERE organisation_id = ?'
  return Number((await queryRows(db, count, organisationId))[0]?.count)
}
