import { type Area, areas } from '../../src/geography/areas.ts'
import { Refusal } from '../terminal/refusal.ts'

/** Where a directory's CSV has what is loaded: column numbers, undefined for an area the edition is too old to have. */
export type Columns = { postcode: number; terminated: number; areas: (number | undefined)[] }

/** Finds the columns of a directory by its header, or refuses the file by naming every column that is missing or there twice. */
export function columnsOf(header: readonly string[], file: string, edition: string): Columns {
  const names = header.map(plain)
  const faults: string[] = []
  const find = (patterns: readonly string[], what: string, optional = false) => {
    const hits = names.flatMap((name, index) => (spelling(patterns).test(name) ? [index] : []))
    if (hits.length > 1) {
      faults.push(`has ${hits.map((hit) => names[hit]).join(' and ')} for the ${what}`)
    }
    if (hits.length === 0 && !optional) {
      faults.push(`has no column for the ${what} (${patterns.join(', ')}; # is a digit)`)
    }
    return hits[0]
  }
  const postcode = find(['pcds'], 'postcode')
  const terminated = find(['doterm'], 'date of termination')
  const found = areas.map(({ directoryColumns, label, since }) =>
    find(directoryColumns, label, since !== undefined && edition < since),
  )
  if (postcode === undefined || terminated === undefined || faults.length > 0) {
    throw new Refusal(`${file} is not loaded: it ${faults.join('; it ')}.`)
  }
  return { postcode, terminated, areas: found }
}

/** The columns of a name file that hold a kind's codes and names, with the year of the codes. */
export function nameColumnsOf(header: readonly string[], { nameFileColumns }: Area) {
  const names = header.map(plain)
  return names.flatMap((column, code) => {
    if (!spelling(nameFileColumns).test(column)) return []
    const name = names.indexOf(column.replace(/cd$/, 'nm'))
    return name < 0 ? [] : [{ code, name, year: Number(/\d\d/.exec(column)) }]
  })
}

// A byte-order mark before a quote leaves both in the text.
const plain = (name: string) =>
  name
    .replace(/[\uFEFF"]/g, '')
    .trim()
    .toLowerCase()

const spelling = (patterns: readonly string[]) =>
  new RegExp(`^(${patterns.join('|').replaceAll('#', '\\d')})$`)
