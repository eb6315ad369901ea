import { unguarded } from '../../model/cell-text.ts'
import { TimeZone } from '../../platform/time-zone.ts'
import { isNothing } from '../spellings/nothing.ts'
import type { Row } from '../tables/table.ts'
import { type Answer, answerOf } from './answers.ts'
import type { MappedColumn, Mapping } from './mapping.ts'
import type { Place } from './places.ts'
import { cellReader, type ReadCell } from './read-cell.ts'
import { ownHeadings, type RestCells, restReader } from './rest.ts'

/** Something said of a cell, or of a row as a whole where the column is ''. */
export type Saying = { column: string; reason: string; value: string }

/** A link that a row asks for: the text that finds a record. */
export type LinkAsked = { column: MappedColumn; place: Place; texts: string[] }

/** A row as a record to be: what it gives to each property, null where it has no value for it. */
export type Converted = RestCells & {
  row: Row
  given: Map<string, unknown>
  /** What the row has in the columns of its id. */
  key: string[]
  links: LinkAsked[]
  faults: Saying[]
  sayings: Saying[]
}

type Reader = {
  place: Place
  headings: string[]
  cells: number[]
  column: MappedColumn
  read: ReadCell
}

const tooManyCells =
  'has more cells than there are headings: what separates cells may stand within a value.'

/** Turns the rows of a table into what records are made of, as a mapping says. */
export class Converter {
  readonly #readers: Reader[]
  readonly #keys: number[]
  readonly #mapping: Mapping
  readonly #width: number
  readonly #readRest: (row: Row) => RestCells
  /** Columns that the mapping does not name, by their places. */
  readonly #unknown: Map<number, string>
  /** Those of them that have a value. */
  readonly leftOut: string[] = []

  constructor(mapping: Mapping, headings: readonly string[], places: readonly Place[]) {
    this.#mapping = mapping
    this.#width = headings.length
    this.#readRest = restReader(headings)
    const zone = new TimeZone(mapping.timeZone)
    const byPath = new Map(places.map((place) => [place.path, place]))
    const named = new Set(mapping.columns.map(({ heading }) => heading))
    const unknown = ownHeadings(headings).filter((heading) => !named.has(heading))
    const wanted = mapping.columns.filter(({ field }) => field !== null)
    this.#unknown = new Map(unknown.map((heading) => [headings.indexOf(heading), heading]))
    this.#keys = mapping.id.columns.map((heading) => headings.indexOf(heading))
    this.#readers = [...Map.groupBy(wanted, ({ field }) => field)].flatMap(([path, columns]) => {
      const [column] = columns
      const place = byPath.get(path ?? '')
      if (!column || !place || place.isId) return []
      return {
        place,
        column,
        headings: columns.map(({ heading }) => heading),
        cells: columns.map(({ heading }) => headings.indexOf(heading)),
        read: cellReader(column, place, zone),
      }
    })
  }

  /** The headings of the columns that give a property. */
  headingOf(path: string): string | undefined {
    return this.#readers.find((reader) => reader.place.path === path)?.headings.join(' + ')
  }

  /** What a row gives. */
  convert(row: Row): Converted {
    const { cells } = row
    const converted: Converted = {
      ...this.#readRest(row),
      row,
      given: new Map(Object.entries(this.#mapping.same)),
      key: this.#keys.map((place) => unguarded(cells[place] ?? '').trim()),
      links: [],
      faults: [],
      sayings: [],
    }
    const beyond = cells.slice(this.#width).find((cell) => cell.trim() !== '')
    if (beyond !== undefined) {
      converted.faults.push({ column: '', reason: tooManyCells, value: beyond })
    }
    const answers = this.#readers.flatMap((reader) => this.#read(reader, converted) ?? [])
    if (answers.length > 0) converted.given.set('responses', answers)
    for (const [place, heading] of this.#unknown) {
      if (isNothing((cells[place] ?? '').trim())) continue
      this.leftOut.push(heading)
      this.#unknown.delete(place)
    }
    return converted
  }

  /** Puts what a cell says into what the row gives; an answer to a question is given back. */
  #read(
    { place, column, headings, cells, read }: Reader,
    converted: Converted,
  ): Answer | undefined {
    const texts = cells.map((at) => (converted.row.cells[at] ?? '').trim())
    const text =
      texts.length === 1 ? (texts[0] ?? '') : texts.filter((one) => !isNothing(one)).join(' ')
    const name = headings.join(' + ')
    const result = read(text)
    if ('fault' in result) {
      converted.faults.push({ column: name, reason: result.fault, value: text })
      return undefined
    }
    const { value, said } = result
    if (said !== undefined) converted.sayings.push({ column: name, reason: said, value: text })
    const answer = answerOf(place, value)
    if (answer) return answer
    if (column.as === 'link' && typeof value === 'string') {
      const texts = place.isMany
        ? value
            .split(';')
            .map((one) => one.trim())
            .filter(Boolean)
        : [value]
      converted.links.push({ column, place, texts })
    } else if (value !== null || !Object.hasOwn(this.#mapping.same, place.path)) {
      converted.given.set(place.path, place.isMany && value !== null ? [value] : value)
    }
    return undefined
  }
}
