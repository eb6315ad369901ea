import Papa from 'papaparse'

/** A table of Power Query: rows of cells, and the type of each column once it has one. */
export type Table = { columns: string[]; rows: unknown[][]; types?: string[] }

type Options = Record<string, string | number>
type Request = {
  RelativePath: string
  Query: Record<string, string>
  Headers: Record<string, string>
}
type Typed = [column: string, type: { type: string }]

/** The address in the examples. */
const exampleUrl = 'http://localhost:8787/api/v1'

/** The functions of Power Query's library that the examples use. Requests go to `apiUrl`. */
export const createLibrary = (apiUrl: string) => ({
  'Web.Contents': async (url: string, { RelativePath, Query, Headers }: Request) => {
    if (url !== exampleUrl) throw new Error('The address is another.')
    const address = `${apiUrl}/${RelativePath}?${new URLSearchParams(Query)}`
    const response = await fetch(address, { headers: Headers })
    if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`)
    return response.text()
  },
  'Json.Document': (text: string): unknown => JSON.parse(text),
  'TextEncoding.Utf8': 65001,
  'QuoteStyle.Csv': 1,
  'Csv.Document': (text: string, options: Options): Table => {
    if (options.Delimiter !== ',' || options.Encoding !== 65001 || options.QuoteStyle !== 1)
      throw new Error('The CSV has another form.')
    const { data: rows } = Papa.parse<string[]>(text, { skipEmptyLines: true })
    return { columns: rows[0]?.map((_, index) => `Column${index + 1}`) ?? [], rows }
  },
  'Table.PromoteHeaders': ({ rows: [columns = [], ...rows] }: Table): Table => ({
    columns: columns.map(String),
    rows,
  }),
  'Table.ColumnNames': ({ columns }: Table) => columns,
  'Replacer.ReplaceValue': 'whole cells',
  'Table.ReplaceValue': (
    { columns, rows }: Table,
    before: unknown,
    after: unknown,
    replacer: string,
    names: string[],
  ): Table => {
    if (replacer !== 'whole cells') throw new Error('The replacer is another.')
    const replace = (cell: unknown, index: number) =>
      cell === before && names.includes(columns[index] ?? '') ? after : cell
    return { columns, rows: rows.map((row) => row.map(replace)) }
  },
  'Table.TransformColumnTypes': (
    { columns, rows }: Table,
    transformations: Typed[],
    culture: string,
  ): Table => {
    if (culture !== 'en-GB') throw new Error('The culture is another.')
    const types = columns.map(
      (column) => transformations.find(([name]) => name === column)?.[1].type ?? 'any',
    )
    const convert = (cell: unknown, index: number) =>
      cell === null ? null : convertText(String(cell), types[index])
    return { columns, types, rows: rows.map((row) => row.map(convert)) }
  },
  'List.Contains': (list: unknown[], value: unknown) => list.includes(value),
  'List.Transform': (list: unknown[], transform: (value: unknown) => unknown) =>
    Promise.all(list.map((value) => transform(value))),
  'List.Select': async (list: unknown[], condition: (value: unknown) => unknown) => {
    const results = await Promise.all(list.map((value) => condition(value)))
    return list.filter((_, index) => results[index] === true)
  },
  'DateTime.ToText': (time: Date, { Format, Culture }: Options) => {
    if (Format !== "yyyy-MM-dd'T'HH:mm:ss'Z'" || Culture !== 'en-US')
      throw new Error('The format is another.')
    return `${time.toISOString().slice(0, 19)}Z`
  },
})

/** Converts a text to a type. Dates and times stay texts; a text of another form throws, as a cell with an error fails a refresh. */
function convertText(text: string, type: string | undefined): unknown {
  if (type === 'text') return text
  if (type === 'number' && Number.isFinite(Number(text))) return Number(text)
  if (type === 'logical' && /^(true|false)$/.test(text)) return text === 'true'
  if (type === 'date' && /^\d{4}-\d\d-\d\d$/.test(text)) return text
  if (type === 'datetimezone' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text)) return text
  throw new Error(`A cell is not of the type ${type}.`)
}
