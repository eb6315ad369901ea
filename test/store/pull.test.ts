import { expect, test } from 'vitest'
import { type Pull, pulled, pullLimit } from '../../src/store/pull.ts'

/** How many queries a pull makes of so many records of so many characters. */
function queriesFor(records: number, characters: number): number {
  const row = { document: 'x'.repeat(characters) }
  let read = 0
  let queries = 0
  for (let pull: Pull | undefined = 'first'; pull; queries++) {
    const count = Math.min(pullLimit(pull, Number.MAX_SAFE_INTEGER), records - read)
    read += count
    const rows = Array<typeof row>(count).fill(row)
    pull = pulled(pull, ['document'], rows, read < records ? read : undefined).next
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
  'a pull of %i records of %i characters makes at most %i queries',
  (records, characters, most) => {
    expect(queriesFor(records, characters)).toBeLessThanOrEqual(most)
  },
)
