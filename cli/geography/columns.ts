import { type Area, areas } from '../../src/geography/areas.ts'
import { CommandError } from '../terminal/report.ts'

/** The column numbers of a directory's CSV. An area newer than the edition has none. */
type DirectoryColumns = {
  postcode: number
  terminated: number
  areas: (number | undefined)[]
}

/** Finds a directory's columns by its header. Throws an error that lists all missing and repeated columns. */
export function findColumns(
  header: readonly string[],
  file: string,
  edition: string,
): DirectoryColumns {
  const names = header.map(normaliseColumn)
  const errors: string[] = []
  const find = (patterns: readonly string[], label: string, optional = false) => {
    const matches = names.flatMap((name, index) =>
      columnPattern(patterns).test(name) ? [index] : [],
    )
    if (matches.length > 1) {
      errors.push(`has ${matches.map((match) => names[match]).join(' and ')} for the ${label}`)
    }
    if (matches.length === 0 && !optional) {
      errors.push(`has no column for the ${label} (${patterns.join(', ')}; # is a digit)`)
    }
    return matches[0]
  }
  const postcode = find(['pcds'], 'postcode')
  const terminated = find(['doterm'], 'date of termination')
  const areaColumns = areas.map(({ directoryColumns, label, since }) =>
    find(directoryColumns, label, since !== undefined && edition < since),
  )
  if (postcode === undefined || terminated === undefined || errors.length > 0) {
    throw new CommandError(`${file} is not loaded: it ${errors.join('; it ')}.`)
  }
  return { postcode, terminated, areas: areaColumns }
}

/** Finds the columns of codes and names in a name file, with the year of the codes. */
export function findNameColumns(header: readonly string[], { nameFileColumns }: Area) {
  const names = header.map(normaliseColumn)
  return names.flatMap((column, code) => {
    if (!columnPattern(nameFileColumns).test(column)) return []
    const name = names.indexOf(column.replace(/cd$/, 'nm'))
    return name < 0 ? [] : [{ code, name, year: Number(/\d\d/.exec(column)) }]
  })
}

// A byte order mark before a quote would leave both in the text.
const normaliseColumn = (name: string) =>
  name
    .replace(/[\uFEFF"]/g, '')
    .trim()
    .toLowerCase()

const columnPattern = (patterns: readonly string[]) =>
  new RegExp(`^(${patterns.join('|').replaceAll('#', '\\d')})$`)
