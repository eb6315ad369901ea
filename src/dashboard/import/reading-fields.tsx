import type { Inspection } from '../../import/infer/inspect.ts'
import { chosenEventId, type Mapping, needsEvent } from '../../import/infer/mapping.ts'
import type { TargetField } from '../../import/infer/target-fields.ts'
import { eventQuestion } from '../../import/targets/require-event.ts'
import { toLabel } from '../../model/properties/compile.ts'
import { isKind } from '../../model/properties/schema.ts'
import { CheckboxGroup, Field, noOption, type Option, SelectField } from '../ui/form.tsx'
import { type ErrorCollector, listIdOptions, listMissingFields } from './apply-choices.ts'
import type { ImportForm } from './import-form.ts'
import { targetLabel } from './targets.ts'

type Props = {
  form: ImportForm
  inspected: Inspection
  mapping: Mapping
  events: readonly Option[]
  /** Returns the submitted value of a form field, or the default. */
  fieldValue: (name: string, defaultValue: string) => string
  errors: ErrorCollector
}

/** Renders the settings for the whole file: ids, dates and times, shared values and the matching of people. */
export function ReadingFields({ form, inspected, mapping, events, fieldValue, errors }: Props) {
  const { survey, proposal } = inspected
  const id = fieldValue('id', JSON.stringify(mapping.id))
  const checkedMatches = form.has('id') ? form.getAll('match') : readMatches(mapping)
  const isProposedId = JSON.stringify(mapping.id) === JSON.stringify(proposal.mapping.id)
  return (
    <fieldset class="field-grid">
      <legend>
        <h2>Reading options</h2>
      </legend>
      {needsEvent(mapping) && (
        <SelectField
          label={eventQuestion}
          name="shared.eventId"
          options={[noOption, ...events]}
          selected={fieldValue('shared.eventId', chosenEventId(mapping))}
          error={errors['shared.eventId']}
          help="No column names the event. Bookings for other events stay separate."
        />
      )}
      <SelectField
        label="Record id"
        name="id"
        options={listIdOptions(mapping, inspected).map((option) => ({
          value: JSON.stringify(option),
          label: describeId(option, survey.columns.size),
        }))}
        selected={id}
        error={errors.id}
        help={isProposedId ? proposal.decisions.join(' ') : undefined}
      />
      <SelectField
        label="Order of dates such as 03/04/2025"
        name="order"
        options={dateOrders}
        selected={fieldValue('order', '')}
        help="Each column above shows how its dates are read."
      />
      <Field
        label="Time zone"
        name="timeZone"
        error={errors.timeZone}
        help="Used for times without a time zone."
      >
        {(attributes) => (
          <input
            {...attributes}
            value={fieldValue('timeZone', mapping.timeZone)}
            autocomplete="off"
          />
        )}
      </Field>
      {listMissingFields(mapping, inspected).map((targetField) => (
        <SharedValueField
          targetField={targetField}
          value={fieldValue(
            `shared.${targetField.path}`,
            String(mapping.same[targetField.path] ?? ''),
          )}
          error={errors[`shared.${targetField.path}`]}
        />
      ))}
      {isKind(mapping.collection) && (
        <CheckboxGroup
          legend="Match existing people with another id"
          name="match"
          options={matchOptions}
          checkedValues={checkedMatches}
          error={errors.match}
        />
      )}
    </fieldset>
  )
}

const dateOrders: readonly Option[] = [
  { value: '', label: 'As shown for each column' },
  { value: 'day-first', label: 'Day first: 3 April' },
  { value: 'month-first', label: 'Month first: 4 March' },
]

const matchOptions: readonly Option[] = [
  { value: 'email', label: 'by e-mail address' },
  { value: 'name', label: 'by name' },
]

function readMatches({ match }: Mapping): string[] {
  const fields = match.map((field) => field.toLowerCase().replaceAll(/[^a-z]/g, ''))
  return matchOptions
    .map(({ value }) => value)
    .filter((value) => fields.some((field) => field.includes(value)))
}

function describeId({ columns, isMade }: Mapping['id'], columnCount: number): string {
  if (isMade && columns.length > 4 && columns.length >= columnCount / 2)
    return 'Derived from the whole row'
  const columnNames = columns.map((heading) => `"${heading}"`).join(' and ')
  return isMade ? `Derived from ${columnNames}` : `The id in ${columnNames}`
}

/** Renders the input for a value shared by all records. */
function SharedValueField({
  targetField,
  value,
  error,
}: {
  targetField: TargetField
  value: string
  error?: string | undefined
}) {
  const field = {
    label: `${targetLabel(targetField)} for all records`,
    name: `shared.${targetField.path}`,
    error,
    help: 'Every record needs a value, and no column has one.',
  }
  if (!targetField.options)
    return <Field {...field}>{(attributes) => <input {...attributes} value={value} />}</Field>
  const options = targetField.options.map((option) => ({
    value: option.value,
    label: toLabel(option.value),
  }))
  return <SelectField {...field} options={[noOption, ...options]} selected={value} />
}
