import * as z from 'zod'
import { toTimestamp } from '../timestamp.ts'
import { messages } from '../validation-error.ts'

/*
 * The types of properties. An absent or null property has no value: texts
 * become "", lists [], booleans false; numbers, times and references become null. Each type takes a
 * description and an example for the OpenAPI document.
 */

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
export const id = (description: string, example: string) => describe(idText(), description, example)

/** The id of the organisation. */
export const managedBy = () => id("The id of the record's organisation.", 'oak-trust')

/** A text, "" without a value. */
export const text = (description: string, example: string) =>
  describe(nullAsAbsent(z.string(messages.text).default('')), description, example)

/** A text, null without a value. */
export const nullableText = (description: string, example: string) =>
  describe(z.string('must be a text or null.').nullable().default(null), description, example)

/** A boolean, false without a value. */
export const boolean = (description: string, example = true) =>
  describe(nullAsAbsent(z.boolean(messages.boolean).default(false)), description, example)

/** A finite number, null without a value. */
export const number = (description: string, example: number) =>
  describe(z.number('must be a number.').nullable().default(null), description, example)

/** One of `values`; required. */
export const oneOf = <Value extends string>(
  values: readonly Value[],
  description: string,
  example: NoInfer<Value>,
) => describe(z.enum(values, messages.oneOf(values)), description, example)

/** One of `values`, null without a value. */
export const nullableOneOf = <Value extends string>(
  values: readonly Value[],
  description: string,
  example: NoInfer<Value>,
) => describe(z.enum(values, messages.oneOf(values)).nullable().default(null), description, example)

/** A list of `item`, [] without a value. */
export const listOf = <Item extends z.ZodType>(item: Item, description: string) =>
  nullAsAbsent(z.array(item, messages.list).default([])).meta({ description })

/** A list of texts, [] without a value. */
export const textList = (description: string, ...example: string[]) =>
  listOf(z.string(messages.text), description).meta({ examples: [example] })

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
  describe(z.unknown().default(null), description, example)

/** A plain date `YYYY-MM-DD`, null without a value. */
export const date = (description: string, example = '2026-03-14') =>
  describe(
    z.preprocess(emptyToNull, z.iso.date(messages.date).nullable().default(null)),
    description,
    example,
  )

/** A time in UTC with milliseconds. Input with an offset is converted; input without one counts as UTC. */
export const timestamp = (description: string, example = '2026-03-14T09:30:00.000Z') =>
  describe(
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

const describe = <Schema extends z.ZodType>(
  schema: Schema,
  description: string,
  example: unknown,
) => schema.meta({ description, examples: [example] })

function nullAsAbsent<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value) => value ?? undefined, schema)
}

const emptyToNull = (value: unknown) => (value === '' ? null : value)
