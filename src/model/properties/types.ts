import * as z from 'zod'
import { toTimestamp } from '../timestamp.ts'
import { messages } from '../validation-error.ts'
import type { ValueType } from './value-types.ts'

/*
 * The types of properties. An absent or null property has no value: texts
 * become "", lists [], booleans false; numbers, times and references become null. Each type names its
 * value type, and takes a description and an example for the OpenAPI document.
 */

// Zod's own metadata would appear in the OpenAPI document.
const valueTypeNames = z.registry<{ name: ValueType }>()

/** Names the value type of a Zod type. */
export function asValueType<Schema extends z.ZodType>(name: ValueType, type: Schema): Schema {
  valueTypeNames.add(type, { name })
  return type
}

/** The value type that a property names; by default it can have any JSON value. */
export const valueTypeOfProperty = (property: z.ZodType): ValueType =>
  valueTypeNames.get(property)?.name ?? 'any'

/** A text of 1 to 255 characters that is valid in a path. */
export const idText = () =>
  z
    .string(messages.text)
    .min(1, messages.notEmpty)
    .max(255, messages.maxCharacters(255))
    .refine(isPathSegment, messages.pathSegment)

/** Whether a text can be a path segment: URL parsers remove `.` and `..`, also escaped. */
export const isPathSegment = (text: string) => text !== '.' && text !== '..'

/** The record's id, or a required reference. */
export const id = (description: string, example: string) =>
  describe('text', idText(), description, example)

/** The id of the organisation. */
export const managedBy = () => id("The id of the record's organisation.", 'oak-trust')

/** A text, "" without a value. */
export const text = (description: string, example: string) =>
  describe('text', nullAsAbsent(z.string(messages.text).default('')), description, example)

/** A text, null without a value. */
export const nullableText = (description: string, example: string) =>
  describe(
    'text',
    z.string('must be a text or null.').nullable().default(null),
    description,
    example,
  )

/** A boolean, false without a value. */
export const boolean = (description: string, example = true) =>
  describe(
    'boolean',
    nullAsAbsent(z.boolean(messages.boolean).default(false)),
    description,
    example,
  )

/** A finite number, null without a value. */
export const number = (description: string, example: number) =>
  describe('number', z.number('must be a number.').nullable().default(null), description, example)

/** One of `values`; required. */
export const oneOf = <Value extends string>(
  values: readonly Value[],
  description: string,
  example: NoInfer<Value>,
) => describe('option', z.enum(values, messages.oneOf(values)), description, example)

/** One of `values`, null without a value. */
export const nullableOneOf = <Value extends string>(
  values: readonly Value[],
  description: string,
  example: NoInfer<Value>,
) =>
  describe(
    'option',
    z.enum(values, messages.oneOf(values)).nullable().default(null),
    description,
    example,
  )

/** A list of objects, [] without a value. */
export const listOf = <Item extends z.ZodObject>(item: Item, description: string) =>
  describe('objects', list(item), description)

/** A list of texts, [] without a value. */
export const textList = (description: string, ...example: string[]) =>
  describe('list', list(z.string(messages.text)), description, example)

/** An object with all its properties, even those without a value. */
export const object = <Shape extends z.ZodRawShape>(description: string, shape: Shape) =>
  nullAsAbsent(
    z
      .strictObject(shape, 'must be an object.')
      .prefault({} as z.input<z.ZodObject<Shape, z.core.$strict>>),
  ).meta({ description })

/** The ids of the people in a record. */
export const linkedEntities = () =>
  object('The people in the record.', {
    memberIds: textList('The ids of members it is about.', 'member-1'),
    partnerIds: textList('The ids of partners it is about.', 'partner-1'),
    volunteerIds: textList('The ids of volunteers it is about.', 'volunteer-1'),
  })

/** A bank account number that is stored as `****` and its last `shownDigits` digits; "" without a value. */
export const maskedNumber = (shownDigits: number, description: string, example: string) =>
  describe(
    'text',
    z.preprocess(
      (value) => (typeof value === 'string' ? mask(value, shownDigits) : (value ?? undefined)),
      z
        .string(messages.text)
        .regex(
          new RegExp(`^(\\*{4}\\d{${shownDigits}})?$`),
          `must be a number of more than ${shownDigits} digits, or **** and its last ${shownDigits}.`,
        )
        .default(''),
    ),
    description,
    example,
  )

/** Any JSON value, null without a value. */
export const anything = (description: string, example: unknown) =>
  describe('any', z.unknown().default(null), description, example)

/** A plain date `YYYY-MM-DD`, null without a value. */
export const date = (description: string, example = '2026-03-14') =>
  describe(
    'date',
    z.preprocess(emptyToNull, z.iso.date(messages.date).nullable().default(null)),
    description,
    example,
  )

/** A time in UTC with milliseconds. Input with an offset is converted; input without one counts as UTC. */
export const timestamp = (description: string, example = '2026-03-14T09:30:00.000Z') =>
  describe(
    'time',
    z.preprocess(
      (value) => (typeof value === 'string' ? (toTimestamp(value) ?? emptyToNull(value)) : value),
      z.iso
        .datetime({
          precision: 3,
          error: messages.time,
        })
        .nullable()
        .default(null),
    ),
    description,
    example,
  )

/** The id in the source system. */
export const external = () =>
  object('The id in the source system; empty without one.', {
    id: text('The id in the source system.', 'a0B3z00000'),
    source: text('The name of the source system.', 'Salesforce'),
  })

/** The time of creation in the source system. */
export const created = () => timestamp('The creation in the source system, in UTC.')

/** The time of the last change in the source system. */
export const updated = () =>
  timestamp('The last change in the source system, in UTC.', '2026-03-20T16:05:00.000Z')

function mask(number: string, shownDigits: number): string {
  const digits = number.replace(/[\s-]/g, '')
  const isComplete = /^[A-Z0-9]+$/i.test(digits) && digits.length > shownDigits
  return isComplete ? `****${digits.slice(-shownDigits)}` : digits
}

const list = <Item extends z.ZodType>(item: Item) =>
  nullAsAbsent(z.array(item, messages.list).default([]))

/** Gives a Zod type its value type, its description and examples. */
function describe<Schema extends z.ZodType>(
  name: ValueType,
  schema: Schema,
  description: string,
  ...examples: unknown[]
): Schema {
  return asValueType(name, schema.meta({ description, ...(examples.length > 0 && { examples }) }))
}

function nullAsAbsent<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value) => value ?? undefined, schema)
}

const emptyToNull = (value: unknown) => (value === '' ? null : value)
