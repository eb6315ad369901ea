import { clipped } from '../../import/groups.ts'
import type { Mapping } from '../../import/tabular/mapping.ts'
import type { Place } from '../../import/tabular/places.ts'
import type { Inspected } from '../../import/tabular/prepare.ts'
import { counted, readingOf } from '../../import/tabular/reading.ts'
import { columnsOf, goalOf } from '../../import/tabular/remap.ts'
import { Field } from '../parts/field.tsx'
import { proposedField } from './choices.ts'
import {
  canDescribeFields,
  goalValue,
  hasOptions,
  labelOf,
  newField,
  nowhere,
  type Option,
  typesOffered,
} from './goals.ts'

const longestExample = 60

type ColumnProps = {
  at: number
  heading: string
  inspected: Inspected
  mapping: Mapping
  options: readonly Option[]
  addsFields: boolean
  /** What was typed in a field of the form, or what it says otherwise. */
  typed: (name: string, otherwise: string) => string
  fault: string | undefined
}

/** A column of the file: examples of what is in it, where it goes, and how it is read. */
export function Column(props: ColumnProps) {
  const { at, heading, inspected, mapping, options, addsFields, typed, fault } = props
  const { survey, places } = inspected
  const facts = survey.columns.get(heading)
  const goal = typed(`goal.${at}`, goalValue(goalOf(mapping, heading, places)))
  const isId = !mapping.id.isMade && mapping.id.columns.includes(heading)
  const field = addsFields ? proposedField(mapping, heading, inspected) : undefined
  const also = alsoOf(mapping, heading, places)
  const examples = facts?.examples.map(({ value }) => clipped(value, longestExample)) ?? []
  return (
    <li>
      <div>
        <h3>{heading}</h3>
        <p class="small">
          {examples.length > 0 ? examples.join(' · ') : 'Empty.'}
          {facts && facts.filled > 0 && facts.filled < survey.rows && (
            <> ({counted(survey.rows - facts.filled, 'row')} without)</>
          )}
        </p>
        {decisionsOf(inspected, mapping, heading).map((decision) => (
          <p class="small">{decision}</p>
        ))}
      </div>
      <div>
        <Field
          label={`Where ${heading} goes`}
          name={`goal.${at}`}
          fault={fault}
          help={also && `Also to ${also}.`}
        >
          {(tied) => (
            <select {...tied}>
              <option value={nowhere} selected={goal === nowhere}>
                {isId ? 'Only the id' : 'Leave out'}
              </option>
              {field && (
                <option value={newField} selected={goal === newField}>
                  A new field
                </option>
              )}
              {options.map(({ value, label }) => (
                <option value={value} selected={goal === value}>
                  {label}
                </option>
              ))}
            </select>
          )}
        </Field>
        {field && canDescribeFields(inspected.table.headings.length) && (
          <details class="new" open={fault !== undefined}>
            <summary>Proposed: {(typesOffered[field.type] ?? field.type).toLowerCase()}</summary>
            <Field label="Label" name={`label.${at}`}>
              {(tied) => <input {...tied} value={typed(`label.${at}`, field.label)} />}
            </Field>
            <Field label="Type" name={`type.${at}`}>
              {(tied) => (
                <select {...tied}>
                  {Object.entries(typesOffered).map(([type, label]) => (
                    <option
                      value={type}
                      selected={type === typed(`type.${at}`, field.type)}
                      data-options={hasOptions(type)}
                    >
                      {label}
                    </option>
                  ))}
                </select>
              )}
            </Field>
            <div class="options">
              <Field label="Options, one on each line" name={`options.${at}`}>
                {(tied) => (
                  <textarea {...tied}>
                    {`\n${typed(`options.${at}`, field.options?.map(({ value }) => value).join('\n') ?? '')}`}
                  </textarea>
                )}
              </Field>
            </div>
          </details>
        )}
      </div>
    </li>
  )
}

/** The other fields that a column goes to beside the first. */
function alsoOf(mapping: Mapping, heading: string, places: readonly Place[]): string {
  const [, ...others] = columnsOf(mapping, heading, places)
  return others
    .flatMap(({ field }) => {
      const place = places.find(({ path }) => path === field)
      return place ? labelOf(place) : (field ?? [])
    })
    .join(' and ')
}

/** What is to be said of how a column is read: as it was proposed, or as it is read now. */
function decisionsOf({ survey, proposal, places }: Inspected, mapping: Mapping, heading: string) {
  const mapped = columnsOf(mapping, heading, places).find(({ field }) => field !== null)
  const facts = survey.columns.get(heading)
  const proposed = proposal.columns.find((column) => column.heading === heading)
  if (!mapped || proposed?.as === mapped.as || !facts) return proposed?.decisions ?? []
  const said = mapped.dates === 'excel' ? undefined : mapped.dates
  return readingOf(mapped.as, facts, { elsewhere: said }).decisions
}
