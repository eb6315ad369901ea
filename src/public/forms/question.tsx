import { type AnswerType, answerType, questionType } from '../../model/forms/question-types.ts'
import type { Question } from '../../model/forms/survey-form.ts'
import { formatNumber } from '../../platform/format-number.ts'
import { countTableRows, optionText } from '../../sign-up/forms/parse-answer.ts'
import {
  Choices,
  ControlGroup,
  type ControlProps,
  controlId,
  DateInput,
  type FormErrors,
  SelectInput,
  TextArea,
  TextInput,
} from '../ui/form.tsx'
import type { FormValues } from '../ui/form-values.ts'
import { controlName, otherName, partName } from './entries.ts'

type Props = {
  question: Question
  number: number | undefined
  values: FormValues
  errors: FormErrors
}

/** Renders a question with its controls, or the text of a question that only shows text. */
export function QuestionField({ question, number, values, errors }: Props) {
  const { title, type, required, hasConditions } = question
  const answer = answerType(question)
  if (!answer) return <DisplayedText question={question} isHeading={/^heading$/i.test(type)} />
  const control: ControlProps = {
    name: controlName(question),
    label: number === undefined ? title : `${number}. ${title}`,
    hint: describeAnswer(question, answer),
    isRequired: required && !hasConditions,
    values,
    errors,
  }
  return renderControl(question, answer, control)
}

function DisplayedText({ question, isHeading }: { question: Question; isHeading: boolean }) {
  const { title, description } = question
  return (
    <div>
      {isHeading ? <h2>{title}</h2> : <p class="description">{title}</p>}
      {description && <p class="description">{description}</p>}
    </div>
  )
}

function renderControl(question: Question, answer: AnswerType, control: ControlProps) {
  const options = question.options.map((option) => ({
    value: optionText(option),
    label: option.label || optionText(option),
  }))
  const { isDropdown, autocomplete } = questionType(question)
  switch (answer) {
    case 'text':
      return <TextInput {...control} attributes={autocomplete ? { autocomplete } : {}} />
    case 'link':
      return <TextInput {...control} attributes={{ type: 'url', inputmode: 'url' }} />
    case 'number':
      return <TextInput {...control} attributes={{ inputmode: 'decimal', autocomplete: 'off' }} />
    case 'long text':
    case 'list':
      return <TextArea {...control} />
    case 'date':
      return <DateInput {...control} />
    case 'tick':
      return <Choices {...control} type="checkbox" options={[{ value: 'true', label: 'Yes' }]} />
    case 'options':
      return <Choices {...control} type="checkbox" options={options} />
    case 'option':
      return isDropdown ? (
        <SelectInput {...control} options={options} />
      ) : (
        <Choices {...control} type="radio" options={options} />
      )
    case 'option or other':
      return (
        <>
          <SelectInput {...control} options={options} />
          <TextInput
            {...control}
            name={otherName(question)}
            label="Another answer"
            hint={undefined}
            isRequired
          />
        </>
      )
    case 'ranking':
      return (
        <ControlGroup {...control}>
          {options.map(({ label }, index) => (
            <RankInput control={control} question={question} index={index} label={label} />
          ))}
        </ControlGroup>
      )
    case 'table':
      return (
        <ControlGroup {...control}>
          {Array.from({ length: countTableRows(question) }, (_, row) => (
            <fieldset class="person">
              <legend>Row {row + 1}</legend>
              {options.map(({ label }, column) => (
                <CellInput
                  control={control}
                  question={question}
                  label={label}
                  index={row * options.length + column}
                />
              ))}
            </fieldset>
          ))}
        </ControlGroup>
      )
  }
}

type PartProps = { control: ControlProps; question: Question; index: number; label: string }

// The error summary links to the first control of the question.
const partId = ({ control, question, index }: PartProps) =>
  controlId(index === 0 ? control.name : partName(question, index))

function RankInput(props: PartProps) {
  const { control, question, index, label } = props
  const name = partName(question, index)
  return (
    <div class="field rank">
      <label for={partId(props)}>{label}</label>
      <input
        id={partId(props)}
        name={name}
        value={control.values.text(name)}
        inputmode="numeric"
        maxlength={3}
        autocomplete="off"
      />
    </div>
  )
}

function CellInput(props: PartProps) {
  const { control, question, index, label } = props
  const name = partName(question, index)
  return (
    <div class="field">
      <label for={partId(props)}>{label}</label>
      <input id={partId(props)} name={name} value={control.values.text(name)} />
    </div>
  )
}

/** The hint of a question: its help and the limits of an answer. */
function describeAnswer(
  { description, validation, hasConditions }: Question,
  answer: AnswerType,
): string | undefined {
  const { minAllowed: min, maxAllowed: max, wordCount } = validation
  const hints = [
    description,
    hasConditions && 'Leave it empty if it does not apply to you.',
    answerHints[answer],
    answer in counted && describeRange(min, max, counted[answer] ?? ''),
    (answer === 'text' || answer === 'long text') &&
      wordCount !== undefined &&
      `At most ${formatNumber(wordCount)} words.`,
  ]
  return hints.filter(Boolean).join(' ') || undefined
}

const answerHints: Partial<Record<AnswerType, string>> = {
  date: 'For example, 27 3 2026.',
  list: 'One per line.',
  link: 'A web address, such as https://www.example.org.',
  ranking: 'Write 1 beside the first, 2 beside the second, and so on.',
}

/** The unit of the limits, by answer type. */
const counted: Partial<Record<AnswerType, string>> = {
  number: '',
  options: ' options',
  ranking: ' options',
  list: ' entries',
}

function describeRange(min: number | undefined, max: number | undefined, unit: string) {
  if (min !== undefined && max !== undefined)
    return `From ${formatNumber(min)} to ${formatNumber(max)}${unit}.`
  if (min !== undefined) return `At least ${formatNumber(min)}${unit}.`
  return max === undefined ? '' : `At most ${formatNumber(max)}${unit}.`
}
