import type { Context } from 'hono'
import type { CellMessageGroup, ImportResult } from '../../import/apply/import-result.ts'
import { formatCount } from '../../import/infer/parsing.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { recordPath } from '../ui/paths.ts'
import { ScrollRegion } from '../ui/table.tsx'
import { advice } from './advice.ts'

/** The counts of an import result. */
export function ResultCounts({ result }: { result: ImportResult }) {
  const { created, updated, unchanged, rejected } = result
  return (
    <div class="cards figures">
      {(
        [
          [created, 'new'],
          [updated, 'changed'],
          [unchanged, 'unchanged'],
          [rejected, 'rejected'],
        ] as const
      ).map(([count, label]) => (
        <div class="card">
          <strong class="figure">{count.toLocaleString('en-GB')}</strong> {label}
        </div>
      ))}
    </div>
  )
}

/** The number of changed records by field. */
export function FieldChanges({ result: { changes } }: { result: ImportResult }) {
  if (changes.length === 0) return null
  return (
    <>
      <h2>Changed fields</h2>
      <ScrollRegion label="Changed fields" isNarrow>
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
      </ScrollRegion>
    </>
  )
}

type ChangedRecordsProps = { c: Context<DashboardEnv>; collection: string; result: ImportResult }

/** The records that an import would change, with old and new values. */
export function ChangedRecords({
  c,
  collection,
  result: { changed, updated },
}: ChangedRecordsProps) {
  if (changed.length === 0) return null
  const omitted = updated - changed.length
  return (
    <section>
      <h2>Old and new values</h2>
      <ScrollRegion label="Old and new values">
        <table>
          <thead>
            <tr>
              <th scope="col">Record</th>
              <th scope="col">Field</th>
              <th scope="col">Old value</th>
              <th scope="col">New value</th>
            </tr>
          </thead>
          <tbody>
            {changed.flatMap(({ id, name, line, fields }) =>
              fields.map(({ field, before, after }, index) => (
                <tr>
                  <th scope="row">
                    {index === 0 && (
                      <>
                        <a href={recordPath(c, collection, id)}>{name || id}</a>, line {line}
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
      </ScrollRegion>
      {omitted > 0 && <p>{formatCount(omitted, 'more record')} will change.</p>}
    </section>
  )
}

type MessageGroupsProps = {
  title: string
  groups: readonly CellMessageGroup[]
}

/** Messages about rows, grouped by column, with examples, their lines and advice on errors. */
export function MessageGroups({ title, groups }: MessageGroupsProps) {
  if (groups.length === 0) return null
  return (
    <section>
      <h2>{title}</h2>
      <ul class="message-groups">
        {groups.map(({ column, message, code, count, examples }) => (
          <li>
            <p>
              <strong>{column || 'The row'}</strong> {message}{' '}
              <span class="tag">{formatCount(count, 'row')}</span>
            </p>
            <p class="small">
              {examples
                .map(({ line, value }) =>
                  value === '' ? `line ${line}` : `line ${line}: ${value}`,
                )
                .join(' · ')}
              {count > examples.length && ' · …'}
            </p>
            {code && advice[code] && <p class="small">{advice[code]}</p>}
          </li>
        ))}
      </ul>
    </section>
  )
}
