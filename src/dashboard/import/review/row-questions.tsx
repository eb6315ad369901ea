import type { Child } from 'hono/jsx'
import type { RepeatedRow } from '../../../import/candidates/match-records.ts'
import type { InvalidCell, TableImportResult } from '../../../import/report/import-result.ts'
import { formatCount } from '../../../platform/pluralise.ts'
import { recordPath } from '../../ui/paths.ts'
import type { PreparedImport } from './prepare-import.ts'
import {
  cellField,
  earlierRow,
  memberField,
  newRecord,
  noRecord,
  rowField,
  storedRecord,
} from './row-answers-form.ts'

type Props = { prepared: PreparedImport; result: TableImportResult }

/** Lists the rows with the record of an earlier row that nobody has left out. */
export const listRepeated = ({
  prepared: { rowAnswers },
  result: { repeated },
}: Props): readonly RepeatedRow[] =>
  repeated.filter(({ line }) => !rowAnswers.answers.leftOut.has(line))

/** Renders the questions about rows with the record of an earlier row. Such a row is not imported without an answer. */
export function RepeatedRows({ prepared, result }: Props) {
  return (
    <RowIssue
      title="Same person, or somebody else?"
      rows={listRepeated({ prepared, result })}
      unanswered="Rows without an answer are not imported."
    >
      {(row) => (
        <Choices
          legend={describeRepetition(row)}
          name={rowField(row.line)}
          choices={[
            [
              earlierRow(row.earlier.line),
              `${nameOf(row.earlier)}, row ${row.earlier.line}: use the newer values`,
            ],
            [
              newRecord,
              `${nameOf(row)}: a new ${prepared.noun.one}${row.isId ? ` without this ${row.headings.join(' + ')}` : ''}`,
            ],
            [noRecord, `Leave row ${row.line} out`],
          ]}
        />
      )}
    </RowIssue>
  )
}

const maxHeadings = 4

function describeRepetition({ line, headings, value, isId, earlier }: RepeatedRow): string {
  if (isId) return `Row ${line} has the ${headings.join(' + ')} of row ${earlier.line}, ${value}.`
  if (headings.length > maxHeadings) return `Row ${line} is the same as row ${earlier.line}.`
  return `Row ${line} has the same ${headings.join(' and ')} as row ${earlier.line}: ${value}.`
}

/** Renders the questions about new people who share details with others. Nobody becomes a second record without an answer. */
export function SimilarPeopleQuestions({
  prepared: { opened, mapping },
  result: { similar },
}: Props) {
  return (
    <RowIssue
      title="Same person, or a new one?"
      rows={similar}
      unanswered="Rows without an answer are not imported."
    >
      {({ line, name, same, other }) => (
        <Choices
          legend={
            <>
              {nameOf({ name, line })}, row {line}, has the same{' '}
              {same.map((detail) => detailNames[detail]).join(' and ')} as{' '}
              {'line' in other ? (
                `${nameOf(other)}, row ${other.line}.`
              ) : (
                <>
                  <a href={recordPath(opened.c, mapping.collection, other.id)}>{nameOf(other)}</a>,
                  who has a record.
                </>
              )}
            </>
          }
          name={rowField(line)}
          choices={[
            [
              'line' in other ? earlierRow(other.line) : storedRecord(other.id),
              'The same person: use the newer values',
            ],
            [newRecord, 'A new person'],
            [noRecord, `Leave row ${line} out`],
          ]}
        />
      )}
    </RowIssue>
  )
}

const detailNames = {
  email: 'e-mail address',
  phone: 'phone number',
  'name and birth date': 'name and date of birth',
} as const

/** Renders the questions about booked people with the name of a member. */
export function UnclearMembers({ prepared: { opened }, result: { unclearMembers } }: Props) {
  return (
    <RowIssue
      title="Is this a member?"
      rows={unclearMembers}
      unanswered="Rows without an answer are decided on the register."
    >
      {({ line, name, members }) => (
        <Choices
          legend={
            <>
              {name}, row {line}, has the name of{' '}
              {members.map((member, index) => (
                <>
                  {index > 0 && ', '}
                  <a href={recordPath(opened.c, 'members', member.id)}>{member.name}</a>
                </>
              ))}
              .
            </>
          }
          name={memberField(line)}
          choices={[
            ['', 'Decide later, on the register'],
            ...members.map(
              (member, index): Choice => [
                member.id,
                members.length === 1
                  ? `This is ${member.name}`
                  : `This is ${member.name}, the ${ordinals[index]}`,
              ],
            ),
            [newRecord, 'Somebody else: add a new member'],
          ]}
        />
      )}
    </RowIssue>
  )
}

const ordinals = ['first', 'second', 'third']

/** Renders the cells with errors by column and error, with an input for each. */
export function InvalidCells({
  prepared: { inspected },
  result,
  skip,
}: Props & { skip: ReadonlySet<string> }) {
  const { headings } = inspected.table
  const cells = result.invalidCells.filter(
    ({ column }) => headings.includes(column) && !skip.has(column),
  )
  const groups = Map.groupBy(cells, ({ column, message }) => `${column}: it ${message}`)
  return (
    <>
      {[...groups.values()].map((group) => (
        <CellGroup cells={group} headings={headings} result={result} />
      ))}
    </>
  )
}

type CellGroupProps = {
  cells: readonly InvalidCell[]
  headings: readonly string[]
  result: TableImportResult
}

function CellGroup({ cells, headings, result }: CellGroupProps) {
  const [{ column = '', message = '' } = {}] = cells
  const group = result.errors.find((error) => error.column === column && error.message === message)
  const count = group?.count ?? cells.length
  const index = headings.indexOf(column)
  return (
    <Issue title={`${column}: ${formatCount(count, 'value')} cannot be read`} rows={count}>
      <p>The value {message}</p>
      {cells.map(({ line, value }) => {
        const name = cellField(line, index)
        return (
          <div class="row">
            <label for={name}>Row {line}</label>
            <input type="hidden" name={`${name}.before`} value={value} />
            <input id={name} name={name} class="narrow" value={value} autocomplete="off" />
            <button type="submit" class="button" name="step" value="review">
              Save
            </button>
            <button type="submit" class="button plain" name="empty" value={`${line}.${index}`}>
              Leave empty
            </button>
          </div>
        )
      })}
      {count > cells.length && (
        <p>
          {formatCount(count - cells.length, 'more row')}: correct these in the file, or leave the
          column out.
        </p>
      )}
    </Issue>
  )
}

type Choice = readonly [value: string, label: string]

function Choices({
  legend,
  name,
  choices,
}: {
  legend: Child
  name: string
  choices: readonly Choice[]
}) {
  return (
    <fieldset>
      <legend class="question">{legend}</legend>
      {choices.map(([value, label]) => (
        <label class="choice">
          <input type="radio" name={name} value={value} checked={value === ''} />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  )
}

const maxShown = 40

/** Renders the first questions about rows, and the number of further ones. */
function RowIssue<Row extends { line: number }>({
  title,
  rows,
  unanswered,
  children,
}: {
  title: string
  rows: readonly Row[]
  /** The fate of the rows without an answer. */
  unanswered: string
  children: (row: Row) => Child
}) {
  if (rows.length === 0) return null
  const remaining = rows.length - maxShown
  return (
    <Issue title={title} rows={rows.length}>
      <p>{unanswered}</p>
      {rows.slice(0, maxShown).map(children)}
      {remaining > 0 && (
        <p>
          {formatCount(remaining, 'more question')} of this kind. Answer these, then choose “Update
          preview” to see the next.
        </p>
      )}
    </Issue>
  )
}

function Issue({ title, rows, children }: { title: string; rows: number; children: Child }) {
  return (
    <div class="issue">
      <h3>
        {title} <span class="tag warn">{formatCount(rows, 'row')}</span>
      </h3>
      {children}
    </div>
  )
}

const nameOf = ({ name, ...row }: { name: string; line?: number }) =>
  name || (row.line === undefined ? 'somebody without a name' : `Row ${row.line}`)
