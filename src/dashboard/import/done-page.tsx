import type { Context } from 'hono'
import type { DashboardEnv } from '../../auth/signed-in.ts'
import type { Mapping } from '../../import/tabular/mapping.ts'
import { counted } from '../../import/tabular/reading.ts'
import type { TableOutcome } from '../../import/tabular/table-outcome.ts'
import { pathOfCollection } from '../records/paths.ts'
import { inWords } from '../words.ts'
import type { Form } from './form.ts'
import { Frame, pathOfImport } from './frame.tsx'
import { Changes, Counts, Groups } from './outcome.tsx'

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
            {counted(outcome.faulty - rest.more, 'row')} with the reasons. Correct them there and
            import that file: it is read the same way, and its last three columns stay. A row that
            repeats another stays out until you correct it, or write the id of the record to change
            in the last column.
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
      <Groups title="What needs correcting" groups={outcome.faults} advises />
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
