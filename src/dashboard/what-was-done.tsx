import type { AuditRecord } from '../store/audit.ts'
import { Time, Wide } from './page.tsx'
import { Headings } from './parts/headings.tsx'

/** What was done to an organisation's keys, people and fields, and by whom. */
export function WhatWasDone({ acts }: { acts: readonly AuditRecord[] }) {
  return (
    <section>
      <h2>What was done</h2>
      <Wide label="What was done" stack>
        <table>
          <Headings of={['When (UTC)', 'Who', 'What', 'Which']} />
          <tbody>
            {acts.map(({ at, actor, act, target }) => (
              <tr>
                <td>
                  <Time at={at} />
                </td>
                <td>{actor}</td>
                <td>{act}</td>
                <td>{target}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Wide>
    </section>
  )
}
