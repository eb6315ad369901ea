import { hasUnknownConditions } from '../../model/forms/conditions.ts'
import { type AnswerType, answerType, questionType } from '../../model/forms/question-types.ts'
import type { Question } from '../../model/forms/survey-form.ts'
import type { Unit } from '../../model/validation-error.ts'
import { countTableRows, optionText } from '../../sign-up/forms/parse-answer.ts'
import { texts } from '../../texts/texts.ts'
import {
  Choices,
  ControlGroup,
  controlId,
  DateInput,
  type FormErrors,
  type PublicControlProps,
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
  const { title, type, required } = question
  const answer = answerType(question)
  if (!answer) return <DisplayedText question={question} isHeading={/^heading$/i.test(type)} />
  const control: PublicControlProps = {
    name: controlName(question),
    label: number === undefined ? title : `${number}. ${title}`,
    hint: describeAnswer(question, answer),
    isRequired: required && !hasUnknownConditions(question),
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

function renderControl(question: Question, answer: AnswerType, control: PublicControlProps) {
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
      return (
        <Choices {...control} type="checkbox" options={[{ value: 'true', label: texts.yes }]} />
      )
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
            label={texts.form.otherAnswer}
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
              <legend>{texts.form.row(row + 1)}</legend>
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

type PartProps = { control: PublicControlProps; question: Question; index: number; label: string }

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
function describeAnswer(question: Question, answer: AnswerType): string | undefined {
  const { description, validation } = question
  const { minAllowed: min, maxAllowed: max, wordCount } = validation
  const hints = [
    description,
    hasUnknownConditions(question) && texts.form.conditional,
    hintOf(answer),
    describeLimits(answer, min, max),
    (answer === 'text' || answer === 'long text') &&
      wordCount !== undefined &&
      texts.form.maxWords(wordCount),
  ]
  return hints.filter(Boolean).join(' ') || undefined
}

function hintOf(answer: AnswerType): string | undefined {
  const hints: Partial<Record<AnswerType, string>> = {
    date: texts.controls.dateExample,
    list: texts.controls.listHint,
    link: texts.form.linkHint,
    ranking: texts.form.rankingHint,
  }
  return hints[answer]
}

/** What the limits of an answer count, by answer type. */
const limited: Partial<Record<AnswerType, Unit | 'number'>> = {
  number: 'number',
  options: 'option',
  ranking: 'option',
  list: 'entry',
}

function describeLimits(answer: AnswerType, min: number | undefined, max: number | undefined) {
  const counted = limited[answer]
  if (!counted || (min === undefined && max === undefined)) return undefined
  return texts.form.limits(min, max, counted === 'number' ? undefined : counted)
}
