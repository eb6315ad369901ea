import { withoutDerivedFields } from '../model/properties/area-fields.ts'
import { fieldTypes, isFreeText } from '../model/properties/field-types.ts'
import {
  contactDetails,
  fieldIsSpecial,
  fieldMayHold,
  nameMayHold,
} from '../model/properties/recognise.ts'
import type { Field } from '../model/properties/schema.ts'

/** The categories of fields that a restriction can hide together. */
export const fieldCategories = [...contactDetails, 'free text', 'special category'] as const

export type FieldCategory = (typeof fieldCategories)[number]

export const isFieldCategory = (name: string): name is FieldCategory =>
  fieldCategories.some((category) => category === name)

export const categoryLabels: Readonly<Record<FieldCategory, string>> = {
  email: 'e-mail addresses',
  phone: 'phone numbers',
  postcode: 'postcodes and addresses (their wards and other areas stay)',
  'date of birth': 'dates of birth',
  names: 'names of people, and of contacts',
  'free text': 'free text: notes, descriptions, written answers',
  'special category':
    'special category data: ethnicity, religion, health, disability, benefits, convictions',
}

/** The dotted paths of the properties in each category, by collection. */
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
  'special category': { 'case-notes': ['content', 'tags'] },
}

export const fieldsInCategory = (category: FieldCategory, fields: readonly Field[]): string[] =>
  withoutDerivedFields(fields)
    .filter((field) => isIn(category, field))
    .map(({ id }) => id)

function isIn(category: FieldCategory, field: Field): boolean {
  if (category === 'special category') return fieldIsSpecial(field)
  if (category !== 'free text') return fieldMayHold(category, field)
  return (
    (isFreeText(field) || fieldTypes[field.type].allowsOther === true) &&
    !contactDetails.some((detail) => fieldMayHold(detail, field))
  )
}

/** Question types without free text as the answer, except `singleChoiceType`. */
const closedQuestionType =
  /^(number|date|boolean|country|tags?|likert scale|ranking|checkbox|multiple choice|dropdown|dropdown: multiple choice|select|multi-?select|multiple-?select)$/i

/** Question types with one answer: an option or, as in a `selectAndOther` field, free text. */
const singleChoiceType = /^(select|multiple choice|dropdown)$/i

/** Whether a survey answer may contain a value of a category. A text may contain any. */
export function answerMayContain(category: FieldCategory, answer: Answer): boolean {
  const { type, questionId, question, response } = answer
  const mayHold = (detail: Exclude<FieldCategory, 'free text'>) =>
    [questionId, question].some((name) => nameMayHold(detail, String(name)))
  // The answer to "Do you have a disability?" is yes or no.
  if (category === 'special category' && mayHold(category)) return true
  if (/^boolean$/i.test(String(type))) return false
  // A number is a score. All other answers are hidden: showing only the options would reveal that
  // the rest are free text.
  if (category === 'free text' && singleChoiceType.test(String(type)))
    return !/^-?\d+(\.\d+)?$/.test(String(response))
  if (!closedQuestionType.test(String(type))) return true
  if (category === 'free text') return false
  return mayHold(category)
}

type Answer = { type?: unknown; questionId?: unknown; question?: unknown; response?: unknown }
