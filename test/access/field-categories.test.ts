import { describe, expect, test } from 'vitest'
import {
  categoryProperties,
  fieldCategories,
  fieldsInCategory,
} from '../../src/access/field-categories.ts'
import { canBeHidden } from '../../src/access/hidden-properties.ts'
import { withDerivedFields } from '../../src/model/properties/area-fields.ts'
import { compileRecord } from '../../src/model/properties/compile.ts'
import type { Field } from '../../src/model/properties/schema.ts'
import { loadCollections } from '../../src/resources/collections.ts'

const collections = await loadCollections()

test('every property of a kind is there, and can be kept', () => {
  for (const properties of Object.values(categoryProperties)) {
    for (const [name, paths] of Object.entries(properties)) {
      const records = collections.filter((it) => it.name === name).map(({ record }) => record)
      for (const path of paths)
        expect([name, path, canBeHidden(path, records)]).toEqual([name, path, 'yes'])
    }
  }
})

/** What properties that hold a kind are called in the contract, and others that are called alike. */
const called = {
  email: [/email/i, ['monitoring.requests.emailReminderSentAt']],
  phone: [/phone/i, []],
  postcode: [/postcode|address/i, []],
  'date of birth': [/birth/i, []],
  names: [
    /(^|\.)(\w+N|n)ame$/,
    [
      'events name',
      'events venue.name',
      'bookings name',
      'bookings ticketName',
      'forms name',
      'funds name',
      'disbursements bankAccount.bankName',
    ],
  ],
  'free text': [/description|summary|feedback|notes|content|guidelines|Reason/, []],
  'special category': [/ethnic|religio|health|disab|benefit/i, ['isAccessible', 'beneficiaries']],
} as const

test.each(fieldCategories)('no property of the kind %s is left out', (kind) => {
  const [name, others] = called[kind]
  const fields = collections.flatMap(({ name: collection, record }) =>
    [...compileRecord(record).names]
      .filter((path) => name.test(path))
      .map((path) => [collection, path] as const),
  )
  const missing = fields.filter(
    ([collection, path]) =>
      !categoryProperties[kind][collection]?.includes(path) &&
      !others.some((other) => other === path || other === `${collection} ${path}`),
  )
  expect(missing).toEqual([])
})

describe("a person's field", () => {
  const field = (id: string, type: Field['type'], label = id): Field => ({
    id,
    name: id,
    label,
    type,
    order: 0,
  })
  test.each([
    [field('Email', 'email'), ['email']],
    [field('q7', 'text', 'E-mail of a parent'), ['email']],
    [field('phone', 'phoneNumber'), ['phone']],
    [field('mobileNumber', 'text'), ['phone']],
    [field('Telephone', 'number'), ['phone']],
    [field('Home', 'postcode'), ['postcode']],
    [field('post_code', 'text'), ['postcode']],
    [field('Address line 1', 'text'), ['postcode']],
    [field('dateOfBirth', 'date'), ['date of birth']],
    [field('DOB', 'text'), ['date of birth']],
    [field('Joined', 'date'), []],
    [field('Full Name', 'text'), ['names']],
    [field('surname', 'text'), ['names']],
    [field('Needs', 'custom'), ['free text']],
    [field('Needs', 'selectAndOther'), ['free text']],
    [field('Email consent', 'boolean'), []],
    [field('Language', 'select'), []],
    [field('ref', 'uniqueId'), []],
    [field('Age', 'number'), []],
    [field('Emails sent', 'number'), []],
    [field('Phone credit', 'number'), []],
    [field('Named fund', 'text'), ['free text']],
    [field('demographics.ethnicity', 'select', 'Which group?'), ['special category']],
    [field('q3', 'boolean', 'Do you have a disability?'), ['special category']],
    [field('q4', 'benefits'), ['special category']],
    [field('q9', 'select', 'Long-term health condition'), ['special category']],
    [field('Religion or belief', 'select'), ['special category']],
    [field('Access needs', 'text'), ['free text', 'special category']],
    [field('Race time', 'number'), []],
    [field('Accepts the terms and conditions', 'boolean'), []],
    [field('Member benefits', 'boolean'), []],
  ])('%o is of %j', (it, expected) => {
    expect(fieldCategories.filter((kind) => fieldsInCategory(kind, [it]).length > 0)).toEqual(
      expected,
    )
  })

  test('that is named like a contact detail is hidden with the details of its kind', () => {
    const ids = [
      ...[
        'emailaddress',
        'Email2',
        'Mobile2',
        'Known as',
        'Contact number',
        'E-Mail',
        'Tel (home)',
      ],
      ...['Surname at birth', 'Mothers name', 'DOB', 'Post Code 2', 'WhatsApp'],
    ]
    const fields = ids.map((id) => field(id, 'text'))
    const categories = ['email', 'phone', 'names', 'date of birth', 'postcode'] as const
    const hidden = categories.flatMap((category) => fieldsInCategory(category, fields))
    expect(hidden.toSorted()).toEqual(ids.toSorted())
  })

  test('that derives from a postcode is of no kind', () => {
    const fields = withDerivedFields([field('Home address', 'postcode', 'Home address')])
    const matching = fieldCategories.flatMap((kind) => fieldsInCategory(kind, fields))
    expect([fields.length > 20, matching]).toEqual([true, ['Home address']])
  })
})

test('rejects required and unknown field names', () => {
  const records = collections.map(({ record }) => record)
  expect(
    ['eventId', 'managedBy', 'recipientType', 'nothing', 'venue.nothing'].map((path) =>
      canBeHidden(path, records),
    ),
  ).toEqual(['no', 'no', 'no', 'unknown', 'unknown'])
})
