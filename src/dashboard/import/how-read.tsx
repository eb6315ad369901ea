import { chosenEventId, eventQuestion, needsEvent } from '../../import/apply/booking-event.ts'
import type { Inspection } from '../../import/infer/inspect.ts'
import type { TargetField } from '../../import/infer/target-fields.ts'
import type { Mapping } from '../../import/mapping.ts'
import { isKind } from '../../model/schema.ts'
import { Checkbox, CheckboxGroup } from '../ui/choices.tsx'
import { Field } from '../ui/field.tsx'
import { toWords } from '../ui/words.ts'
import { type ErrorCollector, listIdOptions, listMissingFields } from './choices.ts'
import type { ImportForm } from './form.ts'
import { type Option, targetLabel } from './goals.ts'

type Props = {
  form: ImportForm
  inspected: Inspection
  mapping: Mapping
  events: readonly Option[]
  /** What was typed in a field of the form, or what it says otherwise. */
  fieldValue: (name: string, defaultValue: string) => string
  errors: ErrorCollector
}

/** Asks what holds for the whole file: its ids, dates and times, what every record must have, and how people are found. */
export function ReadingFields({ form, inspected, mapping, events, fieldValue, errors }: Props) {
  const { survey, proposal } = inspected
  const id = fieldValue('id', JSON.stringify(mapping.id))
  const checkedMatches = form.has('id') ? form.getAll('match') : readMatches(mapping)
  const isProposedId = JSON.stringify(mapping.id) === JSON.stringify(proposal.mapping.id)
  return (
    <fieldset class="fields">
      <legend>
        <h2>How it is read</h2>
      </legend>
      {needsEvent(mapping) && (
        <Field
          label={eventQuestion}
          name="same.eventId"
          error={errors['same.eventId']}
          help="No column says it. The bookings of the next file are kept apart by their event."
        >
          {(attributes) => (
            <select {...attributes}>
              <option value="">–</option>
              {events.map(({ value, label }) => (
                <option
                  value={value}
                  selected={value === fieldValue('same.eventId', chosenEventId(mapping))}
                >
                  {label}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      <Field
        label="What makes a record the same in the next file"
        name="id"
        error={errors.id}
        help={isProposedId ? proposal.decisions.join(' ') : undefined}
      >
        {(attributes) => (
          <select {...attributes}>
            {listIdOptions(mapping, inspected).map((option) => (
              <option value={JSON.stringify(option)} selected={JSON.stringify(option) === id}>
                {describeId(option, survey.columns.size)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field
        label="Dates such as 03/04/2025"
        name="order"
        help="Each column above says how its dates are read."
      >
        {(attributes) => (
          <select {...attributes}>
            {dateOrders.map(([value, label]) => (
              <option value={value} selected={value === fieldValue('order', '')}>
                {label}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field
        label="Time zone of times"
        name="timeZone"
        error={errors.timeZone}
        help="Where no other is written behind a time."
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
            `same.${targetField.path}`,
            String(mapping.same[targetField.path] ?? ''),
          )}
          error={errors[`same.${targetField.path}`]}
        />
      ))}
      {isKind(mapping.collection) && (
        <CheckboxGroup
          legend="Find people who are here under another id"
          name="match"
          error={errors.match}
        >
          {matchOptions.map(([value, label]) => (
            <Checkbox name="match" value={value} checkedValues={checkedMatches} label={label} />
          ))}
        </CheckboxGroup>
      )}
    </fieldset>
  )
}

const dateOrders = [
  ['', 'As each column shows'],
  ['day-first', 'Day first: 3 April'],
  ['month-first', 'Month first: 4 March'],
] as const

const matchOptions = [
  ['email', 'by e-mail address'],
  ['name', 'by name'],
] as const

function readMatches({ match }: Mapping): string[] {
  const fields = match.map((field) => field.toLowerCase().replaceAll(/[^a-z]/g, ''))
  return matchOptions
    .map(([value]) => value)
    .filter((value) => fields.some((field) => field.includes(value)))
}

function describeId({ columns, isMade }: Mapping['id'], columnCount: number): string {
  if (isMade && columns.length > 4 && columns.length >= columnCount / 2)
    return 'Made of the whole row'
  const columnNames = columns.map((heading) => `"${heading}"`).join(' and ')
  return isMade ? `An id made of ${columnNames}` : `The id in ${columnNames}`
}

/** What is the same in every record, as no column gives it. */
function SharedValueField({
  targetField,
  value,
  error,
}: {
  targetField: TargetField
  value: string
  error?: string | undefined
}) {
  return (
    <Field
      label={`${targetLabel(targetField)} of all`}
      name={`same.${targetField.path}`}
      error={error}
      help="No column gives it, and every record must have it."
    >
      {(attributes) =>
        targetField.options ? (
          <select {...attributes}>
            <option value="">–</option>
            {targetField.options.map((option) => (
              <option value={option.value} selected={option.value === value}>
                {toWords(option.value)}
              </option>
            ))}
          </select>
        ) : (
          <input {...attributes} value={value} />
        )
      }
    </Field>
  )
}
