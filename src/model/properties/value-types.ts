import { fromLondon, toLondon } from '../timestamp.ts'

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
  /** The parser of a cell in a CSV file with property names as headings (`src/import/targets/target.ts`). */
  cell: 'text' | 'number' | 'boolean' | 'list' | 'json'
  /** The parser of a mapped cell (`src/import/candidates/parse-cell.ts`). */
  mappedCell: 'text' | 'phone' | 'number' | 'boolean' | 'date' | 'time' | 'option' | 'list' | 'json'
  /** The form control; absent if forms cannot edit the value. */
  control?: Control
  /** Parses the text of a form. */
  parse: (text: string) => Parsed
  /** Formats a value for a form. */
  format: (value: unknown) => string
}

const nullIfBlank = (parse: (text: string) => Parsed) => (text: string) =>
  text.trim() === '' ? { value: null } : parse(text)

const keepText = {
  parse: nullIfBlank((text) => ({ value: text })),
  format: String,
  stored: 'text',
} as const
const trimText = {
  parse: nullIfBlank((text) => ({ value: text.trim() })),
  format: String,
  stored: 'text',
} as const

// Not type="number" or "email": browsers discard invalid text, so an error could not show it.
const input = (attributes: Control['attributes'] = {}): Control => ({
  element: 'input',
  attributes,
})

const definitions = {
  text: { ...keepText, cell: 'text', mappedCell: 'text', control: input() },
  email: { ...trimText, cell: 'text', mappedCell: 'text', control: input({ inputmode: 'email' }) },
  phone: { ...trimText, cell: 'text', mappedCell: 'phone', control: input({ inputmode: 'tel' }) },
  number: {
    stored: 'number',
    cell: 'number',
    mappedCell: 'number',
    control: input({ inputmode: 'decimal' }),
    parse: nullIfBlank((text) => {
      const value = Number(text.replaceAll(',', ''))
      return Number.isFinite(value) ? { value } : { error: 'must be a number.' }
    }),
    format: String,
  },
  boolean: {
    stored: 'boolean',
    cell: 'boolean',
    mappedCell: 'boolean',
    control: {
      element: 'select',
      options: [
        { value: 'true', label: 'Yes' },
        { value: 'false', label: 'No' },
      ],
    },
    parse: nullIfBlank((text) => ({ value: text.trim() === 'true' })),
    format: String,
  },
  date: {
    ...trimText,
    stored: 'date',
    cell: 'text',
    mappedCell: 'date',
    control: input({ type: 'date' }),
  },
  time: {
    stored: 'time',
    cell: 'text',
    mappedCell: 'time',
    control: { ...input({ type: 'datetime-local' }), help: 'UK time.' },
    parse: nullIfBlank((text) => {
      const value = fromLondon(text.trim())
      return value ? { value } : { error: 'must be a date and a time.' }
    }),
    format: (value) => toLondon(String(value)),
  },
  option: { ...trimText, cell: 'text', mappedCell: 'option', control: { element: 'select' } },
  options: {
    ...trimText,
    stored: 'texts',
    cell: 'list',
    mappedCell: 'list',
    control: { element: 'checkboxes' },
  },
  list: {
    stored: 'texts',
    cell: 'list',
    mappedCell: 'list',
    control: { element: 'textarea', help: 'One per line.' },
    parse: (text) => ({
      value: text
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean),
    }),
    format: (value) => (Array.isArray(value) ? value.join('\n') : String(value)),
  },
  /** A list of objects. */
  objects: { ...trimText, stored: 'objects', cell: 'json', mappedCell: 'json' },
  /** Any JSON value. */
  any: { ...trimText, stored: 'any', cell: 'text', mappedCell: 'json' },
} as const satisfies Record<string, ValueTypeDefinition>

/** The type of a property's value, in structured records and in people. */
export type ValueType = keyof typeof definitions

/** The parsers and form controls of each value type. */
export const valueTypes: Readonly<Record<ValueType, ValueTypeDefinition>> = definitions

type Typed = { type: ValueType }

/** Whether a value is a list of texts. */
export const isTextList = ({ type }: Typed): boolean => valueTypes[type].stored === 'texts'

/** Whether a value is a list of objects, which is not in the index: no query can name it. */
export const isObjectList = ({ type }: Typed): boolean => valueTypes[type].stored === 'objects'

/** Whether a value is a date or a time. */
export const isDated = ({ type }: Typed): boolean =>
  ['date', 'time'].includes(valueTypes[type].stored)
