import type { ListedAuditEntry } from '../../store/audit-log.ts'
import { Table } from '../ui/table.tsx'
import { Time } from '../ui/time.tsx'

/** What was done to an organisation's keys, people and fields, and by whom. */
export function AuditTable({ entries }: { entries: readonly ListedAuditEntry[] }) {
  return (
    <section>
      <h2>What was done</h2>
      <Table
        label="What was done"
        isStacked
        firstHeading="When (UK time)"
        headings={[{ text: 'Who' }, { text: 'What' }, { text: 'Which' }]}
        rows={entries.map(({ at, actor, act, target }) => ({
          rowHeader: <Time value={at} />,
          cells: [actor, act, target],
        }))}
      />
    </section>
  )
}
