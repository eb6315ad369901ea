import type { Context } from 'hono'
import type { Inspection } from '../../import/infer/inspect.ts'
import { formatCount } from '../../import/infer/parsing.ts'
import type { Mapping } from '../../import/mapping.ts'
import { isKind } from '../../model/schema.ts'
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
  /** The events that a file of bookings may be for, where it does not say it. */
  events: readonly Option[]
  errors?: ErrorCollector
  error?: string | undefined
}

/** Asks where each column goes, and how the file is read; what was typed stays. */
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
      title="What goes where"
      form={form}
      mapping={JSON.stringify(mapping)}
      rows={survey.rows}
      error={error ?? (hasErrors ? 'Nothing was imported: see what is marked below.' : undefined)}
    >
      <section>
        <h2>Columns</h2>
        <p>
          {formatCount(survey.rows, 'row')} of {toWords(mapping.collection).toLowerCase()}. Columns
          that go to the same field are joined by a space.
          {isPeople &&
            (canAddFields
              ? ' A column that has no field yet is left out, unless you choose “A new field”.'
              : ' A column that has no field is left out: administrators can add fields.')}
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
            See what would happen
          </button>
        </StepButtons>
      </section>
    </StepPage>
  )
}
