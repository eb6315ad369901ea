import * as z from 'zod'

/*
 * What a record's properties may be (contract 2, decisions 1). A source that leaves one out, or
 * gives null, has no value for it: a text is then "", a list [], a boolean false, and whatever can
 * not be told from a real value that way (numbers, times, references) is null. Each has its meaning,
 * with its unit and what is allowed, and an example for the OpenAPI document.
 */

/** A text of 1 to 255 characters, which can stand in a path. */
export const idText = () =>
  z
    .string('must be a text.')
    .min(1, 'must not be empty.')
    .max(255, 'must have at most 255 characters.')
    .refine(isPathSegment, 'must not be . or .., which no path can hold.')

/** Whether a text can be a segment of a path: `.` and `..` are taken out of one, also when they are escaped. */
export const isPathSegment = (text: string) => text !== '.' && text !== '..'

/** The record's own id, or one it cannot be without. */
export const id = (description: string, example: string) => told(idText(), description, example)

/** Whose record it is. */
export const managedBy = () =>
  id('The id of the organisation that the record belongs to.', 'oak-trust')

/** A text, "" without a value. */
export const text = (description: string, example: string) =>
  told(given(z.string('must be a text.').default('')), description, example)

/** A text, null without a value. */
export const nullableText = (description: string, example: string) =>
  told(z.string('must be a text or null.').nullable().default(null), description, example)

/** A boolean, false without a value. */
export const boolean = (description: string, example = true) =>
  told(given(z.boolean('must be true or false.').default(false)), description, example)

/** A finite number, null without a value. */
export const number = (description: string, example: number) =>
  told(z.number('must be a number.').nullable().default(null), description, example)

/** One of `values`, which a record cannot be without. */
export const oneOf = <Value extends string>(
  values: readonly Value[],
  description: string,
  example: NoInfer<Value>,
) => told(z.enum(values, `must be one of: ${values.join(', ')}.`), description, example)

/** One of `values`, null without a value. */
export const nullableOneOf = <Value extends string>(
  values: readonly Value[],
  description: string,
  example: NoInfer<Value>,
) =>
  told(
    z
      .enum(values, `must be one of: ${values.join(', ')}.`)
      .nullable()
      .default(null),
    description,
    example,
  )

/** A list of `item`, [] without a value. */
export const listOf = <Item extends z.ZodType>(item: Item, description: string) =>
  given(z.array(item, 'must be a list.').default([])).meta({ description })

/** A list of texts, [] without a value. */
export const texts = (description: string, ...example: string[]) =>
  listOf(z.string('must be a text.'), description).meta({ examples: [example] })

/** An object with all its properties, each without a value when the source has none. */
export const object = <Shape extends z.ZodRawShape>(description: string, shape: Shape) =>
  given(
    z
      .strictObject(shape, 'must be an object.')
      .prefault({} as z.input<z.ZodObject<Shape, z.core.$strict>>),
  ).meta({ description })

/** The people something is about, by id. */
export const linkedEntities = () =>
  object('The people it is about.', {
    memberIds: texts('The ids of members it is about.', 'member-1'),
    partnerIds: texts('The ids of partners it is about.', 'partner-1'),
    volunteerIds: texts('The ids of volunteers it is about.', 'volunteer-1'),
  })

/** A number of a bank account of which only `****` and the last `kept` digits stay; "" without a value. */
export const redacted = (kept: number, description: string, example: string) =>
  told(
    z.preprocess(
      (value) => (typeof value === 'string' ? redact(value, kept) : (value ?? undefined)),
      z
        .string('must be a text.')
        .regex(
          new RegExp(`^(\\*{4}\\d{${kept}})?$`),
          `must be a number of more than ${kept} digits, or **** and its last ${kept}.`,
        )
        .default(''),
    ),
    description,
    example,
  )

/** Anything JSON can hold, null without a value. */
export const anything = (description: string, example: unknown) =>
  told(z.unknown().default(null), description, example)

/** A plain date `YYYY-MM-DD`, null without a value. */
export const date = (description: string, example = '2026-03-14') =>
  told(
    z.preprocess(
      emptyToNull,
      z.iso.date('must be a real date in the form YYYY-MM-DD.').nullable().default(null),
    ),
    description,
    example,
  )

/** A time in UTC with milliseconds; one with an offset is converted, one without is taken as UTC. */
export const timestamp = (description: string, example = '2026-03-14T09:30:00.000Z') =>
  told(
    z.preprocess(
      (value) => (typeof value === 'string' ? (toTimestamp(value) ?? emptyToNull(value)) : value),
      z.iso
        .datetime({
          precision: 3,
          error: 'must be a real time in ISO 8601 form, such as 2025-03-01T09:30:00.000Z.',
        })
        .nullable()
        .default(null),
    ),
    description,
    example,
  )

/** What it is called where it comes from. */
export const external = () =>
  object('What it is called in the system it comes from, if that is another.', {
    id: text('Its id there.', 'a0B3z00000'),
    source: text('Which system that is.', 'Salesforce'),
  })

/** When the record was created where it comes from. */
export const created = () =>
  timestamp('When the record was created in the system it comes from, in UTC.')

/** When the record was last changed where it comes from. */
export const updated = () =>
  timestamp(
    'When the record was last changed in the system it comes from, in UTC.',
    '2026-03-20T16:05:00.000Z',
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

const told = <Schema extends z.ZodType>(schema: Schema, description: string, example: unknown) =>
  schema.meta({ description, examples: [example] })

function given<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value) => value ?? undefined, schema)
}

const emptyToNull = (value: unknown) => (value === '' ? null : value)
