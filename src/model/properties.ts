import * as z from 'zod'

/*
 * What a record's properties may be (contract 2, decisions 1). A source that leaves one out, or
 * gives null, has no value for it: a text is then "", a list [], a boolean false, and whatever can
 * not be told from a real value that way (numbers, times, references) is null.
 */

/** The record's own id, or one it cannot be without: a text of 1 to 255 characters, which can stand in a path. */
export const id = () =>
  z
    .string('must be a text.')
    .min(1, 'must not be empty.')
    .max(255, 'must have at most 255 characters.')
    .refine(standsInPath, 'must not be . or .., which no path can hold.')

/** Whether a text can be a segment of a path: `.` and `..` are taken out of one, also when they are escaped. */
export const standsInPath = (text: string) => text !== '.' && text !== '..'

/** A text, "" without a value. */
export const text = () => given(z.string('must be a text.').default(''))

/** A text, null without a value. */
export const nullableText = () => z.string('must be a text or null.').nullable().default(null)

/** A boolean, false without a value. */
export const boolean = () => given(z.boolean('must be true or false.').default(false))

/** A finite number, null without a value. */
export const number = () => z.number('must be a number.').nullable().default(null)

/** One of `values`, which a record cannot be without. */
export const oneOf = <Value extends string>(values: readonly Value[]) =>
  z.enum(values, `must be one of ${values.join(', ')}.`)

/** A list of `item`, [] without a value. */
export const listOf = <Item extends z.ZodType>(item: Item) =>
  given(z.array(item, 'must be a list.').default([]))

/** A list of texts, [] without a value. */
export const texts = () => listOf(z.string('must be a text.'))

/** An object with all its properties, each without a value when the source has none. */
export const object = <Shape extends z.ZodRawShape>(shape: Shape) =>
  given(
    z
      .strictObject(shape, 'must be an object.')
      .prefault({} as z.input<z.ZodObject<Shape, z.core.$strict>>),
  )

/** The people something is about, by id. */
export const linkedEntities = () =>
  object({
    memberIds: texts(),
    partnerIds: texts(),
    volunteerIds: texts(),
  })

/** A number of a bank account of which only `****` and the last `kept` digits stay; "" without a value. */
export const redacted = (kept: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' ? redact(value, kept) : (value ?? undefined)),
    z
      .string('must be a text.')
      .regex(
        new RegExp(`^(\\*{4}\\d{${kept}})?$`),
        `must be a number of more than ${kept} digits, or **** and its last ${kept}.`,
      )
      .default(''),
  )

/** Anything JSON can hold, null without a value. */
export const anything = () => z.unknown().default(null)

/** A plain date `YYYY-MM-DD`, null without a value. */
export const date = () =>
  z.preprocess(
    emptyToNull,
    z.iso.date('must be a real date in the form YYYY-MM-DD.').nullable().default(null),
  )

/** A time in UTC with milliseconds; one with an offset is converted, one without is taken as UTC. */
export const timestamp = () =>
  z.preprocess(
    (value) => (typeof value === 'string' ? (toTimestamp(value) ?? emptyToNull(value)) : value),
    z.iso
      .datetime({
        precision: 3,
        error: 'must be a real time in ISO 8601 form, such as 2025-03-01T09:30:00.000Z.',
      })
      .nullable()
      .default(null),
  )

/** `text` in ISO 8601 as `YYYY-MM-DDTHH:mm:ss.sssZ`; undefined when there is no such time. */
export function toTimestamp(text: string): string | undefined {
  const parts =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|[+-]\d\d:?\d\d)?)?$/i.exec(
      text,
    )
  if (!parts || !z.iso.date().safeParse(parts[1]).success) return undefined
  const [, day, minute = '00:00', second = '00', fraction = '', zone = 'Z'] = parts
  const offset = zone.toUpperCase().replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')
  const time = Date.parse(
    `${day}T${minute}:${second}.${fraction.padEnd(3, '0').slice(0, 3)}${offset}`,
  )
  if (Number.isNaN(time)) return undefined
  const utc = new Date(time).toISOString()
  return utc.length === 24 ? utc : undefined
}

function redact(number: string, kept: number): string {
  const shown = number.replace(/[\s-]/g, '')
  return /^[A-Z0-9]+$/i.test(shown) && shown.length > kept ? `****${shown.slice(-kept)}` : shown
}

function given<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value) => value ?? undefined, schema)
}

const emptyToNull = (value: unknown) => (value === '' ? null : value)
