import { normaliseKey } from '../parse/text.ts'
import type { SourceTable } from '../rows/table.ts'
import { recordHeadings } from '../rows/tick-sheet.ts'
import { ColumnFacts } from './column-facts.ts'
import { canonicalName, isIdLike } from './heading-names.ts'
import { Distinctness } from './value-counts.ts'

/** Facts about a whole table: its rows, its columns, and the columns that identify a row. The rows of a sheet of ticks are its people. */
export type TableFacts = {
  rows: number
  columns: ReadonlyMap<string, ColumnFacts>
  /** Combinations of columns that are filled in every row and unique. */
  keys: readonly (readonly string[])[]
}

/** Reads a whole table once. Calls `progress` with the number of rows read. */
export async function collectTableFacts(
  table: SourceTable,
  progress: (rows: number) => void = () => {},
): Promise<TableFacts> {
  const { headings } = table
  const personColumns = recordHeadings(table).length
  const columns = headings.map(() => new ColumnFacts())
  const keys = findLikelyKeys(headings).map((key) => ({
    key,
    indexes: key.map((heading) => headings.indexOf(heading)),
    distinct: new Distinctness(),
    isComplete: true,
  }))
  let rows = 0
  let lastLine = 0
  for await (const { line, cells, isTotal } of table.rows()) {
    if (isTotal) continue
    const isSamePerson = table.ticks !== undefined && line === lastLine
    lastLine = line
    if (isSamePerson) {
      for (const [index, facts] of columns.entries())
        if (index >= personColumns) facts.add(cells[index] ?? '', line)
      continue
    }
    rows++
    for (const [index, facts] of columns.entries()) facts.add(cells[index] ?? '', line)
    for (const key of keys) {
      const values = key.indexes.map((index) => normaliseKey(cells[index] ?? ''))
      if (values.every((value) => value === '')) key.isComplete = false
      key.distinct.add(JSON.stringify(values))
    }
    if (rows % 1000 === 0) progress(rows)
  }
  return {
    rows,
    columns: new Map(
      headings.map((heading, index) => [heading, columns[index] ?? new ColumnFacts()]),
    ),
    keys: keys.flatMap(({ key, distinct, isComplete }) =>
      isComplete && distinct.isDistinct && rows > 0 ? [key] : [],
    ),
  }
}

/** Combinations of columns that may identify a row, the likeliest first. */
function findLikelyKeys(headings: readonly string[]): string[][] {
  const headingsNamed = (...names: string[]) =>
    names.flatMap((name) => headings.find((heading) => canonicalName(heading) === name) ?? [])
  const emails = headings.filter((heading) => canonicalName(heading) === 'Email').slice(0, 3)
  const name =
    headingsNamed('Full Name').length > 0
      ? headingsNamed('Full Name')
      : headingsNamed('First Name', 'Surname')
  const event = headingsNamed('Event ID', 'Event Name').slice(0, 1)
  const ids = headings.filter(isIdLike)
  const candidates = [
    ...ids.map((heading) => [heading]),
    ...emails.map((heading) => [heading]),
    [...event, ...headingsNamed('Email')],
    ...(event.length > 0
      ? [[...event, ...headingsNamed('Record ID', 'Membership Number').slice(0, 1)]]
      : []),
    ...(event.length > 0 ? [[...event, ...name]] : []),
    [...headingsNamed('Event Name'), ...headingsNamed('Event Start')],
    [...name, ...headingsNamed('Email')],
    [...name, ...headingsNamed('Date of Birth')],
    [...name, ...headingsNamed('Postcode')],
    [...name, ...headingsNamed('Email', 'Phone', 'Postcode', 'Date of Birth')],
    [...ids.slice(0, 3), ...headingsNamed('Email'), ...name],
    name,
    headingsNamed('Created'),
    [...headingsNamed('Created', 'Completed'), ...headingsNamed('Email'), ...name],
  ]
  const keyTexts = new Set<string>()
  return candidates.filter((key) => {
    const text = JSON.stringify(key)
    const isNew = key.length > 0 && !keyTexts.has(text)
    keyTexts.add(text)
    return isNew
  })
}
