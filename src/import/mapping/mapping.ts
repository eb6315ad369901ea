import * as z from 'zod'
import { collectionNames } from '../../model/collection.ts'
import { messages } from '../../model/validation-error.ts'
import { valueTypes } from '../../model/value-types.ts'
import { sha256 } from '../../platform/sha256.ts'
import { isTimeZone } from '../../platform/time-zone.ts'
import type { DateOrder } from '../parse/dates.ts'
import { looksLikePostcode, normaliseKey } from '../parse/text.ts'
import { dataHeadings } from '../rows/rejected-rows.ts'
import { maxColumns } from '../rows/table.ts'
import { parentOf } from '../targets/parents.ts'

/** The ways to find a referenced record: by id, name or email address. */
const lookups = ['id', 'name', 'email'] as const
export type Lookup = (typeof lookups)[number]

const dateOrders = ['day-first', 'month-first'] as const satisfies readonly DateOrder[]
export const emptyMarks = ['absent', 'not booked'] as const

const cellTypes = [
  ...new Set(Object.values(valueTypes).map(({ mappedCell }) => mappedCell)),
  'link' as const,
]

/** The longest text that a mapping can give a value. Longer texts are free text. */
export const maxValueCharacters = 120
const tooLong = messages.maxCharacters(maxValueCharacters)
const maxMappedValues = 200
const tooManyValues = `must be at most ${maxMappedValues}.`

const Column = z.strictObject({
  heading: z.string().min(1),
  /** The id of a field or the path of a property; null if the column is not imported. */
  field: z.string().min(1).nullable(),
  as: z.enum(cellTypes, messages.oneOf(cellTypes)).default('text'),
  /** For dates and times: the order of day and month, or `excel` for serial numbers. */
  dates: z.enum(['day-first', 'month-first', 'excel']).optional(),
  /** For numbers: the decimal separator, and the only currency allowed. */
  decimal: z.enum(['.', ',']).optional(),
  currency: z.string().optional(),
  /** For lists: the separator between the values of a cell. */
  separator: z.string().min(1).optional(),
  /** For links: how to find the referenced record. */
  by: z.enum(lookups, messages.oneOf(lookups)).optional(),
  /** For options and yes or no: the value of a text in the file, ignoring case; null for no value. */
  values: z
    .record(z.string().max(maxValueCharacters, tooLong), z.string().nullable())
    .refine((values) => Object.keys(values).length <= maxMappedValues, tooManyValues)
    .optional(),
  /** For names such as "SMITH, Jane": the parts that the field takes, in its order. */
  nameParts: z
    .array(z.enum(['first', 'last']))
    .min(1)
    .max(2)
    .optional(),
  /** Whether a person decided to leave the column out. Columns about consent need the decision. */
  isLeftOut: z.boolean().optional(),
})

// A column may fill several fields.
const maxMappedColumns = 2 * maxColumns
const tooManyColumns = `must be at most ${maxMappedColumns}.`

/** How to read a sheet of ticks: people by days. */
const Ticks = z.strictObject({
  /** The order of day and month in the headings, and the year of the earliest day without one. */
  order: z.enum(dateOrders, messages.oneOf(dateOrders)).optional(),
  year: z.int().min(1900).max(9999).optional(),
  /** The meaning of an empty cell. */
  empty: z.enum(emptyMarks, messages.oneOf(emptyMarks)).optional(),
  /** Whether days without a date of the series become dates. Otherwise their columns are left out. */
  createsDates: z.boolean().optional(),
  /** Whether a person with the name of exactly one member is that member. */
  matchesNames: z.boolean().optional(),
})

/**
 * The collection, columns, parsers and record id for files with the same headings. Several columns
 * of one field are joined by a space.
 */
export const Mapping = z.strictObject({
  collection: z.enum(collectionNames, messages.oneOf(collectionNames)),
  sheet: z.string().optional(),
  timeZone: z
    .string()
    .refine(isTimeZone, 'must be the name of a time zone, such as Europe/London.')
    .default('Europe/London'),
  /** The column that holds the record's id, or with `isMade` the columns that are hashed into one. */
  id: z.strictObject({
    columns: z
      .array(z.string())
      .min(1, 'must name a column.')
      .max(maxMappedColumns, tooManyColumns),
    isMade: z.boolean(),
  }),
  /** The fields that match a row to a person with a different id. */
  match: z.array(z.string()).default([]),
  /** Properties that every record of the file gets with the same value, such as the `eventId` of all bookings. */
  same: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
  columns: z.array(Column).min(1, 'must have a column.').max(maxMappedColumns, tooManyColumns),
  /** Fields to add to the schema. */
  fields: z.array(z.looseObject({ id: z.string(), type: z.string() })).default([]),
  /** Whether bookings are marked on the register of their event as "came" or "did not come". */
  marksAttendance: z.boolean().optional(),
  /** Whether booked people without a record become members. */
  addsMembers: z.boolean().optional(),
  ticks: Ticks.optional(),
  /** Options to add to fields of the schema, by the field's id. */
  options: z
    .record(z.string(), z.array(z.string().min(1).max(200)).max(maxMappedValues))
    .optional(),
})

export type Mapping = z.output<typeof Mapping>
export type MappedColumn = z.output<typeof Column>
export type CellType = MappedColumn['as']

/** Whether a file of bookings has no event column and needs one event for all rows. */
export function needsEvent({
  collection,
  columns,
}: {
  collection: string
  columns: readonly Pick<MappedColumn, 'field'>[]
}): boolean {
  const parent = parentOf(collection)
  return parent !== undefined && !columns.some(({ field }) => field === parent.path)
}

/** The id of the event for all rows, or '' without one. */
export const chosenEventId = ({ same }: Mapping): string =>
  String(same.childEventId ?? same.eventId ?? '')

/** Removes the event of a file of bookings: the next file belongs to another event. */
function clearEvent(mapping: Mapping): Mapping {
  const parent = parentOf(mapping.collection)
  if (!parent || mapping.same[parent.path] === undefined) return mapping
  const ofParent = new Set([...parent.paths, ...parent.copied])
  const same = Object.entries(mapping.same).filter(([path]) => !ofParent.has(path))
  return { ...mapping, same: Object.fromEntries(same) }
}

/** Hashes headings in any order. A file of rejected rows has the hash of its original. */
export const hashHeadings = (headings: readonly string[]): Promise<string> =>
  sha256(JSON.stringify(dataHeadings(headings).map(normaliseKey).toSorted()))

/**
 * Serialises a mapping for later files, without the new fields and options: the schema has them by
 * then. Of the texts with a value, it has only texts that cannot identify a person.
 */
export function serialiseMapping(mapping: Mapping): string {
  const { options: _, ticks, ...rest } = clearEvent(mapping)
  return JSON.stringify({
    ...rest,
    // The next sheet has other days.
    ...(ticks && { ticks: { empty: ticks.empty, matchesNames: ticks.matchesNames } }),
    fields: [],
    columns: mapping.columns.map(withoutPersonalTexts),
  })
}

function withoutPersonalTexts(column: MappedColumn): MappedColumn {
  const { values, ...rest } = column
  const general = Object.entries(values ?? {}).filter(
    ([text, value]) => value !== null && normaliseKey(value) !== text && !mayIdentify(text),
  )
  return general.length > 0 ? { ...rest, values: Object.fromEntries(general) } : rest
}

/** Whether a text may be an address, a number or a sentence about a person. */
const mayIdentify = (text: string) =>
  text.length > 60 ||
  text.includes('@') ||
  looksLikePostcode(text) ||
  /\d\D*\d\D*\d\D*\d\D*\d/.test(text)
