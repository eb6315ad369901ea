import type * as Zod from 'zod'
import {
  buildShape,
  type Properties,
  type RecordProperties,
  type Shape,
  type ValueProperty,
  type Z,
} from '../record-properties.ts'
import { toTimestamp } from '../timestamp.ts'
import { messages } from '../validation-error.ts'

/*
 * The types of properties. An absent or null property has no value: texts become "", lists [], booleans false;
 * numbers, times and references become null. Each type names its value type, and takes a description and an example
 * for the OpenAPI document.
 */

/** A record with these properties. `id` is its name in the OpenAPI document. */
export const record = <P extends Properties>(id: string, properties: P): RecordProperties<P> => ({
  id,
  properties,
})

/** A text of 1 to 255 characters that is valid in a path. */
export const idText = (z: Z) =>
  z
    .string(messages.text)
    .min(1, messages.notEmpty)
    .max(255, messages.maxCharacters(255))
    .refine(isPathSegment, messages.pathSegment)

/** Whether a text can be a path segment: URL parsers remove `.` and `..`, also escaped. */
export const isPathSegment = (text: string) => text !== '.' && text !== '..'

/** The record's id, or a required reference. */
export const id = (description: string, example: string) =>
  value({ type: 'text', description, emptyValue: undefined }, [example], idText)

/** The id of the organisation. */
export const managedBy = () => id("The id of the record's organisation.", 'oak-trust')

/** A text, "" without a value. */
export const text = (description: string, example: string) =>
  value({ type: 'text', description, emptyValue: '' }, [example], (z, empty) =>
    nullAsAbsent(z, z.string(messages.text).default(empty)),
  )

/** A text, null without a value. */
export const nullableText = (description: string, example: string) =>
  value({ type: 'text', description, emptyValue: null }, [example], (z, empty) =>
    z.string('must be a text or null.').nullable().default(empty),
  )

/** A boolean, false without a value. */
export const boolean = (description: string, example = true) =>
  value({ type: 'boolean', description, emptyValue: false }, [example], (z, empty) =>
    nullAsAbsent(z, z.boolean(messages.boolean).default(empty)),
  )

/** A finite number, null without a value. */
export const number = (description: string, example: number) =>
  value({ type: 'number', description, emptyValue: null }, [example], (z, empty) =>
    z.number('must be a number.').nullable().default(empty),
  )

/** One of `values`; required. */
export const choice = <Value extends string>(
  values: readonly Value[],
  description: string,
  example: NoInfer<Value>,
) =>
  value({ type: 'option', description, emptyValue: undefined, options: values }, [example], (z) =>
    z.enum(values, messages.oneOf(values)),
  )

/** One of `values`, null without a value. */
export const nullableOneOf = <Value extends string>(
  values: readonly Value[],
  description: string,
  example: NoInfer<Value>,
) =>
  value({ type: 'option', description, emptyValue: null, options: values }, [example], (z, empty) =>
    z.enum(values, messages.oneOf(values)).nullable().default(empty),
  )

/** A list of objects, [] without a value. `id` is the name of the objects' type in the OpenAPI document. */
export const listOf = <P extends Properties>(items: P, description: string, id?: string) =>
  value({ type: 'objects', description, emptyValue: [], items }, [], (z) => {
    const item = z.strictObject(buildShape(z, items))
    return list(z, id ? item.meta({ id }) : item)
  })

/** A list of texts, [] without a value. */
export const textList = (description: string, ...example: string[]) =>
  value({ type: 'list', description, emptyValue: [] }, [example], (z) =>
    list(z, z.string(messages.text)),
  )

/** An object with all its properties, even those without a value. */
export const object = <P extends Properties>(description: string, properties: P) => ({
  properties,
  build: (z: Z) =>
    nullAsAbsent(
      z,
      z
        .strictObject(buildShape(z, properties), 'must be an object.')
        .prefault({} as Zod.input<Zod.ZodObject<Shape<P>, Zod.core.$strict>>),
    ).meta({ description }),
})

/** A finite number, absent without a value. */
export const optionalNumber = (description: string, example: number) => ({
  type: 'any' as const,
  description,
  isRequired: false,
  emptyValue: undefined,
  build: (z: Z) =>
    z
      .number()
      .optional()
      .meta({ description, examples: [example] }),
})

/** The ids of the people in a record. */
export const linkedEntities = () =>
  object('The people in the record.', {
    memberIds: textList('The ids of members it is about.', 'member-1'),
    partnerIds: textList('The ids of partners it is about.', 'partner-1'),
    volunteerIds: textList('The ids of volunteers it is about.', 'volunteer-1'),
  })

/** A bank account number that is stored as `****` and its last `shownDigits` digits; "" without a value. */
export const maskedNumber = (shownDigits: number, description: string, example: string) =>
  value({ type: 'text', description, emptyValue: '' }, [example], (z, empty) =>
    z.preprocess(
      (value) => (typeof value === 'string' ? mask(value, shownDigits) : (value ?? undefined)),
      z
        .string(messages.text)
        .regex(
          new RegExp(`^(\\*{4}\\d{${shownDigits}})?$`),
          `must be a number of more than ${shownDigits} digits, or **** and its last ${shownDigits}.`,
        )
        .default(empty),
    ),
  )

/** Any JSON value, null without a value. */
export const anything = (description: string, example: unknown) =>
  value({ type: 'any', description, emptyValue: null }, [example], (z, empty) =>
    z.unknown().default(empty),
  )

/** A plain date `YYYY-MM-DD`, null without a value. */
export const date = (description: string, example = '2026-03-14') =>
  value({ type: 'date', description, emptyValue: null }, [example], (z, empty) =>
    z.preprocess(emptyToNull, z.iso.date(messages.date).nullable().default(empty)),
  )

/** A time in UTC with milliseconds. Input with an offset is converted; input without one counts as UTC. */
export const timestamp = (description: string, example = '2026-03-14T09:30:00.000Z') =>
  value({ type: 'time', description, emptyValue: null }, [example], (z, empty) =>
    z.preprocess(
      (value) => (typeof value === 'string' ? (toTimestamp(value) ?? emptyToNull(value)) : value),
      z.iso
        .datetime({
          precision: 3,
          error: messages.time,
        })
        .nullable()
        .default(empty),
    ),
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

const list = <Item extends Zod.ZodType>(z: Z, item: Item) =>
  nullAsAbsent(z, z.array(item, messages.list).default([]))

/** A property whose Zod type has its description and examples. */
function value<const Empty, Schema extends Zod.ZodType>(
  facts: Pick<ValueProperty, 'type' | 'description' | 'options' | 'items'> & { emptyValue: Empty },
  examples: readonly unknown[],
  build: (z: Z, emptyValue: NoInfer<Empty>) => Schema,
): ValueProperty<Schema> {
  const { description, emptyValue } = facts
  return {
    ...facts,
    isRequired: emptyValue === undefined,
    build: (z) =>
      build(z, emptyValue).meta({ description, ...(examples.length > 0 && { examples }) }),
  }
}

function nullAsAbsent<Schema extends Zod.ZodType>(z: Z, schema: Schema) {
  return z.preprocess((value) => value ?? undefined, schema)
}

const emptyToNull = (value: unknown) => (value === '' ? null : value)
