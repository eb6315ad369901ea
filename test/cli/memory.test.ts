import { appendFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { fileSource } from '../../cli/commands/import-files.ts'
import { importFile } from '../../src/import/import-file.ts'
import { personTarget } from '../../src/import/person-target.ts'
import { viewOf } from '../../src/limits/view.ts'
import { parseSchema } from '../../src/records/schema.ts'
import type { Store } from '../../src/store/store.ts'
import { temporaryFolder } from './temporary-folder.ts'

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')
const folder = await temporaryFolder()
const schema = parseSchema('members', { fields: [{ id: 'About', type: 'text' }] })
if (!schema.data) throw schema.error
const target = personTarget('members', schema.data)

// What a database holds of an import is not this process's memory.
const store = {
  view: viewOf(null),
  before: async () => ({ kept: new Map() }),
  answers: async () => [],
  write: async () => ({ found: { taken: [] } }),
  noteImport: async () => {},
} as unknown as Store

/** The most bytes that an import of members, 1 kB each, holds at any time. */
async function mostHeld(members: number): Promise<number> {
  const path = join(folder, `${members}.json`)
  await writeFile(path, '[')
  for (let from = 0; from < members; from += 1000) {
    const lines = Array.from({ length: 1000 }, (_, index) => {
      const memberId = `member-${from + index}`
      return JSON.stringify({ memberId, About: memberId.padEnd(1000, '.') })
    })
    await appendFile(path, `${from > 0 ? ',' : ''}${lines.join(',')}`)
  }
  await appendFile(path, ']')
  const held = () => {
    collect()
    return process.memoryUsage().heapUsed
  }
  const before = held()
  let most = 0
  let calls = 0
  const progress = () => {
    if (++calls % 500 === 0) most = Math.max(most, held() - before)
  }
  const outcome = await importFile(fileSource(path), target, {
    store,
    geography: {} as D1Database,
    progress,
  })
  expect(outcome).toMatchObject({ records: members, faults: [] })
  return most
}

test('ten times the members take no more memory but for their ids', async () => {
  await mostHeld(1000)
  const few = await mostHeld(2000)
  const many = await mostHeld(20_000)
  expect(many - few).toBeLessThan(6_000_000)
})
