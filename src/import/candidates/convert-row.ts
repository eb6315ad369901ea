import { unescapeFormula } from '../../model/cell-text.ts'
import type { ParseCell } from '../../model/parsed-cell.ts'
import { TimeZone } from '../../platform/time-zone.ts'
import type { MappedColumn, Mapping } from '../mapping/mapping.ts'
import type { TargetField } from '../mapping/target-fields.ts'
import { isEmptyCell } from '../parse/text.ts'
import { createRejectionReader, dataHeadings, type RejectionCells } from '../rows/rejected-rows.ts'
import type { SourceRow } from '../rows/table.ts'
import { type FormAnswer, toAnswer } from './form-answers.ts'
import type { CellError, CellMessage } from './import-row.ts'
import { createCellParser } from './parse-cell.ts'
import { type UnlistedColumn, UnlistedValues } from './unlisted-values.ts'

/** A link to resolve: its column and the texts that identify the records. */
export type UnresolvedLink = { column: MappedColumn; targetField: TargetField; texts: string[] }

/** A row converted to a record: its value for each property, null if empty. */
export type ConvertedRow = RejectionCells & {
  line: number
  source: SourceRow
  values: Map<string, unknown>
  /** The values of the id columns. */
  key: string[]
  links: UnresolvedLink[]
  errors: CellError[]
  warnings: CellMessage[]
}

type ColumnReader = {
  targetField: TargetField
  headings: string[]
  cells: number[]
  column: MappedColumn
  parse: ParseCell
}

const tooManyCells =
  'has more cells than there are headings: what separates cells may stand within a value.'

/** Converts the rows of a table to property values by a mapping. */
export class RowConverter {
  readonly #columnReaders: ColumnReader[]
  readonly #idColumns: number[]
  readonly #mapping: Mapping
  readonly #width: number
  readonly #readRejection: (row: SourceRow) => RejectionCells
  /** The headings of unmapped columns without a value so far, by index. */
  readonly #unmappedHeadings: Map<number, string>
  /** The headings of unmapped columns with a value. */
  readonly unmappedWithValues: string[] = []
  readonly #unlisted = new UnlistedValues()

  constructor(mapping: Mapping, headings: readonly string[], targetFields: readonly TargetField[]) {
    this.#mapping = mapping
    this.#width = headings.length
    this.#readRejection = createRejectionReader(headings)
    const zone = new TimeZone(mapping.timeZone)
    const byPath = new Map(targetFields.map((targetField) => [targetField.path, targetField]))
    const mappedHeadings = new Set(mapping.columns.map(({ heading }) => heading))
    const unmapped = dataHeadings(headings).filter((heading) => !mappedHeadings.has(heading))
    const mappedColumns = mapping.columns.filter(({ field }) => field !== null)
    this.#unmappedHeadings = new Map(
      unmapped.map((heading) => [headings.indexOf(heading), heading]),
    )
    this.#idColumns = mapping.id.columns.map((heading) => headings.indexOf(heading))
    this.#columnReaders = [...Map.groupBy(mappedColumns, ({ field }) => field)].flatMap(
      ([path, columns]) => {
        const [column] = columns
        const targetField = byPath.get(path ?? '')
        if (!column || !targetField || targetField.isId) return []
        return {
          targetField,
          column,
          headings: columns.map(({ heading }) => heading),
          cells: columns.map(({ heading }) => headings.indexOf(heading)),
          parse: createCellParser(column, targetField, zone),
        }
      },
    )
  }

  /** The headings of the columns that fill a property. */
  headingFor(path: string): string | undefined {
    return this.#columnReaders
      .find((reader) => reader.targetField.path === path)
      ?.headings.join(' + ')
  }

  /** The texts that are none of their column's choices by themselves. */
  get unlisted(): UnlistedColumn[] {
    return this.#unlisted.columns
  }

  convert(source: SourceRow): ConvertedRow {
    const { line, cells } = source
    const converted: ConvertedRow = {
      ...this.#readRejection(source),
      line,
      source,
      values: new Map(Object.entries(this.#mapping.same)),
      key: this.#idColumns.map((index) => unescapeFormula(cells[index] ?? '').trim()),
      links: [],
      errors: [],
      warnings: [],
    }
    const extraCell = cells.slice(this.#width).find((cell) => cell.trim() !== '')
    if (extraCell !== undefined) {
      converted.errors.push({
        column: '',
        message: tooManyCells,
        code: 'extra_cells',
        value: extraCell,
      })
    }
    const answers = this.#columnReaders.flatMap((reader) => this.#addValue(reader, converted) ?? [])
    if (answers.length > 0) converted.values.set('responses', answers)
    for (const [index, heading] of this.#unmappedHeadings) {
      if (isEmptyCell((cells[index] ?? '').trim())) continue
      this.unmappedWithValues.push(heading)
      this.#unmappedHeadings.delete(index)
    }
    return converted
  }

  /** Adds the value, link or error of a column to the converted row. Returns an answer instead of adding it. */
  #addValue(
    { targetField, column, headings, cells, parse }: ColumnReader,
    converted: ConvertedRow,
  ): FormAnswer | undefined {
    const texts = cells.map((index) => (converted.source.cells[index] ?? '').trim())
    const text =
      texts.length === 1 ? (texts[0] ?? '') : texts.filter((part) => !isEmptyCell(part)).join(' ')
    const name = headings.join(' + ')
    const result = parse(text)
    this.#unlisted.add(column, result.unlisted)
    if ('code' in result) {
      const { message, code } = result
      converted.errors.push({ column: name, message, code, value: text })
      return undefined
    }
    const { value, note } = result
    if (note !== undefined) converted.warnings.push({ column: name, message: note, value: text })
    const answer = toAnswer(targetField, value)
    if (answer) return answer
    if (column.as === 'link' && typeof value === 'string') {
      const texts = targetField.isMany
        ? value
            .split(';')
            .map((part) => part.trim())
            .filter(Boolean)
        : [value]
      converted.links.push({ column, targetField, texts })
    } else if (value !== null || !Object.hasOwn(this.#mapping.same, targetField.path)) {
      converted.values.set(targetField.path, targetField.isMany && value !== null ? [value] : value)
    }
    return undefined
  }
}
