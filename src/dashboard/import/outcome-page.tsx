import type { Context } from 'hono'
import type { DashboardEnv } from '../../auth/signed-in.ts'
import type { Mapping } from '../../import/tabular/mapping.ts'
import { counted } from '../../import/tabular/reading.ts'
import type { TableOutcome } from '../../import/tabular/table-outcome.ts'
import type { Form } from './form.ts'
import { Acts, Frame, pathOfImport } from './frame.tsx'
import { ChangedRecords, Changes, Counts, Groups } from './outcome.tsx'

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
  const leftOut = [...leftOutBy(mapping), ...outcome.leftOut]
  const changesNothing = outcome.created + outcome.updated + added + faulty === 0
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
        <h2>How it is read</h2>
        <ul>
          {readings(mapping).map((reading) => (
            <li>{reading}</li>
          ))}
          {added > 0 && (
            <li>
              {counted(added, 'field')} would be added to the schema of {mapping.collection}.
            </li>
          )}
          {leftOut.length > 0 && <li>Left out: {leftOut.join(', ')}.</li>}
        </ul>
        <Changes outcome={outcome} />
      </section>
      <ChangedRecords c={c} collection={mapping.collection} outcome={outcome} />
      <Groups title="What needs correcting" groups={outcome.faults} advises />
      <Groups title="Worth knowing" groups={outcome.sayings} />
      <section>
        {faulty > 0 && (
          <p>
            {good > 0
              ? `Import the ${counted(good, 'good row')} now, and you get the others as a CSV with the reasons, to be corrected and imported in the same way. Or leave it at that: nothing is kept yet, and you can correct the file first.`
              : 'No row is in order: go back and see whether each column goes to the right field.'}
          </p>
        )}
        {changesNothing && (
          <p>Everything in this file is here already. There is nothing to import.</p>
        )}
        <Acts back="where">
          {changesNothing && (
            <a class="button main" href={pathOfImport(c)}>
              Import another file
            </a>
          )}
          {faulty === 0 && !changesNothing && (
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

/** The columns that a mapping sends nowhere, but for one that holds the id. */
const leftOutBy = ({ columns, id }: Mapping): string[] =>
  columns.flatMap(({ heading, field }) =>
    field === null && (id.isMade || !id.columns.includes(heading)) ? [heading] : [],
  )

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
