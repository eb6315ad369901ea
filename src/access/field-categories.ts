import { withoutDerivedFields } from '../model/properties/area-fields.ts'
import { fieldTypes } from '../model/properties/field-types.ts'
import { contactDetails, fieldMayHold, nameMayHold } from '../model/properties/recognise.ts'
import type { Field } from '../model/properties/schema.ts'

/** The categories of values that a key can be denied at once. */
export const fieldCategories = [...contactDetails, 'free text'] as const

export type FieldCategory = (typeof fieldCategories)[number]

export const isFieldCategory = (name: string): name is FieldCategory =>
  fieldCategories.some((kind) => kind === name)

/** The properties of each kind, by collection and dotted path. */
export const categoryProperties: Record<FieldCategory, Record<string, readonly string[]>> = {
  email: {
    events: ['bookingDetails.contactEmail'],
    bookings: ['userEmail'],
    funds: ['contact.email'],
    'grant-applications': ['recipient.email'],
  },
  phone: {
    events: ['bookingDetails.contactPhone'],
    'grant-applications': ['recipient.phone'],
  },
  postcode: {
    events: ['venue.address', 'venue.postcode'],
    'grant-applications': ['recipient.address', 'recipient.postcode'],
  },
  'date of birth': {},
  names: {
    bookings: ['userName'],
    funds: ['contact.name'],
    'grant-applications': ['recipient.name'],
    disbursements: ['bankAccount.accountName'],
  },
  'free text': {
    events: ['bookingDetails.description'],
    forms: ['description', 'settings.afterSubmitMessage'],
    'case-notes': ['content'],
    funds: [
      'description',
      'guidelines',
      'eligibilityCriteria',
      'whatWeFund',
      'whatWeWontFund',
      'strengths',
      'weaknesses',
    ],
    'grant-applications': [
      'title',
      'description',
      'summary',
      'feedback',
      'monitoring.requests.submissions.rejectionReason',
    ],
    disbursements: ['description', 'notes', 'payment.reference'],
  },
}

/** Returns the ids of the fields in a category. Fields derived from a postcode, such as its ward, are in none. */
export const fieldsInCategory = (kind: FieldCategory, fields: readonly Field[]): string[] =>
  withoutDerivedFields(fields)
    .filter((field) => isOf(kind, field))
    .map(({ id }) => id)

function isOf(kind: FieldCategory, field: Field): boolean {
  if (kind !== 'free text') return fieldMayHold(kind, field)
  const { isFreeText, allowsOther } = fieldTypes[field.type]
  return (
    (isFreeText || allowsOther) === true &&
    !contactDetails.some((detail) => fieldMayHold(detail, field))
  )
}

/** The types of questions with a choice or a number as their answer. */
const closedQuestion =
  /^(number|date|boolean|country|tags?|likert scale|ranking|checkbox|multiple choice|dropdown|dropdown: multiple choice|select|multi-?select|multiple-?select)$/i

/** Types of questions that are answered by choosing one answer, or in one's own words where none fits, as a field of `selectAndOther` is. */
const choice = /^(select|multiple choice|dropdown)$/i

/** Whether an answer of a survey may hold a value of the kind; a text may hold any of them. */
export function answerMayContain(kind: FieldCategory, answer: Answer): boolean {
  const { type, questionId, question, response } = answer
  if (/^boolean$/i.test(String(type))) return false
  // A score is not text. Other answers are hidden, so that nobody learns whether there is one.
  if (kind === 'free text' && choice.test(String(type)))
    return !/^-?\d+(\.\d+)?$/.test(String(response))
  if (!closedQuestion.test(String(type))) return true
  if (kind === 'free text') return false
  return [questionId, question].some((name) => nameMayHold(kind, String(name)))
}

type Answer = { type?: unknown; questionId?: unknown; question?: unknown; response?: unknown }
