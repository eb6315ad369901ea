import { listChoices } from '../../../import/candidates/parse-choice.ts'
import type { UnlistedColumn } from '../../../import/candidates/unlisted-values.ts'
import type { TargetField } from '../../../import/mapping/target-fields.ts'
import type { Option } from '../../../model/value-types.ts'
import { formatCount, pluralise } from '../../../platform/pluralise.ts'
import { Select } from '../../ui/controls.tsx'
import { Icon } from '../../ui/icon.tsx'
import {
  addField,
  addOption,
  chosenValue,
  currentAnswer,
  noValue,
  textsField,
  valueField,
} from './apply-values.ts'
import { targetLabel } from './column-targets.ts'
import type { PreparedImport } from './prepare-import.ts'

/** A column with texts that match no option, and how many of them have no value yet. */
export type ValueQuestion = {
  column: UnlistedColumn
  targetField: TargetField
  /** The number of texts without a value, and of their rows. */
  open: number
  openRows: number
}

const maxTexts = 150

/** Lists the columns with texts that match no option, with or without an answer. Returns at most 150 texts of a file. */
export function listValueQuestions(
  { mapping, inspected }: PreparedImport,
  unlisted: readonly UnlistedColumn[],
): ValueQuestion[] {
  let left = maxTexts
  return unlisted.flatMap((column): ValueQuestion[] => {
    const targetField = inspected.targetFields.find(({ path }) => path === column.field)
    const mapped = mapping.columns.find(
      ({ heading, field }) => heading === column.heading && field === column.field,
    )
    if (!targetField || !mapped) return []
    const values = column.values.slice(0, left)
    left -= values.length
    const open = values.filter(({ text }) => currentAnswer(mapping, mapped, text) === '')
    return [
      {
        column: {
          ...column,
          values,
          hasMore: column.hasMore || values.length < column.values.length,
        },
        targetField,
        open: open.length,
        openRows: open.reduce((sum, { rows }) => sum + rows, 0),
      },
    ]
  })
}

type IssueProps = { prepared: PreparedImport; question: ValueQuestion }

/** Renders the question for the values of a column's texts. */
export function ValueIssue({ prepared, question }: IssueProps) {
  const { column, targetField, open, openRows } = question
  const total = column.values.length
  const canAdd = canAddOptions(prepared, targetField)
  return (
    <div class="issue">
      <h3>
        {targetLabel(targetField, prepared.mapping.collection)}: {open} of{' '}
        {formatCount(total, 'value')} {pluralise(open, 'matches', 'match')} no option{' '}
        <span class="tag warn">{formatCount(openRows, 'row')}</span>
      </h3>
      <p>
        Choose an option for each{canAdd && ', or add the value as an option'}. Your choices apply
        to the next file too.
      </p>
      <ValuePairs prepared={prepared} question={question} />
    </div>
  )
}

/** Renders a select for each text of a column. */
export function ValuePairs({ prepared, question: { column, targetField } }: IssueProps) {
  const { inspected, mapping, opened } = prepared
  const index = inspected.table.headings.indexOf(column.heading)
  const mapped = mapping.columns.find(
    ({ heading, field }) => heading === column.heading && field === column.field,
  )
  const canAdd = canAddOptions(prepared, targetField)
  const added = mapping.options?.[column.field] ?? []
  const choices: Option[] = (listChoices(targetField) ?? [])
    .filter(({ value }) => !added.includes(value))
    .map(({ value, label }) => ({ value: chosenValue(value), label: label || value }))
  const known = opened.usesSavedMapping && opened.mapping ? opened.mapping : undefined
  return (
    <>
      <input
        type="hidden"
        name={textsField(index)}
        value={JSON.stringify(column.values.map(({ text }) => text))}
      />
      <ul class="pairs">
        {column.values.map(({ text, rows }, position) => {
          const name = valueField(index, position)
          const answer = mapped ? currentAnswer(mapping, mapped, text) : ''
          return (
            <li>
              <span>
                {text} <span class="quiet">({formatCount(rows, 'row')})</span>
              </span>
              <Icon name="right" />
              <Select
                attributes={{ name, 'aria-label': `Value for ${text}` }}
                options={[
                  { value: '', label: 'Choose' },
                  ...choices,
                  { value: noValue, label: 'Leave empty' },
                  ...(canAdd ? [{ value: addOption, label: `Add “${text}” as a new option` }] : []),
                ]}
                selected={answer}
              />
              <span class="quiet">
                {answer !== '' && known && 'As last time'}
                {answer === '' && canAdd && (
                  <button type="submit" class="link" name={addField} value={name}>
                    Add “{text}”
                  </button>
                )}
              </span>
            </li>
          )
        })}
      </ul>
      {column.hasMore && (
        <p class="quiet after">
          There are more values. Answer these first, then update the preview.
        </p>
      )}
    </>
  )
}

const canAddOptions = ({ canExtendSchema }: PreparedImport, { as }: TargetField) =>
  canExtendSchema && as !== 'boolean'
