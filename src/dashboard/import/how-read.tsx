import { asksEvent, eventNamed, whichEvent } from '../../import/tabular/booking-event.ts'
import type { Mapping } from '../../import/tabular/mapping.ts'
import type { Place } from '../../import/tabular/places.ts'
import type { Inspected } from '../../import/tabular/prepare.ts'
import { isKind } from '../../model/schema.ts'
import { Choices, Tick } from '../parts/choices.tsx'
import { Field } from '../parts/field.tsx'
import { inWords } from '../words.ts'
import { askedOfAll, type Faults, idsOffered } from './choices.ts'
import type { Form } from './form.ts'
import { labelOf, type Option } from './goals.ts'

type Props = {
  form: Form
  inspected: Inspected
  mapping: Mapping
  events: readonly Option[]
  /** What was typed in a field of the form, or what it says otherwise. */
  typed: (name: string, otherwise: string) => string
  faults: Faults
}

/** Asks what holds for the whole file: its ids, dates and times, what every record must have, and how people are found. */
export function HowRead({ form, inspected, mapping, events, typed, faults }: Props) {
  const { survey, proposal } = inspected
  const id = typed('id', JSON.stringify(mapping.id))
  const matched = form.has('id') ? form.all('match') : matchedBy(mapping)
  const saysId = JSON.stringify(mapping.id) === JSON.stringify(proposal.mapping.id)
  return (
    <fieldset class="fields">
      <legend>
        <h2>How it is read</h2>
      </legend>
      {asksEvent(mapping) && (
        <Field
          label={whichEvent}
          name="same.eventId"
          fault={faults['same.eventId']}
          help="No column says it. The bookings of the next file are kept apart by their event."
        >
          {(tied) => (
            <select {...tied}>
              <option value="">–</option>
              {events.map(({ value, label }) => (
                <option
                  value={value}
                  selected={value === typed('same.eventId', eventNamed(mapping))}
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
        fault={faults.id}
        help={saysId ? proposal.decisions.join(' ') : undefined}
      >
        {(tied) => (
          <select {...tied}>
            {idsOffered(mapping, inspected).map((offered) => (
              <option value={JSON.stringify(offered)} selected={JSON.stringify(offered) === id}>
                {idInWords(offered, survey.columns.size)}
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
        {(tied) => (
          <select {...tied}>
            {orders.map(([value, label]) => (
              <option value={value} selected={value === typed('order', '')}>
                {label}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field
        label="Time zone of times"
        name="timeZone"
        fault={faults.timeZone}
        help="Where no other is written behind a time."
      >
        {(tied) => (
          <input {...tied} value={typed('timeZone', mapping.timeZone)} autocomplete="off" />
        )}
      </Field>
      {askedOfAll(mapping, inspected).map((place) => (
        <OfAll
          place={place}
          value={typed(`same.${place.path}`, String(mapping.same[place.path] ?? ''))}
          fault={faults[`same.${place.path}`]}
        />
      ))}
      {isKind(mapping.collection) && (
        <Choices
          legend="Find people who are here under another id"
          name="match"
          fault={faults.match}
        >
          {matches.map(([value, label]) => (
            <Tick name="match" value={value} ticked={matched} label={label} />
          ))}
        </Choices>
      )}
    </fieldset>
  )
}

const orders = [
  ['', 'As each column shows'],
  ['day-first', 'Day first: 3 April'],
  ['month-first', 'Month first: 4 March'],
] as const

const matches = [
  ['email', 'by e-mail address'],
  ['name', 'by name'],
] as const

function matchedBy({ match }: Mapping): string[] {
  const fields = match.map((field) => field.toLowerCase().replaceAll(/[^a-z]/g, ''))
  return matches.map(([value]) => value).filter((value) => fields.some((it) => it.includes(value)))
}

function idInWords({ columns, isMade }: Mapping['id'], all: number): string {
  if (isMade && columns.length > 4 && columns.length >= all / 2) return 'Made of the whole row'
  const named = columns.map((heading) => `"${heading}"`).join(' and ')
  return isMade ? `An id made of ${named}` : `The id in ${named}`
}

/** What is the same in every record, as no column gives it. */
function OfAll({
  place,
  value,
  fault,
}: {
  place: Place
  value: string
  fault?: string | undefined
}) {
  return (
    <Field
      label={`${labelOf(place)} of all`}
      name={`same.${place.path}`}
      fault={fault}
      help="No column gives it, and every record must have it."
    >
      {(tied) =>
        place.options ? (
          <select {...tied}>
            <option value="">–</option>
            {place.options.map((option) => (
              <option value={option.value} selected={option.value === value}>
                {inWords(option.value)}
              </option>
            ))}
          </select>
        ) : (
          <input {...tied} value={value} />
        )
      }
    </Field>
  )
}
