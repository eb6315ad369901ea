import type { ValidationError } from '../../model/validation-error.ts'
import { maxAttendees } from '../../sign-up/attendees.ts'
import type { SignUpForm } from '../../sign-up/form.ts'
import type { FormErrors } from '../ui/form.tsx'
import type { FormValues } from '../ui/form-values.ts'
import { readFieldValue } from './field-control.tsx'

/** The names of the controls of a sign-up form, except those for each person. */
export const controls = {
  name: 'name',
  email: 'email',
  role: 'role',
  consent: 'consent',
  people: 'people',
  token: 'token',
  step: 'step',
} as const

/** The name of the control for a field of a person, who is a number from 0. */
export const fieldControlName = (person: number, id: string) => `attendees.${person}.fields.${id}`

/** The name of the control for a question of the event. */
export const questionControlName = (person: number, id: string) =>
  `attendees.${person}.questions.${id}`

export function countPeople(values: FormValues): number {
  const count = Number(values.text(controls.people))
  return Number.isInteger(count) && count > 1 ? Math.min(count, maxAttendees) : 1
}

/** The values of a form without a person; those after move up. */
export const removePerson = (values: FormValues, removed: number): FormValues =>
  values
    .renamed((name) => {
      const [, person = '', rest = ''] = /^attendees\.(\d+)(\..*)$/.exec(name) ?? []
      if (rest === '' || Number(person) < removed) return name
      return Number(person) === removed ? undefined : `attendees.${Number(person) - 1}${rest}`
    })
    .with(controls.people, String(countPeople(values) - 1))

/** What a form asks of each person who comes. */
export type Asked = Pick<SignUpForm, 'fields' | 'questions'>

/** The input for a person from the values of a form. */
export const readAttendee = ({ fields, questions }: Asked, values: FormValues, person: number) => ({
  values: Object.fromEntries(
    fields.map((field) => [
      field.id,
      readFieldValue(field, values, fieldControlName(person, field.id)),
    ]),
  ),
  questionAnswers: Object.fromEntries(
    questions.map(({ id }) => [id, values.text(questionControlName(person, id))]),
  ),
})

const isVolunteerRole: ReadonlyMap<string, boolean> = new Map([
  ['participant', false],
  ['volunteer', true],
])

/** The input of a sign-up from the values of its form. */
export const readSignUp = (form: SignUpForm, values: FormValues) => ({
  eventId: form.event.eventId,
  contact: { name: values.text(controls.name), email: values.text(controls.email) },
  attendees: Array.from({ length: countPeople(values) }, (_, person) =>
    readAttendee(form, values, person),
  ),
  isVolunteer: isVolunteerRole.get(values.text(controls.role)),
  token: values.text(controls.token),
  consent: values.text(controls.consent) === 'yes',
})

/** The errors of a sign-up by control, in the order of the page and in words for the people who fill it in. */
export function toFormErrors(
  form: Asked,
  values: FormValues,
  errors: readonly ValidationError[],
): FormErrors {
  const messages = new Map<string, string>()
  for (const error of errors) {
    const { control, label } = findControl(form, error.field, countPeople(values) > 1)
    if (!messages.has(control)) messages.set(control, describeError(label, error))
  }
  const order = listControls(form, countPeople(values))
  return Object.fromEntries(
    [...messages].toSorted(([one], [other]) => order.indexOf(one) - order.indexOf(other)),
  )
}

/** The control and the label that belong to an error. */
function findControl(
  form: Asked,
  path: string,
  isGroup: boolean,
): { control: string; label: string } {
  const [, person, id = ''] = /^attendees\.(\d+)\.?(.*)$/.exec(path) ?? []
  if (person === undefined) {
    const property = path.split('.').at(-1) ?? ''
    const control = property === 'isVolunteer' ? controls.role : property
    return { control, label: contactLabels[property] ?? 'The form' }
  }
  const name = `Person ${Number(person) + 1}`
  const prefix = isGroup ? `${name}: ` : ''
  const field = form.fields.find((it) => it.id === id)
  if (field)
    return {
      control: fieldControlName(Number(person), id),
      label: `${prefix}${field.label}`,
    }
  const question = form.questions.find((it) => it.id === id)
  if (question)
    return {
      control: questionControlName(Number(person), id),
      label: `${prefix}${question.label}`,
    }
  return { control: fieldControlName(Number(person), form.fields[0]?.id ?? ''), label: name }
}

const contactLabels: Readonly<Record<string, string>> = {
  [controls.name]: 'Your name',
  [controls.email]: 'Your email address',
  [controls.consent]: 'Consent',
  isVolunteer: 'How you take part',
}

function describeError(label: string, { code, message }: ValidationError): string {
  if (code === 'required' || code === 'too_short') return `${label}: enter an answer.`
  // The form has a control for each part of a date.
  return `${label} ${message.replace('in the form YYYY-MM-DD', 'such as 27 3 2016')}`
}

const listControls = ({ fields, questions }: Asked, people: number): string[] => [
  ...[controls.role, controls.name, controls.email],
  ...Array.from({ length: people }).flatMap((_, person) => [
    ...fields.map(({ id }) => fieldControlName(person, id)),
    ...questions.map(({ id }) => questionControlName(person, id)),
  ]),
  controls.consent,
]
