import { type StoredForm, type ValueType, valueTypes } from '../model/value-types.ts'

/** A type in OData: its attributes in the metadata, and the value of a property; null if it does not fit the type. */
type EdmType = {
  attributes: { Type: string; Precision?: string }
  toValue: (value: unknown) => unknown
}

const text: EdmType = {
  attributes: { Type: 'Edm.String' },
  toValue: (value) => (value === null || value === undefined ? null : toText(value)),
}

const texts: EdmType = {
  attributes: { Type: 'Collection(Edm.String)' },
  toValue: (value) => (value === null || value === undefined ? [] : [value].flat().map(toText)),
}

/** The types in OData. A list of objects and a value of any type are JSON texts, as in CSV. */
const edmTypes: Readonly<Record<StoredForm, EdmType>> = {
  text,
  number: {
    attributes: { Type: 'Edm.Double' },
    toValue: (value) => (typeof value === 'number' ? value : null),
  },
  boolean: {
    attributes: { Type: 'Edm.Boolean' },
    toValue: (value) => (typeof value === 'boolean' ? value : null),
  },
  date: {
    attributes: { Type: 'Edm.Date' },
    toValue: (value) =>
      typeof value === 'string' && isTimestamp(`${value}T00:00:00.000Z`) ? value : null,
  },
  time: {
    attributes: { Type: 'Edm.DateTimeOffset', Precision: '3' },
    toValue: (value) => (typeof value === 'string' && isTimestamp(value) ? value : null),
  },
  texts,
  objects: text,
  any: text,
}

export const edmTypeOf = ({ type }: { type: ValueType }): EdmType =>
  edmTypes[valueTypes[type].stored]

/** Whether a text is a timestamp from the year 1 to 9999, as Microsoft's programs require. */
function isTimestamp(text: string): boolean {
  if (text.length !== 24 || text.startsWith('0000')) return false
  const time = Date.parse(text)
  // Date.parse accepts 30 February.
  return !Number.isNaN(time) && new Date(time).toISOString() === text
}

const toText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
