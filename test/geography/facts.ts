/// <reference path="../raw.d.ts" />
import Papa from 'papaparse'
import { findColumns } from '../../cli/geography/columns.ts'
import directory from '../../demo/postcodes/ONSPD_NOV_2025_UK.csv?raw'
import { areas } from '../../src/geography/areas.ts'

/** An area as the ONS publishes it; without a name it is in no name file. */
type Area = readonly [code: string, name: string]

/** A postcode with its areas by key. An area that is left out has an empty cell. */
export type Fact = { postcode: string; terminated?: string; areas: Readonly<Record<string, Area>> }

const [header = [], ...rows] = Papa.parse<string[]>(directory, { skipEmptyLines: true }).data
const columns = findColumns(header, 'the demo', '2025-11')

/** The demo's postcodes with their areas between November 2024 and November 2025. */
export const facts: readonly Fact[] = rows.map((row) => ({
  postcode: row[columns.postcode] ?? '',
  terminated: row[columns.terminated] ?? '',
  areas: areasIn(row),
}))

/** The areas of a row; the name of each stands after its code. */
function areasIn(row: readonly string[]): Record<string, Area> {
  const all = areas.map(({ key }, index): [string, Area] => {
    const column = columns.areas[index] ?? Number.NaN
    return [key, [row[column] ?? '', row[column + 1] ?? '']]
  })
  return Object.fromEntries(all.filter(([, [code]]) => code !== ''))
}

/** The fields that a record gains from a fact: a name and a code for each area. */
export function expectedOf({ areas }: Fact): Record<string, string> {
  const there = Object.entries(areas).filter(([, [code]]) => !/^.99999999$|^E43/.test(code))
  return Object.fromEntries(
    there.flatMap(([key, [code, name]]) => [
      ...(name === '' ? [] : [[key, name]]),
      [`${key}Code`, code],
    ]),
  )
}
