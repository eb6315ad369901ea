import { ageOn } from '../../model/age.ts'
import {
  fieldIsSpecial,
  holds,
  isBirthDate,
  nameMayHold,
} from '../../model/properties/recognise.ts'
import { type Field, parseStoredSchema, type Values } from '../../model/properties/schema.ts'
import { londonDay } from '../../model/timestamp.ts'
import { parseDocument } from '../../records/person.ts'
import type { StoredRegister } from '../../store/sign-up/register.ts'
import type { Store } from '../../store/store.ts'
import type { SignUpForm } from '../form.ts'
import { seesMember } from './open-register.ts'

/** The person to call or write to about a booking; texts are '' if unknown. */
export type RegisterContact = { name: string; email: string; phone: string }

/** An answer that the register shows. */
export type RegisterAnswer = {
  label: string
  answer: string
  /** Whether it may be special category data, such as allergies. */
  isSpecial: boolean
}

/** What a register shows of a person besides the name. */
export type EntryDetails = {
  /** On the day of the event. Who may not read members sees only the ages of children. */
  age: number | undefined
  answers: RegisterAnswer[]
  /** Undefined for a caller who may not read members. */
  contact: RegisterContact | undefined
}

const adultAge = 18

type StoredBooking = StoredRegister['bookings'][number]

/**
 * Returns a function that finds the details of a booking. A sign-up's answers count before the member's
 * record, because they are about this event. Fields that the caller's policy hides are left out.
 */
export function detailsReader(
  store: Store,
  form: SignUpForm,
  schema: string | undefined,
): (stored: StoredBooking, booking: { userName: string; userEmail: string }) => EntryDetails {
  const { policy } = store
  const day = londonDay(form.event.start ?? Date.now())
  const isReader = seesMember(store)
  const { fields } = parseStoredSchema(policy.redactSchema('members', schema))
  const birthDates = fields.filter(isBirthDate)
  const emails = fields.filter((field) => holds('email', field))
  const phones = fields.filter((field) => holds('phone', field))
  const showsEmail = policy.showsProperty('bookings', 'userEmail')
  const visible = new Set(fields.map(({ id }) => id))
  const needs = form.fields.filter(
    (field) => isReader && visible.has(field.id) && fieldIsSpecial(field),
  )
  const questions = form.questions.filter(
    ({ id, label }) => !policy.hidesAnswer({ type: 'text', questionId: id, title: label }),
  )
  return ({ contact: signUpContact, answers, questionAnswers, member }, booking) => {
    const sources = [answers, member].flatMap((text) => (text ? [parseDocument(text)] : []))
    const birthDate = firstText(sources, birthDates)
    const age = birthDate === '' ? undefined : ageOn(day, birthDate)
    const contact: Partial<RegisterContact> = JSON.parse(signUpContact ?? '{}')
    const answered: Record<string, string> = JSON.parse(questionAnswers ?? '{}')
    return {
      age: isReader || (age !== undefined && age < adultAge) ? age : undefined,
      answers: [
        ...questions.flatMap(({ id, label }) =>
          answered[id] === undefined
            ? []
            : [{ label, answer: answered[id], isSpecial: nameMayHold('special category', label) }],
        ),
        ...needs.flatMap((field) => {
          const answer = describeValue(field, sources)
          return answer === '' ? [] : [{ label: field.label, answer, isSpecial: true }]
        }),
      ],
      contact: isReader
        ? {
            name: contact.name || booking.userName,
            email: showsEmail
              ? contact.email || booking.userEmail || firstText(sources, emails)
              : '',
            phone: firstText(sources, phones),
          }
        : undefined,
    }
  }
}

/** The first text in the fields of a person, from the first source with one; '' if there is none. */
export function firstText(sources: readonly Values[], fields: readonly Field[]): string {
  const values = sources.flatMap((source) => fields.map(({ id }) => source[id]))
  return values.filter((value) => typeof value === 'string').find((text) => text !== '') ?? ''
}

/** The value of a field in words, from the first source with one. "No" counts as no answer. */
function describeValue({ id, options = [] }: Field, sources: readonly Values[]): string {
  const value = sources.map((values) => values[id]).find((found) => found !== undefined)
  if (value === true) return 'Yes'
  const labels = new Map(options.map((option) => [option.value, option.label]))
  return [value]
    .flat()
    .filter((single) => typeof single === 'string' || typeof single === 'number')
    .map((single) => labels.get(String(single)) ?? String(single))
    .join(', ')
}
