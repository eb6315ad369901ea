import type { Context } from 'hono'
import type { DashboardEnv } from '../../auth/signed-in.ts'
import type { Mapping } from '../../import/tabular/mapping.ts'
import { counted } from '../../import/tabular/reading.ts'
import type { SaidGroup, TableOutcome } from '../../import/tabular/table-outcome.ts'
import { Wide } from '../page.tsx'
import { pathOfCollection } from '../records/paths.ts'
import { inWords } from '../words.ts'
import { adviceFor } from './advice.ts'
import type { Form } from './form.ts'
import { Acts, Frame, pathOfImport } from './frame.tsx'

type Props = {
  c: Context<DashboardEnv>
  form: Form
  mapping: Mapping
  outcome: TableOutcome
  /** How many fields the schema would be given. */
  added: number
  fault?: string
}

/** Says what an import would do, before it is done. */
export function OutcomePage({ c, form, mapping, outcome, added, fault }: Props) {
  const { rows, faulty } = outcome
  const good = rows - faulty
  return (
    <Frame
      c={c}
      step="check"
      title="What would happen"
      form={form}
      mapping={JSON.stringify(mapping)}
      rows={rows}
      fault={fault}
    >
      <Counts outcome={outcome} />
      <section>
        <ul>
          {readings(mapping).map((reading) => (
            <li>{reading}</li>
          ))}
          {added > 0 && (
            <li>
              {counted(added, 'field')} would be added to the schema of {mapping.collection}.
            </li>
          )}
          {outcome.leftOut.length > 0 && <li>Left out: {outcome.leftOut.join(', ')}.</li>}
        </ul>
        <Changes outcome={outcome} />
      </section>
      <Groups title="Not in order" groups={outcome.faults} advises />
      <Groups title="To know" groups={outcome.sayings} />
      <section>
        {faulty > 0 && (
          <p>
            {good > 0
              ? `Import the ${counted(good, 'good row')} now, and you get the others as a CSV with the reasons, to be corrected and imported in the same way. Or leave it at that: nothing is kept yet, and you can correct the file first.`
              : 'No row is in order: go back and see whether each column goes to the right field.'}
          </p>
        )}
        <Acts back="where">
          {faulty === 0 && (
            <button type="submit" name="step" value="all">
              Import {counted(rows, 'row')}
            </button>
          )}
          {faulty > 0 && good > 0 && (
            <button type="submit" name="step" value="good">
              Import the {counted(good, 'good row')}
            </button>
          )}
          {faulty > 0 && (
            <button type="submit" class="plain" name="step" value="file">
              Correct the file first
            </button>
          )}
        </Acts>
      </section>
    </Frame>
  )
}

type DoneProps = {
  c: Context<DashboardEnv>
  form: Form
  mapping: Mapping
  outcome: TableOutcome
  /** The rows that were not imported, as CSV, and how many more there are. */
  rest: { csv: string; more: number }
}

/** Says what an import has done, and gives the rows back that were not imported. */
export function DonePage({ c, form, mapping, outcome, rest }: DoneProps) {
  const { collection } = mapping
  return (
    <Frame c={c} step="done" title="Imported" form={form}>
      <Counts outcome={outcome} />
      {outcome.faulty > 0 && (
        <section>
          <h2>Rows that were not imported</h2>
          <p>
            {counted(outcome.faulty - rest.more, 'row')} with the reasons, in the last column.
            Correct them there, take the two last columns out or leave them, and import the file: it
            is read the same way.
            {rest.more > 0 &&
              ` ${counted(rest.more, 'more row')} did not find room here: import the same file again to get them.`}
          </p>
          <label for="rest">As CSV</label>
          <textarea id="rest" readonly data-rest="not-imported.csv">
            {rest.csv}
          </textarea>
          <div class="acts" data-rest-link />
        </section>
      )}
      <Groups title="Not in order" groups={outcome.faults} advises />
      <section>
        <Changes outcome={outcome} />
        <p>How the file was read is kept for the next file with the same headings.</p>
        <div class="acts">
          <a class="button main" href={pathOfCollection(c, collection)}>
            See the {inWords(collection).toLowerCase()}
          </a>
          <a class="button" href={pathOfImport(c)}>
            Import another file
          </a>
        </div>
      </section>
    </Frame>
  )
}

function Counts({ outcome }: { outcome: TableOutcome }) {
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

function Changes({ outcome: { changes } }: { outcome: TableOutcome }) {
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

type GroupsProps = { title: string; groups: readonly SaidGroup[]; advises?: boolean }

/** What is said of rows, once for each column and reason, with examples and their lines. */
function Groups({ title, groups, advises }: GroupsProps) {
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

/** How the dates and times of the file are read, and what a record's id is. */
function readings({ columns, timeZone, id, match }: Mapping): string[] {
  const headings = (dates: string) => [
    ...new Set(columns.filter((one) => one.dates === dates).map(({ heading }) => heading)),
  ]
  const told = (dates: string, how: string) =>
    headings(dates).length > 0 ? [`Dates are read ${how}: ${headings(dates).join(', ')}.`] : []
  return [
    ...told('day-first', 'day first (03/04/2025 is 3 April)'),
    ...told('month-first', 'month first (03/04/2025 is 4 March)'),
    ...told('excel', "as Excel's count of days"),
    ...(columns.some(({ as }) => as === 'time') ? [`Times are those of ${timeZone}.`] : []),
    `${id.isMade ? 'An id is made of' : 'The id is in'} ${id.columns.map((one) => `"${one}"`).join(' and ')}.`,
    ...(match.length > 0
      ? [`People who are here under another id are found by ${match.join(' and ')}.`]
      : []),
  ]
}
