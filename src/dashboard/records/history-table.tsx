import { authorInWords } from '../../model/author.ts'
import type { HistoryEntry } from '../../store/history.ts'
import { Time } from '../parts/time.tsx'
import { Table } from '../table.tsx'
import { inWords } from '../words.ts'
import type { Described } from './described.ts'

type Props = { described: Described; history: readonly HistoryEntry[] }

/** What became of a record: when, which of its fields were changed, and by whom. */
export function HistoryTable({ described, history }: Props) {
  return (
    <Table
      label="History"
      stack
      lead="When"
      headings={[{ text: 'What' }, { text: 'Who' }]}
      rows={history.map(({ at, change, fields, author, key }) => ({
        lead: <Time at={at} />,
        cells: [
          change === 'updated' ? changeOf(described, fields) : inWords(change),
          authorInWords(author, key),
        ],
      }))}
    />
  )
}

/** What was changed: fields by their labels; one that the schema no longer has by its name. */
function changeOf({ kind, properties }: Described, fields: readonly string[]): string {
  const names = fields.map(
    (field) =>
      properties.find(({ name }) => name === field)?.label ?? (kind ? field : inWords(field)),
  )
  return names.length > 0
    ? `Changed: ${names.join(', ')}`
    : 'Areas and other looked-up values were refreshed'
}
