import { postcodeKeys } from '../../src/geography/postcode.ts'

const choices = [
  { value: 'a', label: 'Agree' },
  { value: 'b', label: 'Disagree' },
]

/** A schema of people with a field of most types, in display order. */
export const fields = [
  { id: 'Full Name', name: 'Full Name', label: 'Name', type: 'text', order: 0 },
  { id: 'Email', name: 'email', label: 'Email', type: 'email', order: 1 },
  { id: 'Phone', name: 'phone', label: 'Phone', type: 'phone', order: 2 },
  { id: 'Postcode', name: 'postcode', label: 'Postcode', type: 'postcode', order: 3 },
  { id: 'details', name: 'details', label: 'Details', type: 'divider', order: 4 },
  { id: 'demographics.age', name: 'age', label: 'Age', type: 'number', order: 5 },
  { id: 'consent', name: 'consent', label: 'Consent', type: 'boolean', order: 6 },
  { id: 'view', name: 'view', label: 'View', type: 'select', order: 7, options: choices },
  {
    id: 'views',
    name: 'views',
    label: 'Views',
    type: 'multipleSelect',
    order: 8,
    options: choices,
  },
]

const values = {
  consent: false,
  views: ['a', 'b'],
  'Full Name': 'Ada Obi',
  Postcode: 'sw1a 1aa',
  Phone: '07700900123',
  'demographics.age': 0,
  view: 'b',
}

/** The field objects of a person made by `personOf`, as a list shows them. */
export const fieldObjects = [
  { key: 'Full Name', label: 'Name', value: 'Ada Obi', type: 'text' },
  { key: 'Phone', label: 'Phone', value: '07700900123', type: 'phone' },
  { key: 'Postcode', label: 'Postcode', value: 'sw1a 1aa', type: 'postcode' },
  { key: 'demographics.age', label: 'Age', value: 0, type: 'number' },
  { key: 'consent', label: 'Consent', value: false, type: 'boolean' },
  { key: 'view', label: 'View', value: 'b', type: 'select' },
  { key: 'views', label: 'Views', value: ['a', 'b'], type: 'multipleSelect' },
]

/** The same as a single shows them. */
export const fieldObjectsWithOptions = fieldObjects.map((field) =>
  field.key.startsWith('view') ? { ...field, options: choices } : field,
)

/** A person as kept: the values by field id, in no order, some not in the schema. */
export function personOf(idName: string, id: string, other: { Postcode?: string } = {}) {
  const known = { ...values, ...other }
  const document = { ...known, [idName]: id, $postcode: postcodeKeys(known.Postcode), gone: 'x' }
  return { id, document }
}
