import type { Child } from 'hono/jsx'
import type { ImportResult, InvalidCell } from '../../../import/apply/import-result.ts'
import { formatCount } from '../../../import/infer/parsing.ts'
import { recordPath } from '../../ui/paths.ts'
import type { PreparedImport } from './prepare-import.ts'
import {
  cellField,
  earlierRow,
  memberField,
  newRecord,
  rowField,
  storedRecord,
} from './row-answers-form.ts'

type Props = { prepared: PreparedImport; result: ImportResult }

/** Renders the questions about rows with the id of an earlier row. Such a row is not imported without an answer. */
export function RepeatedRows({ result: { repeated } }: Props) {
  if (repeated.length === 0) return null
  return (
    <RowIssue title="Same person, or somebody else?" rows={repeated.length}>
      {repeated.map(({ line, name, value, earlier }) => (
        <Choices
          legend={`Row ${line} has the id of row ${earlier.line}, ${value}.`}
          name={rowField(line)}
          choices={[
            [
              earlierRow(earlier.line),
              `${nameOf(earlier)}, row ${earlier.line}: use the newer values`,
            ],
            [newRecord, `${nameOf({ name, line })}: a new record without this id`],
            ['', `Leave row ${line} out`],
          ]}
        />
      ))}
    </RowIssue>
  )
}

/** Renders the questions about new people who share details with others. They are new people without an answer. */
export function SimilarPeople({ result: { similar } }: Props) {
  if (similar.length === 0) return null
  return (
    <RowIssue title="Same person, or a new one?" rows={similar.length}>
      {similar.map(({ line, name, same, other }) => (
        <Choices
          legend={`${nameOf({ name, line })}, row ${line}, has the same ${same.map((detail) => detailNames[detail]).join(' and ')} as ${nameOf(other)}${'line' in other ? `, row ${other.line}` : ', who has a record'}.`}
          name={rowField(line)}
          choices={[
            ['', 'A new person'],
            [
              'line' in other ? earlierRow(other.line) : storedRecord(other.id),
              `The same person: use the newer values`,
            ],
          ]}
        />
      ))}
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
  if (unclearMembers.length === 0) return null
  return (
    <RowIssue title="Is this a member?" rows={unclearMembers.length}>
      {unclearMembers.map(({ line, name, members }) => (
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
      ))}
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
  result: ImportResult
}

function CellGroup({ cells, headings, result }: CellGroupProps) {
  const [{ column = '', message = '' } = {}] = cells
  const group = result.errors.find((error) => error.column === column && error.message === message)
  const count = group?.count ?? cells.length
  const index = headings.indexOf(column)
  return (
    <RowIssue title={`${column}: ${formatCount(count, 'value')} cannot be read`} rows={count}>
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
    </RowIssue>
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

function RowIssue({ title, rows, children }: { title: string; rows: number; children: Child }) {
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
