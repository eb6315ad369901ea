import * as z from 'zod'
import type { Field } from '../model/properties/schema.ts'
import { messages } from '../model/validation-error.ts'

const text = z.string(messages.text)
const phone = text.max(50, messages.maxCharacters(50)).refine((value) => {
  const digits = value.replaceAll(/\D/g, '').length
  return digits >= 6 && digits <= 20
}, 'must have 6 to 20 digits.')

const plain = {
  text,
  custom: text,
  school: text,
  benefits: text,
  country: text,
  selectAndOther: text,
  uniqueId: text,
  phone,
  phoneNumber: phone,
  email: z.email('must be one email address.').max(320, messages.maxCharacters(320)),
  postcode: text.max(16, messages.maxCharacters(16)),
  date: z.iso.date(messages.date),
  number: z.number('must be a finite number.'),
  boolean: z.boolean(messages.boolean),
} as const

/** Returns the Zod type of a field's value (decisions 6). */
export function fieldValueType(field: Field): z.ZodType {
  const { type } = field
  if (type === 'divider') return z.never('stores no value.')
  if (type !== 'select' && type !== 'multipleSelect' && type !== 'tags') return plain[type]
  const known = choices.get(field) ?? choiceOf(type, field)
  choices.set(field, known)
  return known
}

// A file has many values of the same field.
const choices = new WeakMap<Field, z.ZodType>()

function choiceOf(type: 'select' | 'multipleSelect' | 'tags', { options }: Field): z.ZodType {
  const values = options?.map(({ value }) => value)
  const one = values
    ? z.enum(values, `must be ${type === 'select' ? 'one' : 'a list'} of: ${values.join(', ')}.`)
    : text
  return type === 'select' ? one : z.array(one, 'must be a list of texts.')
}
