import { answerType, answerValueTypes, isDisplayed } from '../../model/forms/question-types.ts'
import {
  audiences,
  filledKind,
  type Question,
  type SurveyForm,
} from '../../model/forms/survey-form.ts'
import { valueTypeOf } from '../../model/properties/field-types.ts'
import { type StoredForm, type ValueType, valueTypes } from '../../model/value-types.ts'
import { foldText } from '../parse/text.ts'
import { UnreadableFileError } from '../source/source.ts'
import type { Schemas } from '../targets/open-schema.ts'
import { normaliseHeading } from './heading-names.ts'
import type { TargetField } from './target-fields.ts'

/** The collection of answers to forms. */
export const responsesCollection = 'survey-responses'

/** The property of a response that refers to the respondent. */
export const respondentField = ({ formFor }: SurveyForm): string =>
  Object.values(audiences).find((audience) => audience.formFor === formFor)?.linkedBy ??
  audiences.members.linkedBy

/**
 * Finds the form of a file of answers by the chosen id or name, or else by the file's name or
 * headings. Throws UnreadableFileError with a list of the forms if none or several match.
 */
export function findForm(
  forms: readonly SurveyForm[],
  {
    choice,
    file,
    headings,
  }: { choice: string | undefined; file: string; headings: readonly string[] },
): SurveyForm {
  const findByName = (name: string) =>
    forms.filter((form) => foldText(form.name) === foldText(name))
  const byId = forms.filter(({ formId }) => formId === choice)
  const match =
    choice === undefined
      ? (onlyItem(findByName(titleFromFileName(file))) ??
        onlyItem(findLikelyForms(forms, headings)))
      : onlyItem(byId.length > 0 ? byId : findByName(choice))
  if (match && countQuestionColumns(match, headings) > 0) return match
  if (match) {
    throw new UnreadableFileError(
      0,
      `has no column that is called as a question of "${match.name}" is.`,
    )
  }
  const names = forms.slice(0, 20).map(({ name, formId }) => `"${name}" (${formId})`)
  throw new UnreadableFileError(
    0,
    names.length === 0
      ? 'holds answers to a form, and there is no form yet: import forms first.'
      : `does not say which form its answers are of: choose ${names.join(', ')}${forms.length > 20 ? ', …' : ''}.`,
  )
}

const onlyItem = <Item>(items: readonly Item[]) => (items.length === 1 ? items[0] : undefined)

const titleFromFileName = (file: string) =>
  file
    .replace(/^.*[/\\]/, '')
    .replace(/\.\w+$/, '')
    .replace(/ ?\((?:\d+-\d+|responses)\).*$/i, '')
    .replace(/ - form responses.*$/i, '')
    .replaceAll(/[-_]+/g, ' ')

/** The forms with the most questions among the headings, if these are at least half of the questions. */
function findLikelyForms(forms: readonly SurveyForm[], headings: readonly string[]): SurveyForm[] {
  const scored = forms.map((form) => {
    const questionColumns = countQuestionColumns(form, headings)
    return {
      form,
      score: questionColumns * 2 >= answerableQuestions(form).length ? questionColumns : 0,
    }
  })
  const highest = Math.max(0, ...scored.map(({ score }) => score))
  return scored.filter(({ score }) => score > 0 && score === highest).map(({ form }) => form)
}

const countQuestionColumns = (form: SurveyForm, headings: readonly string[]) =>
  answerableQuestions(form).filter((question) =>
    headings.some((heading) => isQuestionHeading(question, heading)),
  ).length

/** Whether a heading is the title or the id of a question. */
const isQuestionHeading = ({ title, questionId }: Question, heading: string) =>
  [title, questionId].some((name) => matchesName(name, heading))

/** Whether a heading equals a question's name, ignoring case, punctuation and brackets. */
export const matchesName = (name: string, heading: string): boolean =>
  foldText(name) === foldText(heading) ||
  (normaliseHeading(name) !== '' && normaliseHeading(name) === normaliseHeading(heading))

const answerableQuestions = ({ questions }: SurveyForm) =>
  questions.filter((question) => !isDisplayed(question))

/** A target field for each question, parsed as the schema's field or else by the question's type. */
export function questionTargetFields(form: SurveyForm, schemas: Schemas): TargetField[] {
  const kind = filledKind(form)
  const fields = kind && schemas[kind]?.fields
  return answerableQuestions(form).map((question) => {
    const { questionId, title, options } = question
    const field = fields?.find(({ id }) => id === questionId)
    const type = field ? valueTypeOf(field) : answerValueType(question)
    return {
      path: `responses.${questionId}`,
      names: [title, questionId],
      as: valueTypes[type].mappedCell,
      ...(options.length > 0 && {
        options: options.map(({ label, value }) => ({ label, value: String(value) })),
        allowsOther: true,
      }),
      question: {
        questionId,
        question: title,
        type: responseType(type, question),
        values: new Map(options.map(({ value }) => [String(value), value])),
      },
    }
  })
}

function answerValueType(question: Question): ValueType {
  const answer = answerType(question)
  return answer ? answerValueTypes[answer] : 'text'
}

/** The `type` of a response's item with a value of some type. */
function responseType(type: ValueType, question: Question): string {
  if (type === 'option') return 'select'
  const textType = question.type === 'Paragraph Text Input' ? 'textarea' : 'text'
  return responseTypes[valueTypes[type].stored] ?? textType
}

const responseTypes: Partial<Record<StoredForm, string>> = {
  texts: 'multiselect',
  number: 'number',
  boolean: 'boolean',
  date: 'date',
}
