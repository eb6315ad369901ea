import * as z from 'zod'
import { collectionNames } from '../../model/collection.ts'
import { messages } from '../../model/validation-error.ts'
import { sha256 } from '../../platform/sha256.ts'
import { isTimeZone } from '../../platform/time-zone.ts'
import { normaliseKey } from '../parse/text.ts'
import { dataHeadings } from '../read/rejected-rows.ts'
import { maxColumns } from '../read/table.ts'

/** How a record that a property names is found: by its own id, a name, or an email address. */
const lookups = ['id', 'name', 'email'] as const
export type Lookup = (typeof lookups)[number]

/** What the cells of a column are read as. */
const cellTypes = [
  'text',
  'phone',
  'number',
  'boolean',
  'date',
  'time',
  'option',
  'list',
  'json',
  'link',
] as const

const Column = z.strictObject({
  heading: z.string().min(1),
  /** The id of a field, or the path of a property; null where the column is left out. */
  field: z.string().min(1).nullable(),
  as: z.enum(cellTypes, messages.oneOf(cellTypes)).default('text'),
  /** Of dates and times: which number is the day; `excel` where they are Excel's numbers. */
  dates: z.enum(['day-first', 'month-first', 'excel']).optional(),
  /** Of numbers: what stands before the decimals, and the one currency there may be. */
  decimal: z.enum(['.', ',']).optional(),
  currency: z.string().optional(),
  /** Of lists: what stands between the values of a cell. */
  separator: z.string().min(1).optional(),
  /** Of links: what finds the record that is named. */
  by: z.enum(lookups, messages.oneOf(lookups)).optional(),
})

// A column may go to several places.
const maxMappedColumns = 2 * maxColumns
const tooManyColumns = `must be at most ${maxMappedColumns}.`

/**
 * How the files of one kind become records: which collection, which column is what and how its cells
 * are read, and what a record's id is made of. Several columns of one field are joined by a space.
 */
export const Mapping = z.strictObject({
  collection: z.enum(collectionNames, messages.oneOf(collectionNames)),
  sheet: z.string().optional(),
  timeZone: z
    .string()
    .refine(isTimeZone, 'must be the name of a time zone, such as Europe/London.')
    .default('Europe/London'),
  /** The columns that hold the record's id, or are hashed into one. */
  id: z.strictObject({
    columns: z
      .array(z.string())
      .min(1, 'must name a column.')
      .max(maxMappedColumns, tooManyColumns),
    isMade: z.boolean(),
  }),
  /** The fields by which people are found who are kept under another id. */
  match: z.array(z.string()).default([]),
  /** Properties that are the same in every record of the file. */
  same: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
  columns: z.array(Column).min(1, 'must have a column.').max(maxMappedColumns, tooManyColumns),
  /** Fields for the schema that it does not have. */
  fields: z.array(z.looseObject({ id: z.string(), type: z.string() })).default([]),
})

export type Mapping = z.output<typeof Mapping>
export type MappedColumn = z.output<typeof Column>
export type CellType = MappedColumn['as']

/** Whether the event of a file of bookings is to be named once for all rows. */
export const needsEvent = ({ collection, columns }: Pick<Mapping, 'collection' | 'columns'>) =>
  collection === 'bookings' && !columns.some(({ field }) => field === 'eventId')

/** The event that a mapping names for all rows; '' if it names none. */
export const chosenEventId = ({ same }: Mapping): string =>
  String(same.childEventId ?? same.eventId ?? '')

/** A mapping without the event of its file: the next file of its kind is of another. */
function clearEvent(mapping: Mapping): Mapping {
  if (mapping.collection !== 'bookings' || mapping.same.eventId === undefined) return mapping
  const same = Object.entries(mapping.same).filter(([path]) => !eventProperties.has(path))
  return { ...mapping, same: Object.fromEntries(same) }
}

const eventProperties = new Set(['eventId', 'childEventId', 'name', 'start', 'date', 'end'])

/** Identifies files with the same headings in any order. A file of rejected rows has the hash of its original. */
export const hashHeadings = (headings: readonly string[]): Promise<string> =>
  sha256(JSON.stringify(dataHeadings(headings).map(normaliseKey).toSorted()))

/** Serialises a mapping for the next file of its kind. By then the schema has the added fields. */
export const serialiseMapping = (mapping: Mapping): string =>
  JSON.stringify({ ...clearEvent(mapping), fields: [] })
