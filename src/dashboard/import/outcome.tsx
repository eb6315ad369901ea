import type { Context } from 'hono'
import type { DashboardEnv } from '../../auth/signed-in.ts'
import { counted } from '../../import/tabular/reading.ts'
import type { SaidGroup, TableOutcome } from '../../import/tabular/table-outcome.ts'
import { Wide } from '../page.tsx'
import { pathOfRecord } from '../records/paths.ts'
import { adviceFor } from './advice.ts'

/** How many records an import makes of each sort. */
export function Counts({ outcome }: { outcome: TableOutcome }) {
  const { created, updated, unchanged, faulty } = outcome
  return (
    <div class="cards figures">
      {(
        [
          [created, 'new'],
          [updated, 'changed'],
          [unchanged, 'unchanged'],
          [faulty, 'faulty'],
        ] as const
      ).map(([count, what]) => (
        <div class="card">
          <strong class="figure">{count.toLocaleString('en-GB')}</strong> {what}
        </div>
      ))}
    </div>
  )
}

/** In which fields records change, and in how many. */
export function Changes({ outcome: { changes } }: { outcome: TableOutcome }) {
  if (changes.length === 0) return null
  return (
    <>
      <h2>What changes</h2>
      <Wide label="What changes" narrow>
        <table>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col" class="number">
                Records
              </th>
            </tr>
          </thead>
          <tbody>
            {changes.map(({ field, records }) => (
              <tr>
                <th scope="row">{field}</th>
                <td class="number">{records.toLocaleString('en-GB')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Wide>
    </>
  )
}

type ChangedProps = { c: Context<DashboardEnv>; collection: string; outcome: TableOutcome }

/** The records that an import would change, each with its old and new values. */
export function ChangedRecords({ c, collection, outcome: { changed, updated } }: ChangedProps) {
  if (changed.length === 0) return null
  const more = updated - changed.length
  return (
    <section>
      <h2>Old and new values</h2>
      <Wide label="Old and new values">
        <table>
          <thead>
            <tr>
              <th scope="col">Record</th>
              <th scope="col">Field</th>
              <th scope="col">Now</th>
              <th scope="col">After the import</th>
            </tr>
          </thead>
          <tbody>
            {changed.flatMap(({ id, name, line, fields }) =>
              fields.map(({ field, before, after }, at) => (
                <tr>
                  <th scope="row">
                    {at === 0 && (
                      <>
                        <a href={pathOfRecord(c, collection, id)}>{name || id}</a>, line {line}
                      </>
                    )}
                  </th>
                  <td>{field}</td>
                  <td>{before}</td>
                  <td>{after}</td>
                </tr>
              )),
            )}
          </tbody>
        </table>
      </Wide>
      {more > 0 && <p>{counted(more, 'more record')} would change.</p>}
    </section>
  )
}

type GroupsProps = { title: string; groups: readonly SaidGroup[]; advises?: boolean }

/** What is said of rows, once for each column and reason, with examples and their lines. */
export function Groups({ title, groups, advises }: GroupsProps) {
  if (groups.length === 0) return null
  return (
    <section>
      <h2>{title}</h2>
      <ul class="groups">
        {groups.map(({ column, reason, count, examples }) => (
          <li>
            <p>
              <strong>{column || 'The row'}</strong> {reason}{' '}
              <span class="tag">{counted(count, 'row')}</span>
            </p>
            <p class="small">
              {examples
                .map(({ line, value }) =>
                  value === '' ? `line ${line}` : `line ${line}: ${value}`,
                )
                .join(' · ')}
              {count > examples.length && ' · …'}
            </p>
            {advises && adviceFor(reason) && <p class="small">{adviceFor(reason)}</p>}
          </li>
        ))}
      </ul>
    </section>
  )
}
