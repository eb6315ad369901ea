import type { Child } from 'hono/jsx'
import type { AmbiguousRow, RepeatedRow } from '../../../import/candidates/match-records.ts'
import type { InvalidCell, TableImportResult } from '../../../import/report/import-result.ts'
import { formatCount, pluralise } from '../../../platform/pluralise.ts'
import { recordPath } from '../../ui/paths.ts'
import type { PreparedImport } from './prepare-import.ts'
import {
  allCells,
  allMembers,
  allRows,
  cellField,
  cellsField,
  earlierRow,
  emptyCell,
  memberField,
  newRecord,
  noRecord,
  rowField,
  storedRecord,
} from './row-answers-form.ts'

type Props = { prepared: PreparedImport; result: TableImportResult }

/** Lists the rows with the record of an earlier row that nobody has left out. */
export const listRepeated = ({ prepared, result: { repeated } }: Props): readonly RepeatedRow[] =>
  repeated.filter(isNotLeftOut(prepared))

/** Lists the rows with the details of several people that nobody has left out. */
export const listAmbiguous = ({ prepared, result }: Props): readonly AmbiguousRow[] =>
  result.ambiguous.filter(isNotLeftOut(prepared))

const isNotLeftOut =
  ({ rowAnswers }: PreparedImport) =>
  ({ line }: { line: number }) =>
    !rowAnswers.answers.leftOut.has(line)

/** Renders the questions about rows with the record of an earlier row. Such a row is not imported without an answer. */
export function RepeatedRows({ prepared, result }: Props) {
  return (
    <RowIssue
      title="Same person, or somebody else?"
      rows={listRepeated({ prepared, result })}
      all={allRows}
      answers={[
        ['Use the newer values', ({ other }) => sameRecord(other)],
        [`New ${prepared.noun.many}`, () => newRecord],
        ['Leave them out', () => noRecord],
      ]}
    >
      {(row) => (
        <Choices
          legend={describeRepetition(row)}
          name={rowField(row.line)}
          choices={[
            [
              sameRecord(row.other),
              `${nameOf(row.other)}, ${describeOther(row.other)}: use the newer values`,
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

/** Renders the questions about rows with the details of several people. Such a row is not imported without an answer. */
export function AmbiguousRows({ prepared, result }: Props) {
  return (
    <RowIssue
      title="Which person is this?"
      rows={listAmbiguous({ prepared, result })}
      all={allRows}
      answers={[
        [`New ${prepared.noun.many}`, () => newRecord],
        ['Leave them out', () => noRecord],
      ]}
    >
      {(row) => <AmbiguousRowQuestion row={row} prepared={prepared} />}
    </RowIssue>
  )
}

function AmbiguousRowQuestion({
  row: { line, headings, value, people, total },
  prepared,
}: {
  row: AmbiguousRow
  prepared: PreparedImport
}) {
  const { noun } = prepared
  return (
    <Choices
      legend={
        <>
          Row {line} has the {headings.join(' and ')} of {formatCount(total, noun.one, noun.many)}:{' '}
          {value}.
        </>
      }
      name={rowField(line)}
      choices={[
        ...people.map(
          (other, index): Choice => [
            sameRecord(other),
            <>
              Number {index + 1}: <OtherRecord prepared={prepared} other={other} />
            </>,
          ],
        ),
        [newRecord, `A new ${noun.one}`],
        [noRecord, `Leave row ${line} out`],
      ]}
    />
  )
}

const maxHeadings = 4

function describeRepetition({ line, headings, value, isId, other }: RepeatedRow): string {
  const earlier = describeOther(other)
  if (isId) return `Row ${line} has the ${headings.join(' + ')} of ${earlier}, ${value}.`
  if (headings.length > maxHeadings) return `Row ${line} is the same as ${earlier}.`
  return `Row ${line} has the same ${headings.join(' and ')} as ${earlier}: ${value}.`
}

const describeOther = (other: RepeatedRow['other']) =>
  'line' in other ? `row ${other.line}` : 'an earlier record'

/** Renders the questions about new people who share details with others. Nobody becomes a second record without an answer. */
export function SimilarPeopleQuestions({ prepared, result: { similar } }: Props) {
  return (
    <RowIssue
      title="Same person, or a new one?"
      rows={similar}
      all={allRows}
      answers={[
        ['The same people', ({ other }) => sameRecord(other)],
        ['New people', () => newRecord],
        ['Leave them out', () => noRecord],
      ]}
    >
      {({ line, name, same, other }) => (
        <Choices
          legend={
            <>
              {nameOf({ name, line })}, row {line}, has the same{' '}
              {same.map((detail) => detailNames[detail]).join(' and ')} as{' '}
              <OtherRecord prepared={prepared} other={other} />
              {'line' in other ? '.' : ', who has a record.'}
            </>
          }
          name={rowField(line)}
          choices={[
            [sameRecord(other), 'The same person: use the newer values'],
            [newRecord, 'A new person'],
            [noRecord, `Leave row ${line} out`],
          ]}
        />
      )}
    </RowIssue>
  )
}

/** Names the record of an earlier row, or a stored one with a link. */
function OtherRecord({
  prepared: { opened, mapping },
  other,
}: {
  prepared: PreparedImport
  other: RepeatedRow['other']
}) {
  if ('line' in other) return <>{`${nameOf(other)}, row ${other.line}`}</>
  return <a href={recordPath(opened.c, mapping.collection, other.id)}>{nameOf(other)}</a>
}

const sameRecord = (other: RepeatedRow['other']) =>
  'line' in other ? earlierRow(other.line) : storedRecord(other.id)

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
      all={allMembers}
      answers={[
        [
          'These members',
          ({ members: [first, ...others] }) => (others.length === 0 && first?.id) || '',
        ],
        ['Add new members', () => newRecord],
      ]}
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
      {[...groups.values()].map((group, number) => (
        <CellGroup cells={group} number={number} headings={headings} result={result} />
      ))}
    </>
  )
}

type CellGroupProps = {
  cells: readonly InvalidCell[]
  number: number
  headings: readonly string[]
  result: TableImportResult
}

/** Renders cells with the same error: one answer for all of them, then an input for each of the first. */
function CellGroup({ cells, number, headings, result }: CellGroupProps) {
  const [{ column = '', message = '' } = {}] = cells
  const error = result.errors.find((known) => known.column === column && known.message === message)
  const count = error?.count ?? cells.length
  const index = headings.indexOf(column)
  const group = `${index}-${number}`
  const name = cellsField(group)
  const isMissing = cells.every(({ value }) => value === '')
  const title = isMissing
    ? `${formatCount(count, 'row')} ${pluralise(count, 'has', 'have')} no ${column}`
    : `${column}: ${formatCount(count, 'value')} cannot be read`
  return (
    <Issue title={title} rows={count}>
      <p>The value {message}</p>
      {cells.length > 1 && (
        <div class="row">
          <input type="hidden" name={name} value={cells.map(({ line }) => line).join(',')} />
          <label for={name}>All {cells.length}</label>
          <input id={name} name={`${name}.value`} autocomplete="off" />
          <button type="submit" class="button" name={allCells} value={`${group}.value`}>
            Use for all
          </button>
          {!isMissing && (
            <button type="submit" class="button" name={allCells} value={`${group}.${emptyCell}`}>
              Leave all empty
            </button>
          )}
          <button type="submit" class="button" name={allCells} value={`${group}.${noRecord}`}>
            Leave these rows out
          </button>
        </div>
      )}
      {cells.slice(0, maxInputs).map(({ line, value }) => {
        const name = cellField(line, index)
        return (
          <div class="row">
            <label for={name}>Row {line}</label>
            <input type="hidden" name={`${name}.before`} value={value} />
            <input id={name} name={name} value={value} autocomplete="off" />
            <button type="submit" class="button" name="step" value="review">
              Save
            </button>
            <button type="submit" class="button plain" name="empty" value={`${line}.${index}`}>
              Leave empty
            </button>
          </div>
        )
      })}
      {count > maxInputs && (
        <p>
          {formatCount(count - maxInputs, 'more row')}: one answer for all, correct these in the
          file, or leave the column out.
        </p>
      )}
    </Issue>
  )
}

/** The number of cells with an input of their own. */
const maxInputs = 5

type Choice = readonly [value: string, label: Child]

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

/** The numbers of rows with a question of their own, and of those that are not folded away. */
const maxShown = 40
const maxOpen = 5
/** The number of rows that one answer for all concerns. */
const maxAnswered = 500

/** Renders one answer for all rows of a question, then the first rows, and the number of further ones. */
function RowIssue<Row extends { line: number }>({
  title,
  rows,
  unanswered = 'Rows without an answer are not imported.',
  all,
  answers,
  children,
}: {
  title: string
  rows: readonly Row[]
  /** The fate of the rows without an answer. */
  unanswered?: string
  /** The name of the buttons with one answer for all rows, and these answers. */
  all: string
  answers: readonly (readonly [label: string, answerOf: (row: Row) => string])[]
  children: (row: Row) => Child
}) {
  if (rows.length === 0) return null
  const remaining = rows.length - maxShown
  return (
    <Issue title={title} rows={rows.length}>
      <p>{unanswered}</p>
      {rows.length > 1 && (
        <p class="row">
          All {rows.length}:
          {answers.map(([label, answerOf]) => (
            <button
              type="submit"
              class="button"
              name={all}
              value={JSON.stringify(
                Object.fromEntries(
                  rows
                    .slice(0, maxAnswered)
                    .map((row) => [row.line, answerOf(row)])
                    .filter(([, answer]) => answer !== ''),
                ),
              )}
            >
              {label}
            </button>
          ))}
        </p>
      )}
      {rows.slice(0, maxOpen).map(children)}
      {rows.length > maxOpen && (
        <details class="fold">
          <summary>{formatCount(Math.min(rows.length, maxShown) - maxOpen, 'more row')}</summary>
          {rows.slice(maxOpen, maxShown).map(children)}
        </details>
      )}
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
