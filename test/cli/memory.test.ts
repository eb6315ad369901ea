import { appendFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { fileSource } from '../../cli/import/import-files.ts'
import { buildTableRules } from '../../src/import/candidates/table-rules.ts'
import type { RecordDestination } from '../../src/import/destination/destination.ts'
import { importRecords } from '../../src/import/import-records.ts'
import { importTable } from '../../src/import/import-table.ts'
import { inspectFile } from '../../src/import/mapping/inspect-file.ts'
import { createPersonTarget } from '../../src/import/targets/person-target.ts'
import { parseSchema } from '../../src/records/schema/schema.ts'
import { temporaryFolder } from './temporary-folder.ts'

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')
const folder = await temporaryFolder()

/** A file format: how to write members, and how to import them. */
type Way = {
  extension: string
  begins: string
  member: (id: string, about: string) => string
  ends: string
  import(path: string, progress: () => void): Promise<{ errors: unknown[] } & object>
}

// The database's memory for an import does not count.
const nowhere: RecordDestination = {
  organisationId: 'oak',
  readDocuments: async () => new Map(),
  findOwners: async () => [],
  findSimilar: async () => new Map(),
  addDerived: async (_, written) => [...written],
  write: async () => ({ changed: [], taken: [] }),
  fillPeople: async () => {},
  finishImport: async () => {},
}

const strict: Way = {
  extension: 'json',
  begins: '[{"memberId":"first","About":""}',
  member: (memberId, About) => `,${JSON.stringify({ memberId, About })}`,
  ends: ']',
  async import(path, progress) {
    const schema = parseSchema('members', { fields: [{ id: 'About', type: 'text' }] })
    if (!schema.data) throw schema.error
    const target = createPersonTarget('members', schema.data)
    return importRecords(fileSource(path), target, nowhere, { progress })
  },
}

const asItComes: Way = {
  extension: 'csv',
  begins: 'Ref;About;Born\r\nfirst;;\r\n',
  member: (ref, about) => `${ref};${about};31/12/1960\r\n`,
  ends: '',
  async import(path, progress) {
    const about = { organisationId: 'oak', schemas: {}, collection: 'members', progress }
    const { table, proposal } = await inspectFile(fileSource(path), about)
    const prepared = await buildTableRules(proposal.mapping, 'oak', {})
    if ('errors' in prepared) throw new Error(JSON.stringify(prepared.errors))
    const doing = { writes: true, progress }
    const outcome = await importTable(path, table, prepared.rules, nowhere, doing)
    return { ...outcome, records: outcome.created }
  },
}

/** The most bytes that an import of members, 1 kB each, holds at any time. */
async function mostHeld(way: Way, members: number): Promise<number> {
  const path = join(folder, `${members}.${way.extension}`)
  await writeFile(path, way.begins)
  for (let from = 0; from < members; from += 1000) {
    const ids = Array.from({ length: 1000 }, (_, index) => `member-${from + index}`)
    await appendFile(path, ids.map((id) => way.member(id, id.padEnd(1000, '.'))).join(''))
  }
  await appendFile(path, way.ends)
  const held = () => {
    collect()
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    return heapUsed + arrayBuffers
  }
  const before = held()
  let most = 0
  let calls = 0
  // As often for a long file as for a short one, since collecting garbage takes long.
  const every = (3 * members) / 1000
  const outcome = await way.import(path, () => {
    if (++calls % every === 0) most = Math.max(most, held() - before)
  })
  expect(outcome).toMatchObject({ records: members + 1, errors: [] })
  expect(calls).toBeGreaterThan(every)
  return most
}

test.each([
  ['that keeps to the formats', strict],
  ['as it comes', asItComes],
])('ten times the members in a file %s take no more memory but for their ids', async (_, way) => {
  await mostHeld(way, 1000)
  const few = await mostHeld(way, 1000)
  const maxExtraBytes = 6_000_000
  let many = await mostHeld(way, 10_000)
  // The process may have held other memory: measure again.
  if (many - few >= maxExtraBytes) many = await mostHeld(way, 10_000)
  expect(many - few).toBeLessThan(maxExtraBytes)
})
