import * as z from 'zod'
import { noAnswers, type RowAnswers } from '../../../import/candidates/row-answers.ts'
import { ApiError } from '../../../model/api-error.ts'
import type { ImportForm } from '../steps/import-form.ts'

const byLine = <Value extends z.ZodType>(value: Value) => z.record(z.string().regex(/^\d+$/), value)

/** The answers that the pages carry from step to step, by line. */
const CarriedAnswers = z.object({
  cells: byLine(z.record(z.string(), z.string())),
  rows: byLine(z.string()),
  members: byLine(z.string()),
  unchanged: byLine(z.array(z.string())),
})

type CarriedAnswers = z.output<typeof CarriedAnswers>

const noneCarried: CarriedAnswers = { cells: {}, rows: {}, members: {}, unchanged: {} }

/** The answers of a form about rows. */
export type FormAnswers = {
  answers: RowAnswers
  /** The answers without the values that the form newly leaves unchanged: what the form showed. */
  shownAnswers: RowAnswers
  /** The answers as JSON text for the next page, and how many there are. */
  text: string
  count: number
}

const maxAnswers = 1000
const tooManyAnswers = `One import takes answers about ${maxAnswers} rows. Import these, then the file of the rows that were not imported.`

/** The names of form fields about rows and cells. */
export const cellField = (line: number, column: number) => `cell.${line}.${column}`
export const rowField = (line: number) => `row.${line}`
export const memberField = (line: number) => `member.${line}`
/** The field with the lines of cells that one answer corrects; the group begins with the number of their column. */
export const cellsField = (group: string) => `cells.${group}`
export const formatChange = (line: number, field: string) => `${line}.${field}`

/** Buttons with one answer for all rows of a question: to all cells, or with the answer to each row as JSON text. */
export const allCells = 'allCells'
export const allRows = 'allRows'
export const allMembers = 'allMembers'

/** The answer that cells are empty. */
export const emptyCell = 'empty'

/** Values of answers about rows: a new person, a stored record, the record of an earlier row, or none. */
export const newRecord = 'new'
export const noRecord = 'out'
export const storedRecord = (id: string) => `id:${id}`
export const earlierRow = (line: number) => `line:${line}`

/** Reads the answers about rows: those of earlier pages, and those of this form. Throws 400 if they are malformed or too many. */
export function readRowAnswers(form: ImportForm, headings: readonly string[]): FormAnswers {
  const carried = form.has('clearAnswers') ? noneCarried : parseCarried(form.get('answers'))
  const answers = { ...carried, cells: { ...carried.cells } }
  for (const name of form.names) {
    const [subject, line = '', column, ...rest] = name.split('.')
    if (rest.length > 0) continue
    const value = form.get(name)
    switch (subject) {
      case 'row':
        answers.rows = set(answers.rows, line, value)
        break
      case 'member':
        answers.members = set(answers.members, line, value)
        break
      case 'cell': {
        const heading = headings[Number(column)]
        if (heading !== undefined && form.get(`${name}.before`) !== value)
          answers.cells[line] = { ...answers.cells[line], [heading]: value }
      }
    }
  }
  const [emptiedLine = '', emptiedColumn] = form.get('empty').split('.')
  const emptied = headings[Number(emptiedColumn)]
  if (emptied !== undefined)
    answers.cells[emptiedLine] = { ...answers.cells[emptiedLine], [emptied]: '' }
  answers.rows = { ...answers.rows, ...parseTextsByLine(form.get(allRows)) }
  answers.members = { ...answers.members, ...parseTextsByLine(form.get(allMembers)) }
  const [group = '', answer] = form.get(allCells).split('.')
  const corrected = headings[Number.parseInt(group, 10)]
  for (const line of form.get(cellsField(group)).split(',').filter(Boolean)) {
    if (answer === noRecord) answers.rows[line] = noRecord
    else if (answer !== undefined && corrected !== undefined)
      answers.cells[line] = {
        ...answers.cells[line],
        [corrected]: answer === emptyCell ? '' : form.get(`${cellsField(group)}.value`),
      }
  }
  const unchanged = { ...answers.unchanged }
  const changes = new Set(form.getAll('change'))
  for (const shown of parseTexts(form.get('shownChanges'))) {
    const [, line = '', field = ''] = /^(\d+)\.(.*)$/s.exec(shown) ?? []
    if (!changes.has(shown)) unchanged[line] = [...(unchanged[line] ?? []), field]
  }
  const all = parse({ ...answers, unchanged })
  const count = Object.values(all).reduce((sum, one) => sum + Object.keys(one).length, 0)
  if (count > maxAnswers) throw new ApiError('BAD_REQUEST', tooManyAnswers)
  return {
    answers: toRowAnswers(all),
    shownAnswers: toRowAnswers(answers),
    text: JSON.stringify(all),
    count,
  }
}

const set = (values: Record<string, string>, line: string, value: string) =>
  value === ''
    ? Object.fromEntries(Object.entries(values).filter(([other]) => other !== line))
    : { ...values, [line]: value }

function parseTextsByLine(text: string): Record<string, string> {
  try {
    return byLine(z.string()).parse(JSON.parse(text || '{}'))
  } catch {
    throw invalidAnswers()
  }
}

const parseCarried = (text: string): CarriedAnswers => {
  if (text === '') return noneCarried
  try {
    return parse(JSON.parse(text))
  } catch {
    throw invalidAnswers()
  }
}

function parse(input: unknown): CarriedAnswers {
  const result = CarriedAnswers.safeParse(input)
  if (result.success) return result.data
  throw invalidAnswers()
}

/** Parses a page's list of texts; '' is an empty list. */
export function parseTexts(text: string): readonly string[] {
  try {
    return z.array(z.string()).parse(JSON.parse(text || '[]'))
  } catch {
    throw invalidAnswers()
  }
}

const invalidAnswers = () =>
  new ApiError('BAD_REQUEST', 'Part of the form is missing. Start again with the file.')

function toRowAnswers({ cells, rows, members, unchanged }: CarriedAnswers): RowAnswers {
  const chosen = Object.entries(rows)
  const prefixed = (prefix: string) =>
    chosen.flatMap(([line, value]) =>
      value.startsWith(prefix) ? [[Number(line), value.slice(prefix.length)] as const] : [],
    )
  return {
    ...noAnswers,
    cells: mapLines(cells, (texts) => new Map(Object.entries(texts))),
    records: new Map([
      ...prefixed('id:'),
      ...prefixed(newRecord).map(([line]) => [line, newRecord] as const),
    ]),
    earlierLines: new Map(prefixed('line:').map(([line, earlier]) => [line, Number(earlier)])),
    members: mapLines(members, (member) => member),
    leftOut: new Set(prefixed(noRecord).map(([line]) => line)),
    unchangedFields: mapLines(unchanged, (fields) => new Set(fields)),
  }
}

const mapLines = <Value, Result>(
  values: Record<string, Value>,
  convert: (value: Value) => Result,
) => new Map(Object.entries(values).map(([line, value]) => [Number(line), convert(value)]))
