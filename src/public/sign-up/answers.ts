import { valueTypeOf } from '../../model/properties/field-types.ts'
import type { ValidationError } from '../../model/validation-error.ts'
import type { ValueType } from '../../model/value-types.ts'
import { maxAttendees } from '../../sign-up/attendees.ts'
import type { SignUpForm } from '../../sign-up/form.ts'
import { texts } from '../../texts/texts.ts'
import type { FormErrors } from '../ui/form.tsx'
import type { FormValues } from '../ui/form-values.ts'
import { readFieldValue } from './field-control.tsx'

/** The names of a sign-up form's controls, except those for each attendee. */
export const controls = {
  name: 'name',
  email: 'email',
  role: 'role',
  consent: 'consent',
  people: 'people',
  coming: 'coming',
  token: 'token',
  step: 'step',
} as const

/** The name of the control for a field of an attendee, `person` being the index. */
export const fieldControlName = (person: number, id: string) => `attendees.${person}.fields.${id}`

/** The name of the control for a question of the event, `person` being the attendee's index. */
export const questionControlName = (person: number, id: string) =>
  `attendees.${person}.questions.${id}`

export function countPeople(values: FormValues): number {
  const count = Number(values.text(controls.people))
  return Number.isInteger(count) && count > 1 ? Math.min(count, maxAttendees) : 1
}

/** The fields and questions for each attendee. */
export type AttendeeForm = Pick<SignUpForm, 'fields' | 'questions'>

/** Reads the input for an attendee from the values of a form. */
export const readAttendee = (
  { fields, questions }: AttendeeForm,
  values: FormValues,
  person: number,
) => ({
  values: Object.fromEntries(
    fields.map((field) => {
      const name = fieldControlName(person, field.id)
      return [field.id, isSurnameOnly(values, name) ? '' : readFieldValue(field, values, name)]
    }),
  ),
  questionAnswers: Object.fromEntries(
    questions.map(({ id }) => [id, values.text(questionControlName(person, id))]),
  ),
})

/** Whether a name has only the surname of the family so far, which begins with a space. */
const isSurnameOnly = (values: FormValues, name: string) => /^ \S+$/.test(values.raw(name))

const volunteerByRole: ReadonlyMap<string, boolean> = new Map([
  ['participant', false],
  ['volunteer', true],
])

/** Reads the input of a sign-up from the values of its form. */
export const readSignUp = (form: SignUpForm, values: FormValues) => ({
  eventId: form.event.eventId,
  contact: { name: values.text(controls.name), email: values.text(controls.email) },
  attendees: Array.from({ length: countPeople(values) }, (_, person) =>
    readAttendee(form, values, person),
  ),
  isVolunteer: volunteerByRole.get(values.text(controls.role)),
  token: values.text(controls.token),
  consent: values.text(controls.consent) === 'yes',
})

/** The error messages of a sign-up by control, in the order of the page. */
export function toFormErrors(
  form: AttendeeForm,
  values: FormValues,
  errors: readonly ValidationError[],
): FormErrors {
  const messages = new Map<string, string>()
  for (const error of errors) {
    const control = findControl(form, error.field, countPeople(values) > 1)
    if (!messages.has(control.name)) messages.set(control.name, describeError(control, error))
  }
  const order = listControls(form, countPeople(values))
  return Object.fromEntries(
    [...messages].toSorted(([one], [other]) => order.indexOf(one) - order.indexOf(other)),
  )
}

/** A control, with the label and type that its error messages use. */
type ErrorControl = { name: string; label: string; type: ValueType }

function findControl(form: AttendeeForm, path: string, isGroup: boolean): ErrorControl {
  const [, digits, id = ''] = /^attendees\.(\d+)\.?(.*)$/.exec(path) ?? []
  if (digits === undefined) return findContactControl(path.split('.').at(-1) ?? '')
  const person = Number(digits)
  const labelOf = (label: string) => (isGroup ? texts.signUp.ofPerson(person + 1, label) : label)
  const field = form.fields.find((it) => it.id === id)
  if (field)
    return {
      name: fieldControlName(person, id),
      label: labelOf(field.label),
      type: valueTypeOf(field),
    }
  const question = form.questions.find((it) => it.id === id)
  if (question)
    return { name: questionControlName(person, id), label: labelOf(question.label), type: 'text' }
  return {
    name: fieldControlName(person, form.fields[0]?.id ?? ''),
    label: texts.signUp.person(person + 1),
    type: 'text',
  }
}

function findContactControl(property: string): ErrorControl {
  const contactControls: Readonly<Record<string, ErrorControl>> = {
    name: { name: controls.name, label: texts.signUp.yourName, type: 'text' },
    email: { name: controls.email, label: texts.signUp.yourEmail, type: 'email' },
    consent: { name: controls.consent, label: texts.signUp.consent, type: 'boolean' },
    isVolunteer: { name: controls.role, label: texts.signUp.howYouTakePart, type: 'option' },
  }
  return contactControls[property] ?? { name: property, label: texts.signUp.form, type: 'text' }
}

function describeError({ name, label, type }: ErrorControl, error: ValidationError): string {
  if (name === controls.role && error.code === 'not_allowed') return texts.signUp.noVolunteers
  return texts.signUp.error(label, type, error)
}

const listControls = ({ fields, questions }: AttendeeForm, people: number): string[] => [
  ...[controls.role, controls.name, controls.email],
  ...Array.from({ length: people }).flatMap((_, person) => [
    ...fields.map(({ id }) => fieldControlName(person, id)),
    ...questions.map(({ id }) => questionControlName(person, id)),
  ]),
  controls.consent,
]
