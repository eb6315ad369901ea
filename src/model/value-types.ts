import { hasLostDigits, hasLostZero, splitList } from './cell-text.ts'
import { lostDigits, type ParseCell } from './parsed-cell.ts'
import { fromLondon, toLondon } from './timestamp.ts'

/*
 * A value type says in which form documents store a value, and how files and forms write it. Fields of
 * people (`field-types.ts`) and properties of records (`types.ts`) name their value type; what may be
 * in it is for them to check. How pages show, filter and order its values is in `dashboard/ui/value-kinds.ts`.
 */

/** An option: its value and its label. */
export type Option = { value: string; label: string }

/** The form control for a value. Checkboxes, and a select without options, use the property's options. */
type Control = {
  element: 'input' | 'textarea' | 'select' | 'checkboxes'
  attributes?: Readonly<Record<string, string>>
  options?: readonly Option[]
  help?: string
}

type Parsed = { value: unknown } | { error: string }

/** How a form writes a value as text, and parses the text that a person entered. */
type FormText = {
  format: (value: unknown) => string
  parse: (text: string) => Parsed
}

/** What documents hold: queries, OData and lists treat all types with the same stored form alike. */
export type StoredForm =
  | 'text'
  | 'number'
  | 'boolean'
  | 'date'
  | 'time'
  | 'texts'
  | 'objects'
  | 'any'

type ValueTypeDefinition = {
  stored: StoredForm
  /** Parses a cell, which is not empty, in a CSV file with property names as headings. An unreadable cell stays text, so that validation reports it. */
  parseCell: (cell: string) => unknown
  /** The parser of a mapped cell: one of `plainCells`, or with settings of the column (`src/import/candidates/parse-cell.ts`). */
  mappedCell:
    | keyof typeof plainCells
    | ('text' | 'number' | 'boolean' | 'date' | 'time' | 'option' | 'list')
  /** Whether a value can identify the record of an upsert, as the field `$by`. */
  canIdentify?: true
  /** The form control; absent if forms cannot edit the value. */
  control?: Control
  /** Absent without a control, and for checkboxes, which send a list of values instead of a text. */
  formText?: FormText
}

/** The parsers of mapped cells that depend on nothing but the cell, which is not empty. */
export const plainCells = {
  phone: (cell) => {
    if (hasLostDigits(cell)) return lostDigits
    return hasLostZero(cell) ? { value: cell, note: lostZeroNote } : { value: cell }
  },
  json: (cell) => {
    try {
      return { value: JSON.parse(cell) }
    } catch {
      return { message: 'is not valid JSON.', code: 'invalid_format' }
    }
  },
} as const satisfies Record<string, ParseCell>

const lostZeroNote =
  'does not begin with 0, which a spreadsheet may have removed. It is stored unchanged.'

const parseTextCell = (cell: string) => cell

const parseNumberCell = (cell: string) =>
  Number.isFinite(Number(cell)) && cell.trim() !== '' ? Number(cell) : cell

const parseBooleanCell = (cell: string) =>
  ({ true: true, false: false })[cell.trim().toLowerCase()] ?? cell

export function parseJsonCell(cell: string): unknown {
  try {
    return JSON.parse(cell)
  } catch {
    return cell
  }
}

/** An empty text means null. */
const textOrNull = (parse: (text: string) => Parsed): FormText => ({
  format: String,
  parse: (text) => (text.trim() === '' ? { value: null } : parse(text)),
})

const untrimmed = textOrNull((text) => ({ value: text }))
const trimmed = textOrNull((text) => ({ value: text.trim() }))

/** A number, also with commas between thousands. */
export const numberText = textOrNull((text) => {
  const value = Number(text.replaceAll(',', ''))
  return Number.isFinite(value) ? { value } : { error: 'must be a number.' }
})

const timeText: FormText = {
  ...textOrNull((text) => {
    const value = fromLondon(text.trim())
    return value ? { value } : { error: 'must be a date and a time.' }
  }),
  format: (value) => toLondon(String(value)),
}

const lines: FormText = {
  format: (value) => (Array.isArray(value) ? value.join('\n') : String(value)),
  parse: (text) => ({
    value: text
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean),
  }),
}

// Not type="number" or "email": browsers discard invalid text, so an error could not show it.
const input = (attributes: Control['attributes'] = {}): Control => ({
  element: 'input',
  attributes,
})

const definitions = {
  text: {
    stored: 'text',
    parseCell: parseTextCell,
    mappedCell: 'text',
    canIdentify: true,
    control: input(),
    formText: untrimmed,
  },
  email: {
    stored: 'text',
    parseCell: parseTextCell,
    mappedCell: 'text',
    canIdentify: true,
    control: input({ inputmode: 'email' }),
    formText: trimmed,
  },
  phone: {
    stored: 'text',
    parseCell: parseTextCell,
    mappedCell: 'phone',
    canIdentify: true,
    control: input({ inputmode: 'tel' }),
    formText: trimmed,
  },
  number: {
    stored: 'number',
    parseCell: parseNumberCell,
    mappedCell: 'number',
    canIdentify: true,
    control: input({ inputmode: 'decimal' }),
    formText: numberText,
  },
  boolean: {
    stored: 'boolean',
    parseCell: parseBooleanCell,
    mappedCell: 'boolean',
    control: {
      element: 'select',
      options: [
        { value: 'true', label: 'Yes' },
        { value: 'false', label: 'No' },
      ],
    },
    formText: textOrNull((text) => ({ value: text.trim() === 'true' })),
  },
  date: {
    stored: 'date',
    parseCell: parseTextCell,
    mappedCell: 'date',
    control: input({ type: 'date' }),
    formText: trimmed,
  },
  time: {
    stored: 'time',
    parseCell: parseTextCell,
    mappedCell: 'time',
    control: { ...input({ type: 'datetime-local' }), help: 'UK time.' },
    formText: timeText,
  },
  /** One of the property's options. */
  option: {
    stored: 'text',
    parseCell: parseTextCell,
    mappedCell: 'option',
    control: { element: 'select' },
    formText: trimmed,
  },
  /** Several of the property's options. */
  options: {
    stored: 'texts',
    parseCell: splitList,
    mappedCell: 'list',
    control: { element: 'checkboxes' },
  },
  /** A list of any texts. */
  list: {
    stored: 'texts',
    parseCell: splitList,
    mappedCell: 'list',
    control: { element: 'textarea', help: 'One per line.' },
    formText: lines,
  },
  /** A list of objects. */
  objects: { stored: 'objects', parseCell: parseJsonCell, mappedCell: 'json' },
  /** Any JSON value. */
  any: { stored: 'any', parseCell: parseTextCell, mappedCell: 'json' },
} as const satisfies Record<string, ValueTypeDefinition>

/** The type of a property's value, in structured records and in people. */
export type ValueType = keyof typeof definitions

export const valueTypes: Readonly<Record<ValueType, ValueTypeDefinition>> = definitions

export const isValueType = (name: string): name is ValueType => Object.hasOwn(valueTypes, name)

type Typed = { type: ValueType }

export const isNumber = ({ type }: Typed): boolean => valueTypes[type].stored === 'number'

/** Whether values of a type are days. */
export const isDate = ({ type }: Typed): boolean => valueTypes[type].stored === 'date'

/** Whether a value is yes or no. */
export const isBoolean = ({ type }: Typed): boolean => valueTypes[type].stored === 'boolean'

/** Whether documents store a value as a text, as they do days and times. */
export const isStoredAsText = ({ type }: Typed): boolean =>
  ['text', 'date', 'time'].includes(valueTypes[type].stored)

/** Whether a value is a list of texts. */
export const isTextList = ({ type }: Typed): boolean => valueTypes[type].stored === 'texts'

/** Whether a value is a list of objects, which is not in the index: no query can name it. */
export const isObjectList = ({ type }: Typed): boolean => valueTypes[type].stored === 'objects'

/** Whether a value is a date or a time. */
export const isDated = ({ type }: Typed): boolean =>
  ['date', 'time'].includes(valueTypes[type].stored)
