import type { Coverage } from './coverage.ts'

/** A loaded edition: its month, coverage and load time. */
type Edition = {
  id: string
  edition: string
  loaded: string
  northernIreland: boolean
  coverage: Coverage
}

/** The current edition, or undefined if no directory is loaded. */
export async function readServingEdition(geography: D1Database): Promise<Edition | undefined> {
  const row = await geography
    .prepare(
      `SELECT id, edition, loaded, northern_ireland, coverage
      FROM editions WHERE status = 'serving'`,
    )
    .first<Record<'id' | 'edition' | 'loaded' | 'coverage', string> & { northern_ireland: 0 | 1 }>()
  if (row === null) return undefined
  const { northern_ireland, coverage, ...edition } = row
  return { ...edition, northernIreland: northern_ireland === 1, coverage: JSON.parse(coverage) }
}
