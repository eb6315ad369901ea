import { truncate } from '../../import/apply/error-groups.ts'
import { currentTarget, mappedColumnsFor } from '../../import/infer/change-mapping.ts'
import type { Inspection } from '../../import/infer/inspect.ts'
import type { Mapping } from '../../import/infer/mapping.ts'
import { chooseParsing, formatCount } from '../../import/infer/parsing.ts'
import type { TargetField } from '../../import/infer/target-fields.ts'
import { fieldTypes } from '../../model/properties/field-types.ts'
import type { Option } from '../../model/properties/value-types.ts'
import { Field, SelectField } from '../ui/form.tsx'
import { proposeField } from './apply-choices.ts'
import {
  canDescribeFields,
  formatTarget,
  newField,
  newFieldTypes,
  omitted,
  targetLabel,
} from './targets.ts'

const maxExampleLength = 60

type ColumnProps = {
  index: number
  heading: string
  inspected: Inspection
  mapping: Mapping
  options: readonly Option[]
  addsFields: boolean
  /** Returns the submitted value of a form field, or the default. */
  fieldValue: (name: string, defaultValue: string) => string
  error: string | undefined
}

/** Renders a column of the file: example values, target field and parser. */
export function Column(props: ColumnProps) {
  const { index, heading, inspected, mapping, options, addsFields, fieldValue, error } = props
  const { survey, targetFields } = inspected
  const facts = survey.columns.get(heading)
  const target = fieldValue(
    `target.${index}`,
    formatTarget(currentTarget(mapping, heading, targetFields)),
  )
  const isId = !mapping.id.isMade && mapping.id.columns.includes(heading)
  const field = addsFields ? proposeField(mapping, heading, inspected) : undefined
  const otherTargets = describeOtherTargets(mapping, heading, targetFields)
  const examples = facts?.examples.map(({ value }) => truncate(value, maxExampleLength)) ?? []
  return (
    <li>
      <div>
        <h3>{heading}</h3>
        <p class="small">
          {examples.length > 0 ? examples.join(' · ') : 'Empty.'}
          {facts && facts.filled > 0 && facts.filled < survey.rows && (
            <> ({formatCount(survey.rows - facts.filled, 'row')} without)</>
          )}
        </p>
        {listDecisions(inspected, mapping, heading).map((decision) => (
          <p class="small">{decision}</p>
        ))}
      </div>
      <div>
        <SelectField
          label={`Target of ${heading}`}
          name={`target.${index}`}
          options={[
            { value: omitted, label: isId ? 'Id only' : 'Leave out' },
            ...(field ? [{ value: newField, label: 'New field' }] : []),
            ...options,
          ]}
          selected={target}
          error={error}
          help={otherTargets && `Also fills ${otherTargets}.`}
        />
        {field && canDescribeFields(inspected.table.headings.length) && (
          <details class="new-field" open={error !== undefined}>
            <summary>Proposed: {fieldTypes[field.type].label.toLowerCase()}</summary>
            <Field label="Label" name={`label.${index}`}>
              {(attributes) => (
                <input {...attributes} value={fieldValue(`label.${index}`, field.label)} />
              )}
            </Field>
            <Field label="Type" name={`type.${index}`}>
              {(attributes) => (
                <select {...attributes}>
                  {newFieldTypes.map((type) => (
                    <option
                      value={type}
                      selected={type === fieldValue(`type.${index}`, field.type)}
                      data-options={fieldTypes[type].options !== undefined}
                    >
                      {fieldTypes[type].label}
                    </option>
                  ))}
                </select>
              )}
            </Field>
            <div class="field-options">
              <Field label="Options, one per line" name={`options.${index}`}>
                {(attributes) => (
                  <textarea {...attributes}>
                    {`\n${fieldValue(`options.${index}`, field.options?.map(({ value }) => value).join('\n') ?? '')}`}
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

/** Lists the labels of all fields that a column fills except the first. */
function describeOtherTargets(
  mapping: Mapping,
  heading: string,
  targetFields: readonly TargetField[],
): string {
  const [, ...otherColumns] = mappedColumnsFor(mapping, heading, targetFields)
  return otherColumns
    .flatMap(({ field }) => {
      const targetField = targetFields.find(({ path }) => path === field)
      return targetField ? targetLabel(targetField) : (field ?? [])
    })
    .join(' and ')
}

/** Lists notes on how a column is parsed. */
function listDecisions(
  { survey, proposal, targetFields }: Inspection,
  mapping: Mapping,
  heading: string,
) {
  const mappedColumn = mappedColumnsFor(mapping, heading, targetFields).find(
    ({ field }) => field !== null,
  )
  const facts = survey.columns.get(heading)
  const proposed = proposal.columns.find((column) => column.heading === heading)
  if (!mappedColumn || proposed?.as === mappedColumn.as || !facts) return proposed?.decisions ?? []
  const dateOrder = mappedColumn.dates === 'excel' ? undefined : mappedColumn.dates
  return chooseParsing(mappedColumn.as, facts, { inOtherColumns: dateOrder }).decisions
}
