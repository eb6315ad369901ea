import type { ListedAuditEntry } from '../../store/audit-log.ts'
import { Table } from '../ui/table.tsx'
import { Time } from '../ui/time.tsx'

/** The audit log of an organisation's keys, people or schemas. */
export function AuditTable({ entries }: { entries: readonly ListedAuditEntry[] }) {
  return (
    <section>
      <h2>Activity</h2>
      <Table
        label="Activity"
        isStacked
        firstHeading="When (UK time)"
        headings={[{ text: 'Person' }, { text: 'Action' }, { text: 'Target' }]}
        rows={entries.map(({ at, actor, act, target }) => ({
          rowHeader: <Time value={at} />,
          cells: [actor, act, target],
        }))}
      />
    </section>
  )
}
