import { currentTarget, mappedColumnsFor } from '../../../import/mapping/change-mapping.ts'
import { chooseParsing } from '../../../import/mapping/choose-parsing.ts'
import { mayHoldConsent } from '../../../import/mapping/consent-columns.ts'
import { truncate } from '../../../import/report/message-groups.ts'
import { recordHeadings } from '../../../import/rows/tick-sheet.ts'
import { fieldTypes } from '../../../model/properties/field-types.ts'
import type { Option } from '../../../model/value-types.ts'
import { formatCount } from '../../../platform/pluralise.ts'
import { FieldError, LabelledField, Select } from '../../ui/controls.tsx'
import { DataTable } from '../../ui/table.tsx'
import { proposeField } from './apply-choices.ts'
import {
  buildTargetOptions,
  canDescribeFields,
  formatTarget,
  leftOutByChoice,
  newField,
  newFieldTypes,
  omitted,
  targetLabel,
} from './column-targets.ts'
import type { PreparedImport } from './prepare-import.ts'

const maxShownMatched = 5

/** Renders the columns of the file with their fields: those without a field first, most others folded. */
export function ColumnsSection({ prepared }: { prepared: PreparedImport }) {
  const { inspected, consents, errors } = prepared
  const columns = recordHeadings(inspected.table).entries().toArray()
  const asked = new Set(consents)
  const rows = columns.filter(([, heading]) => !asked.has(heading))
  const isFirst = ([index, heading]: readonly [number, string]) =>
    errors[`target.${index}`] !== undefined || !isMatched(prepared, heading)
  const first = rows.filter(isFirst)
  const matched = rows.filter((row) => !isFirst(row))
  const open = [...first, ...matched.slice(0, maxShownMatched)]
  const folded = matched.slice(maxShownMatched)
  const options = buildTargetOptions(inspected.targetFields, prepared.mapping.collection)
  return (
    <section class="section">
      <h2>
        Columns{' '}
        <small>
          {matched.length} of {columns.length} matched
        </small>
      </h2>
      <ColumnsTable prepared={prepared} rows={open} options={options} />
      {folded.length > 0 && (
        <details class="fold">
          <summary>{formatCount(folded.length, 'more matched column')}</summary>
          <ColumnsTable prepared={prepared} rows={folded} options={options} />
        </details>
      )}
    </section>
  )
}

/** Whether a column fills a field or the id, or holds nothing. */
function isMatched({ mapping, inspected }: PreparedImport, heading: string): boolean {
  const { tableFacts, targetFields } = inspected
  return (
    (tableFacts.columns.get(heading)?.filled ?? 0) === 0 ||
    isId(mapping, heading) ||
    typeof currentTarget(mapping, heading, targetFields) === 'object'
  )
}

const isId = ({ id }: PreparedImport['mapping'], heading: string) =>
  !id.isMade && id.columns.includes(heading)

type TableProps = {
  prepared: PreparedImport
  rows: readonly (readonly [index: number, heading: string])[]
  options: readonly Option[]
}

function ColumnsTable({ prepared, rows, options }: TableProps) {
  const { mapping, inspected } = prepared
  return (
    <DataTable
      label="Columns of the file and their fields"
      isStacked
      columns={[
        { heading: 'Column', cell: ({ heading }) => heading },
        {
          heading: 'In the file',
          isQuiet: true,
          cell: ({ heading }) => listExamples(prepared, heading),
        },
        {
          heading: 'Field',
          cell: (column) => <ColumnTarget prepared={prepared} options={options} {...column} />,
        },
        {
          heading: 'Read as',
          isQuiet: true,
          cell: ({ heading }) => {
            const target = currentTarget(mapping, heading, inspected.targetFields)
            const isOmitted = formatTarget(target) === omitted
            return describeReading(prepared, heading) || (isOmitted ? '' : 'Matched')
          },
        },
      ]}
      rows={rows.map(([index, heading]) => ({ index, heading }))}
    />
  )
}

const maxExampleLength = 40

function listExamples({ inspected }: PreparedImport, heading: string): string {
  const examples = inspected.tableFacts.columns.get(heading)?.examples ?? []
  return examples.map(({ value }) => truncate(value, maxExampleLength)).join(', ') || 'Empty'
}

type ColumnTargetProps = Omit<TableProps, 'rows'> & { index: number; heading: string }

/** Renders the choice of the field that a column fills, and the description of a new one. */
function ColumnTarget({ prepared, index, heading, options }: ColumnTargetProps) {
  const { inspected, mapping, opened, errors } = prepared
  const { tableFacts, targetFields, table } = inspected
  const name = `target.${index}`
  const id = `field-${name}`
  const error = errors[name]
  const field = prepared.canExtendSchema ? proposeField(mapping, heading, inspected) : undefined
  const isConsent = mayHoldConsent(heading, tableFacts.columns.get(heading))
  const omittedValue = isConsent ? leftOutByChoice : omitted
  const target = formatTarget(currentTarget(mapping, heading, targetFields))
  const shownTarget = target === omitted ? omittedValue : target
  return (
    <>
      <Select
        attributes={{
          name,
          id,
          'aria-label': `Field for ${heading}`,
          ...(error && { 'aria-invalid': 'true', 'aria-describedby': `${id}-error` }),
        }}
        options={[
          {
            value: omittedValue,
            label: isId(mapping, heading) ? 'Only to recognise the record' : 'Leave out',
          },
          ...(field ? [{ value: newField, label: 'New field' }] : []),
          ...options,
        ]}
        selected={opened.form.get(name) === newField ? newField : shownTarget}
      />
      <FieldError id={id} message={error} />
      {field && canDescribeFields(table.headings.length) && (
        <NewFieldFold
          prepared={prepared}
          index={index}
          field={field}
          isOpen={error !== undefined}
        />
      )}
    </>
  )
}

type NewFieldProps = {
  prepared: PreparedImport
  index: number
  field: ReturnType<typeof proposeField>
  isOpen: boolean
}

/** Renders the label, type and options of the new field that a column can fill. */
function NewFieldFold({ prepared, index, field, isOpen }: NewFieldProps) {
  const { form } = prepared.opened
  const value = (name: string, defaultValue: string) =>
    form.has(`${name}.${index}`) ? form.get(`${name}.${index}`) : defaultValue
  const selectedType = value('type', field.type)
  return (
    <details class="fold new-field" open={isOpen}>
      <summary>New field: {fieldTypes[field.type].label.toLowerCase()}</summary>
      <LabelledField label="Label" name={`label.${index}`}>
        {(attributes) => <input {...attributes} value={value('label', field.label)} />}
      </LabelledField>
      <LabelledField label="Type" name={`type.${index}`}>
        {(attributes) => (
          <select {...attributes}>
            {newFieldTypes.map((type) => (
              <option
                value={type}
                selected={type === selectedType}
                data-options={fieldTypes[type].options !== undefined}
              >
                {fieldTypes[type].label}
              </option>
            ))}
          </select>
        )}
      </LabelledField>
      <div class="field-options">
        <LabelledField label="Options, one per line" name={`options.${index}`}>
          {(attributes) => (
            <textarea {...attributes}>
              {`\n${value('options', field.options?.map((option) => option.value).join('\n') ?? '')}`}
            </textarea>
          )}
        </LabelledField>
      </div>
    </details>
  )
}

/** How a column is read, and the further fields that it fills. */
function describeReading({ inspected, mapping }: PreparedImport, heading: string): string {
  const { tableFacts, proposal, targetFields } = inspected
  const [, ...others] = mappedColumnsFor(mapping, heading, targetFields)
  const alsoFills = others.flatMap(({ field }) => {
    const targetField = targetFields.find(({ path }) => path === field)
    return targetField ? targetLabel(targetField, mapping.collection) : (field ?? [])
  })
  const mappedColumn = mappedColumnsFor(mapping, heading, targetFields).find(
    ({ field }) => field !== null,
  )
  const facts = tableFacts.columns.get(heading)
  const proposed = proposal.columns.find((column) => column.heading === heading)
  const dateOrder = mappedColumn?.dates === 'excel' ? undefined : mappedColumn?.dates
  const decisions =
    !mappedColumn || proposed?.as === mappedColumn.as || !facts
      ? (proposed?.decisions ?? [])
      : chooseParsing(mappedColumn.as, facts, { inOtherColumns: dateOrder }).decisions
  return [
    ...decisions,
    ...(alsoFills.length > 0 ? [`Also fills ${alsoFills.join(' and ')}.`] : []),
  ].join(' ')
}
