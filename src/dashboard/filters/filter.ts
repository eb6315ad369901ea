import { type DisplayedProperty, formatValue } from '../ui/format-value.ts'
import { valueKinds } from '../ui/value-kinds.ts'
import type { Period } from './periods.ts'

/** A property that filters can name: one of the record, or after the name of a reference, such as `event.tags`, one of the referenced record. */
export type FilterProperty = DisplayedProperty & {
  name: string
  label: string
  /** The labels around it, such as a heading of the schema. */
  section?: string | undefined
  /** The record that a reference leads to, such as "Event", and the label there. */
  referenced?: { record: string; label: string }
  isDerived?: boolean
  isTechnical?: boolean
  /** Whether the property is no field, but the days on which a person came to events. */
  isAttendance?: true
}

/**
 * The conditions on a property, all of which must hold, each under the name of its parameter. Values
 * are in their stored form: `true`, a number, a day or a timestamp, otherwise the text itself.
 */
export type ListFilter = {
  property: FilterProperty
  /** Any of these values, of which '' means no value; empty for no condition. */
  values: readonly string[]
  /** The titles of the records that the values refer to, by id, once they are read. */
  titles?: ReadonlyMap<string, string>
  /** The first and last day or number. */
  from?: string | undefined
  to?: string | undefined
  period?: Period | undefined
  /** The lowest and the highest age, in years, of people by their date of birth. */
  minage?: string | undefined
  maxage?: string | undefined
  /** A part of the text, in any case. */
  contains?: string | undefined
  /** The tag of the events that people came to, how often at least, and the ids of these people once they are read. */
  tag?: string | undefined
  least?: string | undefined
  people?: readonly string[]
  /** `true` for any value. */
  known?: string | undefined
}

/** A filter that a list cannot apply: its parameter, and the reason in words. */
export type FilterError = { name: string; message: string }

/** A value of a filter as lists show it. */
export const describeValue = (value: string, property: FilterProperty): string =>
  value === '' ? 'no value' : formatValue(valueKinds[property.type].stored(value), property)

/** What a text must be to name a value of a property. */
export const describeType = ({ type, options }: FilterProperty): string =>
  valueKinds[type].isA ?? (options ? 'one of the options' : 'a text')
