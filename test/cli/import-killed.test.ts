import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { importFiles } from '../../cli/import/import-files.ts'
import { withBindings } from '../../cli/platform.ts'
import { addOrganisation } from '../../src/store/organisations.ts'
import { putSchemas } from '../../src/store/schemas.ts'
import { miscounts } from '../store/miscounts.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = await temporaryFolder()
const state = join(folder, 'state')
const file = join(folder, 'members.ndjson')
const ids = Array.from({ length: 6000 }, (_, place) => `m${(place * 7919) % 6000}`)
await writeFile(
  file,
  ids
    .map((memberId) => JSON.stringify({ memberId, Number: memberId, Tags: ['a', 'b'] }))
    .join('\n'),
)

/** How many bytes the state holds. */
function size(): number {
  const files = readdirSync(state, { recursive: true, encoding: 'utf8' })
  return files.reduce(
    (sum, name) => sum + (statSync(join(state, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  )
}

/** Makes an organisation that can have the members of the file. */
async function newOrganisation(id: string): Promise<void> {
  await withBindings({ persistTo: state }, async ({ DB }) => {
    await addOrganisation(DB, id, id)
    const fields = [
      { id: 'Number', name: 'Number', label: 'Number', type: 'uniqueId' as const, order: 0 },
      { id: 'Tags', name: 'Tags', label: 'Tags', type: 'tags' as const, order: 1 },
    ]
    await putSchemas(DB, id, { members: { name: 'Members', fields } })
  })
}

/** The import by the command line, killed with all it has started once the state has grown so far; whether it came to its end. */
async function importUntil(organisationId: string, bytes: number): Promise<boolean> {
  const args = ['cli/admin.ts', '--persist-to', state, 'import', organisationId, file]
  const child = spawn(process.execPath, args, { detached: true, stdio: 'ignore' })
  const ended = once(child, 'exit')
  while (child.exitCode === null && child.signalCode === null) {
    if (size() >= bytes) {
      process.kill(-Number(child.pid), 'SIGKILL')
      break
    }
    await setTimeout(1)
  }
  const [code, signal] = await ended
  expect([0, 'SIGKILL']).toContain(code ?? signal)
  return code === 0
}

test('an import that was killed, and is run again, has every record once', async () => {
  await newOrganisation('whole')
  const empty = size()
  expect(await importUntil('whole', Number.POSITIVE_INFINITY)).toBe(true)
  const growth = size() - empty
  const percents = fc.tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 60, max: 99 }))
  const killed = fc.asyncProperty(percents, async ([early, late]) => {
    const id = crypto.randomUUID()
    await newOrganisation(id)
    const before = size()
    const isWhole = await importUntil(id, before + (early / 100) * growth)
    // On a busy machine the import may end before it is killed, which shows nothing.
    fc.pre(!isWhole)
    await importUntil(id, before + (late / 100) * growth)
    await withBindings({ persistTo: state }, async (bindings) => {
      const { DB: db, GEOGRAPHY: geography } = bindings
      const to = { db, geography, organisationId: id, progress: () => {} }
      const outcomes = await Array.fromAsync(importFiles([file], to))
      expect(outcomes).toMatchObject([{ records: ids.length, faults: [] }])
      await expectWhole(db, id)
    })
  })
  await fc.assert(killed, { numRuns: 1, maxSkipsPerRun: 5, unbiased: true, endOnFailure: true })
})

/** Expects every record once, in the order of the file, the index to agree with them, and no import to be recorded that did not end. */
async function expectWhole(db: D1Database, organisationId: string): Promise<void> {
  const records = 'SELECT id, position FROM records WHERE organisation_id = ? ORDER BY row'
  expect(await rows(db, records, [organisationId])).toEqual(
    ids.map((id, index) => ({ id, position: index + 1 })),
  )
  const indexed = `SELECT row, field, value FROM terms CROSS JOIN holders ON holders.term = terms.id
    LEFT JOIN records USING (organisation_id, collection, position)
    WHERE organisation_id = ? AND field <> ''`
  const indexable = 'SELECT row, field, value FROM leaves WHERE organisation_id = ?'
  for (const [one, other] of [
    [indexed, indexable],
    [indexable, indexed],
  ]) {
    const both = [organisationId, organisationId]
    expect(await rows(db, `${one} EXCEPT ${other}`, both)).toEqual([])
  }
  expect(await miscounts(db, organisationId)).toEqual([])
  const imports = 'SELECT DISTINCT records, total FROM imports WHERE organisation_id = ?'
  expect(await rows(db, imports, [organisationId])).toEqual([
    { records: ids.length, total: ids.length },
  ])
}

const rows = async (db: D1Database, query: string, values: unknown[]) =>
  (
    await db
      .prepare(query)
      .bind(...values)
      .all()
  ).results
