import type { Context } from 'hono'
import type { Inspection } from '../../import/infer/inspect.ts'
import { formatCount } from '../../import/infer/parsing.ts'
import type { Mapping } from '../../import/mapping.ts'
import { isKind } from '../../model/properties/schema.ts'
import { can } from '../session/permissions.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { toWords } from '../ui/words.ts'
import type { ErrorCollector } from './choices.ts'
import { Column } from './column.tsx'
import type { ImportForm } from './form.ts'
import { StepButtons, StepPage } from './frame.tsx'
import { buildTargetOptions, type Option } from './goals.ts'
import { ReadingFields } from './how-read.tsx'

type Props = {
  c: Context<DashboardEnv>
  form: ImportForm
  inspected: Inspection
  mapping: Mapping
  /** The events to choose from, for bookings without an event column. */
  events: readonly Option[]
  errors?: ErrorCollector
  error?: string | undefined
}

/** Asks for the target of each column and the reading options. Keeps submitted values. */
export function MappingPage(props: Props) {
  const { c, form, inspected, mapping, events, errors = {}, error } = props
  const { table, survey } = inspected
  const hasErrors = Object.keys(errors).length > 0
  const isPeople = isKind(mapping.collection)
  const fieldValue = (name: string, defaultValue: string) =>
    form.has(name) ? form.get(name) : defaultValue
  const options = buildTargetOptions(inspected.targetFields)
  const canAddFields = isPeople && can(c, 'administer')
  return (
    <StepPage
      c={c}
      step="where"
      title="Map columns to fields"
      form={form}
      mapping={JSON.stringify(mapping)}
      rows={survey.rows}
      error={error ?? (hasErrors ? 'Nothing was imported. Correct the errors below.' : undefined)}
    >
      <section>
        <h2>Columns</h2>
        <p>
          {formatCount(survey.rows, 'row')} of {toWords(mapping.collection).toLowerCase()}. Columns
          that fill the same field are joined with a space.
          {isPeople &&
            (canAddFields
              ? ' Columns without a field are left out unless you choose “New field”.'
              : ' Columns without a field are left out. Administrators can add fields.')}
        </p>
        <ol class="columns">
          {table.headings.map((heading, index) => (
            <Column
              index={index}
              heading={heading}
              inspected={inspected}
              mapping={mapping}
              options={options}
              addsFields={canAddFields}
              fieldValue={fieldValue}
              error={errors[`goal.${index}`]}
            />
          ))}
        </ol>
      </section>
      <section>
        <ReadingFields
          form={form}
          inspected={inspected}
          mapping={mapping}
          events={events}
          fieldValue={fieldValue}
          errors={errors}
        />
        <StepButtons previousStep="what">
          <button type="submit" name="step" value="check">
            Check import
          </button>
        </StepButtons>
      </section>
    </StepPage>
  )
}
