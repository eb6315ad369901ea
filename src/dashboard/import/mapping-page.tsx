import type { Context } from 'hono'
import type { Inspection } from '../../import/infer/inspect.ts'
import type { Mapping } from '../../import/infer/mapping.ts'
import { formatCount } from '../../import/infer/parsing.ts'
import { toLabel } from '../../model/properties/compile.ts'
import { isKind, type Values } from '../../model/properties/schema.ts'
import type { Option } from '../../model/properties/value-types.ts'
import { readSortedRecords } from '../../store/read/sorted.ts'
import { describeCollection } from '../records/collection-info.ts'
import { loadRecords } from '../records/read.ts'
import { can } from '../session/permissions.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import type { ErrorCollector } from './apply-choices.ts'
import { Column } from './column-fields.tsx'
import type { ImportForm } from './import-form.ts'
import { ReadingFields } from './reading-fields.tsx'
import { StepButtons, StepPage } from './step-page.tsx'
import { buildTargetOptions } from './targets.ts'

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

/** Renders the form for the columns' target fields and the parsing options. Keeps submitted values. */
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
      step="mapping"
      title="Map columns to fields"
      form={form}
      mapping={JSON.stringify(mapping)}
      rows={survey.rows}
      error={error ?? (hasErrors ? 'Nothing was imported. Correct the errors below.' : undefined)}
    >
      <section>
        <h2>Columns</h2>
        <p>
          {formatCount(survey.rows, 'row')} of {toLabel(mapping.collection).toLowerCase()}. Columns
          that fill the same field are joined with a space.
          {isPeople &&
            (canAddFields
              ? ' Columns without a field are left out unless you choose “New field”.'
              : ' Columns without a field are left out. Administrators can add fields.')}
        </p>
        <ol class="column-list">
          {table.headings.map((heading, index) => (
            <Column
              index={index}
              heading={heading}
              inspected={inspected}
              mapping={mapping}
              options={options}
              addsFields={canAddFields}
              fieldValue={fieldValue}
              error={errors[`target.${index}`]}
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
        <StepButtons previousStep="collection">
          <button type="submit" name="step" value="check">
            Check import
          </button>
        </StepButtons>
      </section>
    </StepPage>
  )
}

const maxAll = 250
const maxPast = 200
const maxNext = 50

/** Lists the events to choose from, latest first: all, or only those around today if there are many. */
export async function listEventOptions(c: Context<DashboardEnv>): Promise<Option[]> {
  const collection = await describeCollection(c, 'events')
  const query = new URLSearchParams({ limit: String(maxAll) })
  const { records, total = 0 } = await loadRecords(c, collection, query)
  const selected = total > maxAll ? await listEventsAroundToday(c) : records
  return selected
    .toSorted((one, other) => asText(other.start).localeCompare(asText(one.start)))
    .map(({ eventId, name, start }) => ({
      value: asText(eventId),
      label: [asText(name) || asText(eventId), asText(start).slice(0, 10)]
        .filter(Boolean)
        .join(', '),
    }))
}

async function listEventsAroundToday({ var: { store } }: Context<DashboardEnv>): Promise<Values[]> {
  const after = { value: new Date().toISOString(), ordinal: 0 }
  const pages = await Promise.all([
    readSortedRecords(store, 'events', { field: 'start', descending: true, limit: maxPast, after }),
    readSortedRecords(store, 'events', {
      field: 'start',
      descending: false,
      limit: maxNext,
      after,
    }),
  ])
  return pages.flatMap(({ records }) => records.map(({ document }) => JSON.parse(document)))
}

const asText = (value: unknown) => (typeof value === 'string' ? value : '')
