import type { Context } from 'hono'
import type { CellMessageGroup, ImportResult } from '../../import/apply/import-result.ts'
import { formatCount } from '../../import/infer/parsing.ts'
import type { ErrorCode } from '../../model/validation-error.ts'
import { formatNumber } from '../../platform/format-number.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { recordPath } from '../ui/paths.ts'
import { ScrollRegion } from '../ui/table.tsx'

const correctFile = 'Correct it in the file, or leave the column out.'
const correctEither = 'Correct it in the file or in the record that has it.'

/** Advice for each error code; '' if the message itself explains the correction. */
export const advice: Readonly<Record<ErrorCode, string>> = {
  required: 'Fill in the cell.',
  invalid_type: correctFile,
  invalid_format: correctFile,
  not_allowed: '',
  too_long: correctFile,
  too_short: correctFile,
  too_large: correctFile,
  too_small: correctFile,
  too_many_errors: 'Correct the errors above, then import the file again.',
  unknown_field: correctFile,
  duplicate: 'Keep one of the lines, or choose another id.',
  not_unique: correctEither,
  not_found: '',
  ambiguous: correctEither,
  conflict: '',
  read_only: 'Leave the column out.',
  hidden: 'Leave the column out.',
  unreadable: 'Save the file again, or export it as CSV.',
  extra_cells: 'Put the value in quotation marks, or remove the extra separator.',
  spreadsheet_error: 'Correct the formula in the spreadsheet.',
  lost_digits: '',
  invalid_boolean: 'Write Yes or No, or leave the cells empty.',
  invalid_number: 'Write digits only, or map the column to a text field.',
  other_currency: 'Use one currency for all amounts in the column.',
  invalid_date:
    'Write the dates in this format, leave the cells empty, or map the column to a text field.',
  other_date_order: 'Correct the dates, or choose the other date order.',
  clock_change: '',
}

/** Renders the counts of an import result. */
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
          <strong class="figure">{formatNumber(count)}</strong> {label}
        </div>
      ))}
    </div>
  )
}

/** Renders the number of changed records by field. */
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
                <td class="number">{formatNumber(records)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </>
  )
}

type ChangedRecordsProps = { c: Context<DashboardEnv>; collection: string; result: ImportResult }

/** Renders the records that an import would change, with old and new values. */
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

/** Renders messages about rows by column, with examples, line numbers and advice. */
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
