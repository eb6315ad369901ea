import { normaliseEmail } from '../model/properties/compare-people.ts'
import { personName } from '../model/properties/person-name.ts'
import { typeHolds } from '../model/properties/recognise.ts'
import { isInternalKey, type Values } from '../model/properties/schema.ts'
import { messages, tooLong, type ValidationError } from '../model/validation-error.ts'
import { sha256 } from '../platform/sha256.ts'
import { isEmptyValue, validatePerson } from '../records/person.ts'
import { checkQuestionAnswers } from './event-questions.ts'
import type { SignUpForm } from './form.ts'

/** The input for one person who comes: values by sign-up field, and answers by question of the event. */
export type AttendeeInput = {
  values: Readonly<Record<string, unknown>>
  questionAnswers?: Readonly<Record<string, unknown>>
}

/** A valid person who comes. */
export type Attendee = {
  name: string
  /** The person's own address; empty if the form does not ask for it. */
  email: string
  values: Values
  questionAnswers: Record<string, string>
}

export const maxAttendees = 10

const maxCharacters = 5000

/** Validates the people who come. Errors name the fields `attendees.<index>.<field or question>`. */
export function checkAttendees(
  form: SignUpForm,
  inputs: readonly AttendeeInput[],
): { attendees: Attendee[]; errors: ValidationError[] } {
  if (inputs.length < 1 || inputs.length > maxAttendees) {
    const message = `must be a list of 1 to ${maxAttendees}.`
    return { attendees: [], errors: [{ field: 'attendees', message, code: 'too_large' }] }
  }
  const errors: ValidationError[] = []
  const attendees: Attendee[] = []
  const names = new Set<string>()
  for (const [index, input] of inputs.entries()) {
    const path = `attendees.${index}`
    const checked = checkAttendee(form, input)
    errors.push(
      ...checked.errors.map((error) => ({
        ...error,
        field: error.field ? `${path}.${error.field}` : path,
      })),
    )
    const { attendee } = checked
    const name = normaliseForHash(attendee.name)
    if (name && names.has(name))
      errors.push({ field: path, message: 'is the same person as another.', code: 'duplicate' })
    names.add(name)
    attendees.push(attendee)
  }
  return { attendees, errors }
}

function checkAttendee(
  { fields, questions }: SignUpForm,
  { values: input, questionAnswers = {} }: AttendeeInput,
): { attendee: Attendee; errors: ValidationError[] } {
  const lines = Object.entries(input).map(([id, value]) => [
    id,
    typeof value === 'string' ? toOneLine(value) : value,
  ])
  const person = validatePerson('members', { name: '', fields }, Object.fromEntries(lines))
  const answered = checkQuestionAnswers(questions, questionAnswers)
  const values = Object.fromEntries(
    Object.entries('value' in person ? person.value : {}).filter(([key]) => !isInternalKey(key)),
  )
  const errors = 'errors' in person ? person.errors : []
  const missing = fields.filter(
    ({ id, required }) => required && isBlank('value' in person ? values[id] : input[id]),
  )
  const isLong = JSON.stringify(input).length > maxCharacters
  return {
    attendee: {
      name: personName(fields, values),
      email: String(values[fields.find((field) => typeHolds('email', field))?.id ?? ''] ?? ''),
      values,
      questionAnswers: answered.answers,
    },
    errors: [
      ...errors,
      ...missing.map(({ id }) => ({
        field: id,
        message: messages.notEmpty,
        code: 'required' as const,
      })),
      ...(isLong ? [tooLong('', maxCharacters)] : []),
      ...answered.errors,
    ],
  }
}

/** Replaces the line breaks and control characters of a text, which no name has, by spaces. */
export const toOneLine = (text: string) =>
  text.replaceAll(/[\s\p{Cc}]+/gu, (gap) => (/^ +$/.test(gap) ? gap : ' '))

const isBlank = (value: unknown) =>
  isEmptyValue(value) || (typeof value === 'string' && value.trim() === '')

/** The digest by which a person has one booking within a scope, such as an event. */
export const hashPerson = (
  scope: readonly string[],
  contactEmail: string,
  attendeeName: string,
): Promise<string> =>
  sha256(JSON.stringify([...scope, normaliseEmail(contactEmail), normaliseForHash(attendeeName)]))

// Stored digests depend on it, so it stays apart from the comparison of people.
const normaliseForHash = (name: string) =>
  name.normalize('NFKC').trim().replaceAll(/\s+/gu, ' ').toLowerCase()
