import type { Mapping } from '../../../import/mapping/mapping.ts'
import type { TargetField } from '../../../import/mapping/target-fields.ts'
import { toLabel } from '../../../model/properties/compile.ts'
import type { Option } from '../../../model/value-types.ts'
import { CheckboxGroup, LabelledField, noOption, SelectField } from '../../ui/controls.tsx'
import { listIdOptions } from './apply-choices.ts'
import { targetLabel } from './column-targets.ts'
import type { PreparedImport } from './prepare-import.ts'

/** Renders the settings for the whole file: ids, dates and times, and the matching of people. */
export function ReadingFields({ prepared }: { prepared: PreparedImport }) {
  const { inspected, mapping, errors } = prepared
  const { form } = prepared.opened
  const fieldValue = (name: string, defaultValue: string) =>
    form.has(name) ? form.get(name) : defaultValue
  const { tableFacts, proposal } = inspected
  const id = fieldValue('id', JSON.stringify(mapping.id))
  const checkedMatches = form.has('id') ? form.getAll('match') : readMatches(mapping)
  const isProposedId = JSON.stringify(mapping.id) === JSON.stringify(proposal.mapping.id)
  return (
    <fieldset class="field-grid">
      <legend class="visually-hidden">How the file is read</legend>
      <SelectField
        label="How to recognise a record that is imported again"
        name="id"
        options={listIdOptions(mapping, inspected).map((option) => ({
          value: JSON.stringify(option),
          label: describeId(option, tableFacts.columns.size),
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
        help="Each column shows how its dates are read."
      />
      <LabelledField
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
      </LabelledField>
      {inspected.schema && (
        <CheckboxGroup
          legend="Match existing people with another number"
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
    return 'By all columns together'
  const columnNames = columns.map((heading) => `"${heading}"`).join(' and ')
  return isMade ? `By ${columnNames}` : `By the number in ${columnNames}`
}

type SharedValueProps = { prepared: PreparedImport; targetField: TargetField }

/** Renders the question for a value that every record needs and no column has. */
export function SharedValueIssue({ prepared, targetField }: SharedValueProps) {
  const { mapping, errors, opened } = prepared
  const name = `shared.${targetField.path}`
  const value = opened.form.has(name)
    ? opened.form.get(name)
    : String(mapping.same[targetField.path] ?? '')
  const field = {
    label: `${targetLabel(targetField, mapping.collection)} for all records`,
    name,
    error: opened.form.has('id') ? errors[name] : undefined,
    help: 'Every record needs a value, and no column has one.',
  }
  const options = targetField.options?.map((option) => ({
    value: option.value,
    label: toLabel(option.value),
  }))
  return (
    <div class="issue">
      {options ? (
        <SelectField {...field} options={[noOption, ...options]} selected={value} />
      ) : (
        <LabelledField {...field}>
          {(attributes) => <input {...attributes} value={value} />}
        </LabelledField>
      )}
    </div>
  )
}
