import { expect, test } from 'vitest'
import {
  contactDetails,
  isConsent,
  isPastDate,
  isPersonName,
  nameMayHold,
  nameMayHoldConsent,
  usualName,
} from '../../../src/model/properties/recognise.ts'

/** A name; the details that a field of this name may hold; and the usual name of such a field. */
type Case = [name: string, details: string[], usual?: string]

const cases: Case[] = [
  ['Email', ['email'], 'Email'],
  ['emailaddress', ['email'], 'Email'],
  ['email_address', ['email'], 'Email'],
  ['Email2', ['email'], 'Email'],
  ['E-Mail', ['email'], 'Email'],
  ['Home e-mail (checked)', ['email'], 'Email'],
  ['Contact1 Personal Email', ['email'], 'Email'],
  ['Contact2 Personal Email', ['email']],
  ['E-mail of a parent', ['email']],
  ['Emails sent to', ['email']],
  ['E-mail / address', ['email', 'postcode'], 'Email'],
  ['Emails sent', []],
  ['Email template', []],
  ['Female', []],

  ['Phone', ['phone'], 'Phone'],
  ['Telephone no.', ['phone'], 'Phone'],
  ['Tel (home)', ['phone'], 'Phone'],
  ['Contact number', ['phone'], 'Phone'],
  ['Work number', ['phone']],
  ['Mobile2', ['phone'], 'Mobile'],
  ['mobileNumber', ['phone'], 'Mobile'],
  ['MobileNo', ['phone'], 'Mobile'],
  ['WhatsApp', ['phone'], 'Mobile'],
  ['Phone model and number', ['phone']],
  ['Phone model', []],
  ['Mobile phone model', []],
  ['Phone credit (£)', []],
  ['Headphones', []],
  ['Mobility', []],
  ['Hotel', []],

  ['Postcode', ['postcode'], 'Postcode'],
  ['Post Code 2', ['postcode'], 'Postcode'],
  ['Home ZIP/Postal Code', ['postcode'], 'Postcode'],
  ['Postcode area', ['postcode']],
  ['Address line 1', ['postcode']],
  ['homeaddress', ['postcode']],
  ['IP address', []],
  ['Postal order', []],

  ['DOB', ['date of birth'], 'Date of Birth'],
  ['D.O.B.', ['date of birth'], 'Date of Birth'],
  ['dateofbirth', ['date of birth'], 'Date of Birth'],
  ['DATE_OF_BIRTH', ['date of birth'], 'Date of Birth'],
  ['Date and place of birth', ['date of birth']],
  ['Year of birth', ['date of birth']],
  ['Birthplace', []],
  ['Place of birth', []],
  ['Sex at birth', []],
  ['Joined', []],

  ['Name', ['names'], 'Full Name'],
  ['What is your name?', ['names'], 'Full Name'],
  ['Forename(s)', ['names'], 'First Name'],
  ['lastname', ['names'], 'Surname'],
  ['Known as', ['names'], 'Known As'],
  ['Preferred name', ['names'], 'Known As'],
  ['Surname at birth', ['names'], 'Former Name'],
  ['Maiden name', ['names'], 'Former Name'],
  ['Mothers name', ['names'], "Mother's Name"],
  ["Mother's full name", ['names'], "Mother's Name"],
  ['Name of school', ['names']],
  ['Parent/guardian', ['names']],
  ['Salutation', ['names']],
  ['Addressee', ['names']],
  ['Named person', ['names']],
  ['Named fund', []],
  ['Nameplate', []],
  ['Tournament', []],
  ['Single parent', []],

  ['Next of kin', ['phone', 'names']],
  ['Contact details', ['email', 'phone', 'postcode', 'names']],
  ['Needs', []],
]

test.each(cases)('"%s" may hold %j', (name, details, usual) => {
  expect(contactDetails.filter((detail) => nameMayHold(detail, name)).toSorted()).toEqual(
    [...details].toSorted(),
  )
  expect(usualName(name)).toBe(usual)
})

test.each([
  ['Full Name', true],
  ['Other names', true],
  ['known_as', true],
  ["Father's name", true],
  ['emergency.name', false],
  ['School name', false],
  ['Email', false],
])('"%s" is the name of a person: %s', (name, expected) => {
  expect(isPersonName(name)).toBe(expected)
})

test.each<[string, boolean]>([
  ['GDPR consent', true],
  ['Marketing opt-in', true],
  ['Opted out', true],
  ['Happy to be contacted', true],
  ['Do not email', true],
  ['Photo permission', true],
  ['Newsletter', true],
  ['Data protection statement signed', true],
  ['OK with photos?', true],
  ['Okay for us to share your story', true],
  ['May we use your picture?', true],
  ["Don't ring or text", true],
  ['Would like to receive updates by post', true],
  ['No. of letters', false],
  ['OK to call', true],
  ['Photo', false],
  ['Contact details', false],
  ['No. of children', false],
  ['Phone', false],
  ['Postcode', false],
  ['Option', false],
])('"%s" may hold a consent: %s', (name, expected) => {
  expect(nameMayHoldConsent(name)).toBe(expected)
})

test.each<[string, boolean]>([
  ['Date of birth', true],
  ['Joined', true],
  ['Date registered', true],
  ['Member since', true],
  ['dateAdded', true],
  ['Expected date of birth', false],
  ['Registration expires', false],
  ['Next review', false],
  ['Holiday', false],
])('dates in "%s" are past: %s', (label, expected) => {
  expect(isPastDate({ type: 'date', id: 'f1', name: 'f1', label })).toBe(expected)
  expect(isPastDate({ type: 'text', id: 'f1', name: 'f1', label })).toBe(false)
})

test.each([
  ['Photo consent', 'boolean', true],
  ['Contact preferences', 'multipleSelect', true],
  ['Consent given by', 'text', false],
  ['Photo', 'boolean', false],
] as const)('the field "%s" of type %s is a consent: %s', (label, type, expected) => {
  expect(isConsent({ id: 'f1', name: 'f1', label, type, order: 0 })).toBe(expected)
})
