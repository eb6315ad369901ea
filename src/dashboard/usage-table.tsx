import type { Usage } from '../auth/usage.ts'
import { numbers, Table } from './table.tsx'
import { inWords } from './words.ts'

/** What an organisation's keys asked for in the last 30 days, and how many records they were given. */
export function UsageTable({ usage }: { usage: readonly Usage[] }) {
  return (
    <Table
      label="Use in the last 30 days"
      stack
      lead="Key"
      headings={[{ text: 'Collection' }, ...numbers('Requests', 'Records'), { text: 'Last day' }]}
      rows={usage.map(({ key, collection, requests, records, day }) => ({
        lead: key ?? 'A deleted key',
        cells: [
          inWords(collection),
          requests.toLocaleString('en-GB'),
          records.toLocaleString('en-GB'),
          day,
        ],
      }))}
    />
  )
}
