import type { ZodType } from 'zod'
import type { Z } from '../record-properties.ts'
import { messages, withCode } from '../validation-error.ts'
import { type Option, type ValueType, valueTypes } from '../value-types.ts'

type FieldTypeDefinition = {
  /** The type in words. */
  label: string
  /** Absent if the field has no value. */
  value?: ValueType
  /** Builds the Zod type of its values, with Zod as a parameter: reading people must not load it. */
  check: (z: Z, options: readonly Option[] | undefined) => ZodType
  /** Whether options are required or optional; absent if a field cannot have any. */
  options?: 'required' | 'optional'
  /** Whether values other than the options are valid. */
  allowsOther?: true
  /** Whether people write its values freely. */
  isFreeText?: true
  /** Whether none of its values can be a contact detail. */
  isClosed?: true
  /** The contact detail that every value contains. */
  contactDetail?: 'email' | 'phone' | 'postcode'
  /** Whether each value belongs to one person only. */
  isUnique?: true
  /** Whether every value is special category data. */
  isSpecialCategory?: true
  /** Whether the type exists only for data from other systems. Imports do not offer it for new fields. */
  isLegacy?: true
  /** A value for examples; by default the first option, or the label in brackets. */
  example?: unknown
}

const text = (z: Z) => z.string(messages.text)

const phoneProblem = {
  message: 'must have 6 to 20 digits.',
  ...withCode('invalid_format', { min: 6, max: 20, unit: 'digit' }),
}

const phone = (z: Z) =>
  text(z)
    .max(50, messages.maxCharacters(50))
    .refine((value) => {
      const digits = value.replaceAll(/\D/g, '').length
      return digits >= 6 && digits <= 20
    }, phoneProblem)

const option = (z: Z, options: readonly Option[] | undefined, count = 'one') => {
  const values = options?.map(({ value }) => value)
  return values ? z.enum(values, `must be ${count} of: ${values.join(', ')}.`) : text(z)
}

const optionList = (z: Z, options: readonly Option[] | undefined) =>
  z.array(option(z, options, 'a list'), 'must be a list of texts.')

const plainText = { value: 'text', check: text } as const

const phoneNumber = {
  value: 'phone',
  check: phone,
  contactDetail: 'phone',
  example: '07700 900123',
} as const

const definitions = {
  text: { ...plainText, label: 'Text', isFreeText: true },
  number: {
    label: 'Number',
    value: 'number',
    check: (z) => z.number('must be a finite number.'),
    example: 1,
  },
  date: {
    label: 'Date',
    value: 'date',
    check: (z) => z.iso.date(messages.date),
    example: '1990-05-17',
  },
  email: {
    label: 'E-mail address',
    value: 'email',
    check: (z) => z.email('must be one email address.').max(320, messages.maxCharacters(320)),
    contactDetail: 'email',
    example: 'amara.abara@example.org',
  },
  phoneNumber: { ...phoneNumber, label: 'Phone number (phoneNumber)', isLegacy: true },
  phone: { ...phoneNumber, label: 'Phone number' },
  postcode: {
    label: 'Postcode',
    value: 'text',
    check: (z) => text(z).max(16, messages.maxCharacters(16)),
    contactDetail: 'postcode',
    example: 'LS11 0ES',
  },
  select: {
    label: 'One option from a list',
    value: 'option',
    check: option,
    options: 'required',
    isClosed: true,
  },
  multipleSelect: {
    label: 'Several options from a list',
    value: 'options',
    check: optionList,
    options: 'required',
    isClosed: true,
    example: [],
  },
  selectAndOther: {
    ...plainText,
    label: 'One option from a list, or other text',
    options: 'required',
    allowsOther: true,
  },
  boolean: {
    label: 'Yes or no',
    value: 'boolean',
    check: (z) => z.boolean(messages.boolean),
    isClosed: true,
    example: true,
  },
  tags: {
    label: 'Tags',
    value: 'list',
    check: optionList,
    options: 'optional',
    isClosed: true,
    example: ['Food'],
  },
  country: { ...plainText, label: 'Country', isClosed: true, example: 'England' },
  school: { ...plainText, label: 'School', isLegacy: true },
  benefits: { ...plainText, label: 'Benefits', isSpecialCategory: true, isLegacy: true },
  uniqueId: { ...plainText, label: 'Unique reference', isUnique: true },
  custom: { ...plainText, label: 'Text from another system', isFreeText: true, isLegacy: true },
  divider: {
    label: 'Heading, without a value',
    check: (z) => z.never('stores no value.'),
    isClosed: true,
  },
} as const satisfies Record<string, FieldTypeDefinition>

/** The type of a field of people. */
export type FieldType = keyof typeof definitions

/** The types of fields, in the order of the contract. */
export const fieldTypes: Readonly<Record<FieldType, FieldTypeDefinition>> = definitions

export const fieldTypeNames = Object.keys(definitions) as FieldType[]

export const mappedCellFor = (type: FieldType) => valueTypes[valueTypeOf({ type })].mappedCell

/** Whether people have a value of the field; a heading has none. */
export const hasValue = ({ type }: { type: FieldType }): boolean =>
  fieldTypes[type].value !== undefined

/** Whether people write the values of the field freely. */
export const isFreeText = ({ type }: { type: FieldType }): boolean =>
  fieldTypes[type].isFreeText === true

/** Whether each value of the field belongs to one person only. */
export const isUnique = ({ type }: { type: FieldType }): boolean =>
  fieldTypes[type].isUnique === true

/** The type of the values of a field; a heading counts as text. */
export const valueTypeOf = ({ type }: { type: FieldType }): ValueType =>
  fieldTypes[type].value ?? 'text'
