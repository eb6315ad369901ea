import type { Usage } from '../../../admin/usage.ts'
import { numberHeadings, Table } from '../../ui/table.tsx'
import { toWords } from '../../ui/words.ts'

/** The requests of each key in the last 30 days, with the number of records returned. */
export function UsageTable({ usage }: { usage: readonly Usage[] }) {
  return (
    <Table
      label="Usage in the last 30 days"
      isStacked
      firstHeading="Key"
      headings={[
        { text: 'Collection' },
        ...numberHeadings('Requests', 'Records'),
        { text: 'Last day' },
      ]}
      rows={usage.map(({ key, collection, requests, records, day }) => ({
        rowHeader: key ?? 'A deleted key',
        cells: [
          toWords(collection),
          requests.toLocaleString('en-GB'),
          records.toLocaleString('en-GB'),
          day,
        ],
      }))}
    />
  )
}
