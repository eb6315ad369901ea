import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { collection } from '../../src/resources/events.ts'
import type { ExportPosition } from '../../src/store/bitmap/page-query.ts'
import { exportLimit, parseExportRows } from '../../src/store/read/export-page.ts'
import { readRecords } from '../../src/store/read/list.ts'
import { trustedStore } from '../../src/store/trusted-store.ts'
import { newOrganisation } from '../organisation.ts'

/** How many queries a pull makes of so many records of so many characters. */
function queriesFor(records: number, characters: number): number {
  const row = { document: 'x'.repeat(characters) }
  let read = 0
  let queries = 0
  for (let pull: ExportPosition | undefined = 'first'; pull; queries++) {
    const count = Math.min(exportLimit(pull, Number.MAX_SAFE_INTEGER), records - read)
    read += count
    const rows = Array<typeof row>(count).fill(row)
    pull = parseExportRows(pull, ['document'], rows, read < records ? read : undefined).next
  }
  expect(read).toBe(records)
  return queries
}

// Cloudflare lets a request make 1,000 queries of D1, on the Free plan 50; some are left for the credential.
test.each([
  [1_000_000, 300, 990],
  [1_000_000, 1_900, 990],
  [100_000, 1_900, 190],
  [45_000, 300, 48],
])(
  'an export of %i records of %i characters makes at most %i queries',
  (records, characters, maxRows) => {
    expect(queriesFor(records, characters)).toBeLessThanOrEqual(maxRows)
  },
)

test('D1 returns the largest page of an export', async () => {
  const { id: organisationId, put } = await newOrganisation()
  const count = 3000
  const records = Array.from({ length: count }, (_, index) => ({ id: `${index}`, document: {} }))
  await put('events', records)
  const store = trustedStore(env.DB, organisationId, { by: 'command line' })
  const pull = { ordinal: 0, limit: count, blocks: 8, pages: 1000 }
  const all = { limit: Number.MAX_SAFE_INTEGER, offset: 0, filters: [], exportPosition: pull }
  for (const query of [all, { ...all, changed: { from: '2000-01-01' } }])
    expect((await readRecords(store, collection, query)).documents).toHaveLength(count)
})
