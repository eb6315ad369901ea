import { isKind, type Kind, type Schema } from '../../model/schema.ts'
import { audiences } from '../../records/answers.ts'
import { Unreadable } from '../read.ts'
import { folded } from '../spellings/folded.ts'
import { plain } from './called.ts'
import { readAs } from './infer-type.ts'
import type { As } from './mapping.ts'
import type { Place } from './places.ts'

/** A form as its answers are imported: what it is called, whom it asks, and its questions. */
export type AskedForm = {
  formId: string
  name: string
  schemaForm: boolean
  formFor: string | null
  questions: Question[]
}

type Question = {
  questionId: string
  title: string
  type: string
  options: readonly { label: string; value: unknown }[]
}

/** A form that is kept as this JSON text. */
export const askedForm = (document: string): AskedForm => JSON.parse(document)

/** The property of a response that names who answered a form. */
export const linkedBy = ({ formFor }: AskedForm): string =>
  Object.values(audiences).find((audience) => audience.formFor === formFor)?.linkedBy ??
  audiences.members.linkedBy

/**
 * The form that a file's answers are of: the one that is said, by its id or name; or the one that the
 * file is called after, or whose questions are among its headings. Throws Unreadable, with the forms
 * there are, where none is or several are.
 */
export function formOf(
  forms: readonly AskedForm[],
  { said, file, headings }: { said: string | undefined; file: string; headings: readonly string[] },
): AskedForm {
  const called = (name: string) => forms.filter((form) => folded(form.name) === folded(name))
  const byId = forms.filter(({ formId }) => formId === said)
  const found =
    said === undefined
      ? (onlyOne(called(titleOf(file))) ?? onlyOne(likeliest(forms, headings)))
      : onlyOne(byId.length > 0 ? byId : called(said))
  if (found && columnsFor(found, headings) > 0) return found
  if (found) {
    throw new Unreadable(0, `has no column that is called as a question of "${found.name}" is.`)
  }
  const names = forms.slice(0, 20).map(({ name, formId }) => `"${name}" (${formId})`)
  throw new Unreadable(
    0,
    names.length === 0
      ? 'holds answers to a form, and there is no form yet: import forms first.'
      : `does not say which form its answers are of: choose ${names.join(', ')}${forms.length > 20 ? ', …' : ''}.`,
  )
}

const onlyOne = <One>(found: readonly One[]) => (found.length === 1 ? found[0] : undefined)

/** The title of a form that a file of its answers is named after. */
const titleOf = (file: string) =>
  file
    .replace(/^.*[/\\]/, '')
    .replace(/\.\w+$/, '')
    .replace(/ ?\((?:\d+-\d+|responses)\).*$/i, '')
    .replace(/ - form responses.*$/i, '')
    .replaceAll(/[-_]+/g, ' ')

/** The forms of which most questions are headings, and half of their questions at least. */
function likeliest(forms: readonly AskedForm[], headings: readonly string[]): AskedForm[] {
  const scored = forms.map((form) => {
    const found = columnsFor(form, headings)
    return { form, found: found * 2 >= questionsOf(form).length ? found : 0 }
  })
  const most = Math.max(0, ...scored.map(({ found }) => found))
  return scored.filter(({ found }) => found > 0 && found === most).map(({ form }) => form)
}

/** How many of a form's questions have a column. */
const columnsFor = (form: AskedForm, headings: readonly string[]) =>
  questionsOf(form).filter((question) => headings.some((heading) => asks(question, heading))).length

/** Whether a heading is the title of a question, or its id. */
const asks = ({ title, questionId }: Question, heading: string) =>
  [title, questionId].some((name) => isCalled(name, heading))

/** Whether a heading is a question's name, also where punctuation and what is in brackets differ. */
export const isCalled = (name: string, heading: string): boolean =>
  folded(name) === folded(heading) || (plain(name) !== '' && plain(name) === plain(heading))

// These are shown and ask nothing (contract 2.8).
const shown = ['Heading', 'Explainer Text']

const questionsOf = ({ questions }: AskedForm) =>
  questions.filter(({ type }) => !shown.includes(type))

/** Where the columns of a form's answers can go: to its questions, each read as the field it fills or else as what it asks for. */
export function questionPlaces(form: AskedForm, schemas: Partial<Record<Kind, Schema>>): Place[] {
  const kind = Object.entries(audiences).find(([, { formFor }]) => formFor === form.formFor)?.[0]
  const fields = form.schemaForm && kind && isKind(kind) ? schemas[kind]?.fields : undefined
  return questionsOf(form).map((question) => {
    const { questionId, title, type, options } = question
    const field = fields?.find(({ id }) => id === questionId)
    const as = field ? readAs(field) : asAsked(question)
    return {
      path: `responses.${questionId}`,
      names: [title, questionId],
      as,
      ...(options.length > 0 && {
        options: options.map(({ label, value }) => ({ label, value: String(value) })),
        isOpen: true,
      }),
      question: {
        questionId,
        question: title,
        type: typeNames[as] ?? (type === 'Paragraph Text Input' ? 'textarea' : 'text'),
        values: new Map(options.map(({ value }) => [String(value), value])),
      },
    }
  })
}

/** What answers to a question are, by its type (contract 2.8). */
function asAsked({ type, options }: Question): As {
  if (/multiple choice$/i.test(type) && /^dropdown/i.test(type)) return 'list'
  if (/^(?:ranking|tag|multiselect)$/i.test(type)) return 'list'
  if (/^checkbox$/i.test(type)) return options.length > 0 ? 'list' : 'boolean'
  if (/^(?:number|date)$/i.test(type)) return type.toLowerCase() === 'date' ? 'date' : 'number'
  return options.length > 0 ? 'option' : 'text'
}

/** The type of an answer (contract 2.9). */
const typeNames: Partial<Record<As, string>> = {
  list: 'multiselect',
  option: 'select',
  number: 'number',
  boolean: 'boolean',
  date: 'date',
}
