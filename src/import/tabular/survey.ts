import type { Table } from '../tables/table.ts'
import { isIdLike, usualName } from './called.ts'
import { ColumnFacts } from './column-facts.ts'
import { Distinctness } from './distinctness.ts'

/** What a whole table holds: how many rows, what is in each column, and which columns together tell its rows from each other. */
export type Survey = {
  rows: number
  columns: ReadonlyMap<string, ColumnFacts>
  /** Columns that together are in every row and never the same. */
  keys: readonly (readonly string[])[]
}

/** Reads a table once from end to end. `progress` is told after how many rows. */
export async function surveyed(
  table: Table,
  progress: (rows: number) => void = () => {},
): Promise<Survey> {
  const { headings } = table
  const columns = headings.map(() => new ColumnFacts())
  const keys = likelyKeys(headings).map((key) => ({
    key,
    places: key.map((heading) => headings.indexOf(heading)),
    distinct: new Distinctness(),
    isWhole: true,
  }))
  let rows = 0
  for await (const { line, cells, isTotal } of table.rows()) {
    if (isTotal) continue
    rows++
    for (const [place, facts] of columns.entries()) facts.add(cells[place] ?? '', line)
    for (const key of keys) {
      const values = key.places.map((place) => keyText(cells[place] ?? ''))
      if (values.every((value) => value === '')) key.isWhole = false
      key.distinct.add(JSON.stringify(values))
    }
    if (rows % 1000 === 0) progress(rows)
  }
  return {
    rows,
    columns: new Map(
      headings.map((heading, place) => [heading, columns[place] ?? new ColumnFacts()]),
    ),
    keys: keys.flatMap(({ key, distinct, isWhole }) =>
      isWhole && distinct.isDistinct && rows > 0 ? [key] : [],
    ),
  }
}

/** A value as it counts in a key: case and spaces do not. */
export const keyText = (cell: string) => cell.trim().replaceAll(/\s+/g, ' ').toLowerCase()

/** The columns that may tell rows from each other, the likeliest first. */
function likelyKeys(headings: readonly string[]): string[][] {
  const of = (...names: string[]) =>
    names.flatMap((name) => headings.find((heading) => usualName(heading) === name) ?? [])
  const emails = headings.filter((heading) => usualName(heading) === 'Email').slice(0, 3)
  const name = of('Full Name').length > 0 ? of('Full Name') : of('First Name', 'Surname')
  const event = of('Event ID', 'Event Name').slice(0, 1)
  const ids = headings.filter(isIdLike)
  const candidates = [
    ...ids.map((heading) => [heading]),
    ...emails.map((heading) => [heading]),
    [...event, ...of('Email')],
    ...(event.length > 0 ? [[...event, ...of('Record ID', 'Membership Number').slice(0, 1)]] : []),
    ...(event.length > 0 ? [[...event, ...name]] : []),
    [...of('Event Name'), ...of('Event Start')],
    [...name, ...of('Email')],
    [...name, ...of('Date of Birth')],
    [...name, ...of('Postcode')],
    [...name, ...of('Email', 'Phone', 'Postcode', 'Date of Birth')],
    [...ids.slice(0, 3), ...of('Email'), ...name],
    name,
    of('Created'),
    [...of('Created', 'Completed'), ...of('Email'), ...name],
  ]
  const seen = new Set<string>()
  return candidates.filter((key) => {
    const text = JSON.stringify(key)
    const isNew = key.length > 0 && !seen.has(text)
    seen.add(text)
    return isNew
  })
}
