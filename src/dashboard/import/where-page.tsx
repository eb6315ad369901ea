import type { Context } from 'hono'
import type { DashboardEnv } from '../../auth/signed-in.ts'
import type { Mapping } from '../../import/tabular/mapping.ts'
import type { Inspected } from '../../import/tabular/prepare.ts'
import { counted } from '../../import/tabular/reading.ts'
import { isKind } from '../../model/schema.ts'
import { may } from '../may.ts'
import { inWords } from '../words.ts'
import type { Faults } from './choices.ts'
import { Column } from './column.tsx'
import type { Form } from './form.ts'
import { Acts, Frame } from './frame.tsx'
import { type Option, optionsOf } from './goals.ts'
import { HowRead } from './how-read.tsx'

type Props = {
  c: Context<DashboardEnv>
  form: Form
  inspected: Inspected
  mapping: Mapping
  /** The events that a file of bookings may be for, where it does not say it. */
  events: readonly Option[]
  faults?: Faults
  fault?: string | undefined
}

/** Asks where each column goes, and how the file is read; what was typed stays. */
export function WherePage(props: Props) {
  const { c, form, inspected, mapping, events, faults = {}, fault } = props
  const { table, survey } = inspected
  const isFaulty = Object.keys(faults).length > 0
  const isPeople = isKind(mapping.collection)
  const typed = (name: string, otherwise: string) => (form.has(name) ? form.one(name) : otherwise)
  const options = optionsOf(inspected.places)
  const addsFields = isPeople && may(c, 'administer')
  return (
    <Frame
      c={c}
      step="where"
      title="What goes where"
      form={form}
      mapping={JSON.stringify(mapping)}
      rows={survey.rows}
      fault={fault ?? (isFaulty ? 'Nothing was imported: see what is marked below.' : undefined)}
    >
      <section>
        <h2>Columns</h2>
        <p>
          {counted(survey.rows, 'row')} of {inWords(mapping.collection).toLowerCase()}. Columns that
          go to the same field are joined by a space.
          {isPeople &&
            (addsFields
              ? ' A column that has no field yet is left out, unless you choose “A new field”.'
              : ' A column that has no field is left out: administrators can add fields.')}
        </p>
        <ol class="columns">
          {table.headings.map((heading, at) => (
            <Column
              at={at}
              heading={heading}
              inspected={inspected}
              mapping={mapping}
              options={options}
              addsFields={addsFields}
              typed={typed}
              fault={faults[`goal.${at}`]}
            />
          ))}
        </ol>
      </section>
      <section>
        <HowRead
          form={form}
          inspected={inspected}
          mapping={mapping}
          events={events}
          typed={typed}
          faults={faults}
        />
        <Acts back="what">
          <button type="submit" name="step" value="check">
            See what would happen
          </button>
        </Acts>
      </section>
    </Frame>
  )
}
