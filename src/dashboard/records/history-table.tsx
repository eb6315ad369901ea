import { describeAuthor } from '../../model/author.ts'
import type { HistoryEntry } from '../../store/read/history.ts'
import { Table } from '../ui/table.tsx'
import { Time } from '../ui/time.tsx'
import { toWords } from '../ui/words.ts'
import type { CollectionInfo } from './described.ts'

type Props = { collection: CollectionInfo; history: readonly HistoryEntry[] }

/** The history of a record: when, which fields changed, and by whom. */
export function HistoryTable({ collection, history }: Props) {
  return (
    <Table
      label="History"
      isStacked
      firstHeading="When"
      headings={[{ text: 'Change' }, { text: 'Person' }]}
      rows={history.map(({ at, change, fields, author, key }) => ({
        rowHeader: <Time value={at} />,
        cells: [
          change === 'updated' ? describeChange(collection, fields) : toWords(change),
          describeAuthor(author, key),
        ],
      }))}
    />
  )
}

/** Lists changed fields by label. A field that the schema no longer has appears by id. */
function describeChange({ kind, properties }: CollectionInfo, fields: readonly string[]): string {
  const names = fields.map(
    (field) =>
      properties.find(({ name }) => name === field)?.label ?? (kind ? field : toWords(field)),
  )
  return names.length > 0
    ? `Changed: ${names.join(', ')}`
    : 'Refreshed areas and other looked-up values'
}
