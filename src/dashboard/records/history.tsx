import type { Context } from 'hono'
import { describeAuthor } from '../../model/author.ts'
import { toLabel } from '../../model/properties/compile.ts'
import type { HistoryEntry } from '../../store/read/history.ts'
import { can } from '../session/permissions.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { Table } from '../ui/table.tsx'
import { Time } from '../ui/value.tsx'
import type { CollectionInfo } from './collection-info.ts'

type Props = { collection: CollectionInfo; history: readonly HistoryEntry[] }

/** Renders a record's history: when, which fields and by whom. */
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
          change === 'updated' ? describeChange(collection, fields) : toLabel(change),
          describeAuthor(author, key),
        ],
      }))}
    />
  )
}

/** Lists the labels of changed fields. A field that the schema no longer has appears with its id. */
function describeChange({ kind, properties }: CollectionInfo, fields: readonly string[]): string {
  const names = fields.map(
    (field) =>
      properties.find(({ name }) => name === field)?.label ?? (kind ? field : toLabel(field)),
  )
  return names.length > 0
    ? `Changed: ${names.join(', ')}`
    : 'Refreshed areas and other looked-up values'
}

/** Renders the links for a person's data rights: downloads and, for administrators, erasure. */
export function PersonalDataCard({
  c,
  path,
  singularLabel,
}: {
  c: Context<DashboardEnv>
  path: string
  singularLabel: string
}) {
  return (
    <section class="card">
      <h2>Personal data</h2>
      <p>Everything about this {singularLabel}, from all collections.</p>
      <div class="buttons">
        <a class="button" href={`${path}/export?$format=zip`} download>
          Download as zip
        </a>
        <a class="button" href={`${path}/export?$format=json`} download="everything.json">
          Download as JSON
        </a>
        {can(c, 'administer') && (
          <a class="button" href={`${path}/erase`}>
            Erase
          </a>
        )}
      </div>
    </section>
  )
}
