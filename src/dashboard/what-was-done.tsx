import type { AuditRecord } from '../store/audit.ts'
import { Time } from './parts/time.tsx'
import { Table } from './table.tsx'

/** What was done to an organisation's keys, people and fields, and by whom. */
export function WhatWasDone({ acts }: { acts: readonly AuditRecord[] }) {
  return (
    <section>
      <h2>What was done</h2>
      <Table
        label="What was done"
        stack
        lead="When (UK time)"
        headings={[{ text: 'Who' }, { text: 'What' }, { text: 'Which' }]}
        rows={acts.map(({ at, actor, act, target }) => ({
          lead: <Time at={at} />,
          cells: [actor, act, target],
        }))}
      />
    </section>
  )
}
