import { type MappedColumn, maxValueCharacters } from '../mapping/mapping.ts'
import { normaliseKey } from '../parse/text.ts'

/** The texts of a column that are none of its choices, each with its number of rows, in order of arrival. */
export type UnlistedColumn = {
  heading: string
  /** The field's id, or the property's path. */
  field: string
  values: { text: string; rows: number }[]
  /** Whether the column has more such texts than are listed. */
  hasMore: boolean
}

const maxTexts = 60

/** Counts the texts that need a value in the mapping, or an option in the schema, in bounded memory. */
export class UnlistedValues {
  readonly #columns = new Map<string, UnlistedColumn>()
  readonly #counts = new Map<string, UnlistedColumn['values'][number]>()

  add({ heading, field }: MappedColumn, texts: readonly string[] = []): void {
    for (const text of texts) this.#count(heading, field ?? '', text)
  }

  get columns(): UnlistedColumn[] {
    return [...this.#columns.values()]
  }

  #count(heading: string, field: string, text: string): void {
    const key = JSON.stringify([heading, normaliseKey(text)])
    const counted = this.#counts.get(key)
    if (counted) {
      counted.rows++
      return
    }
    const column = this.#columns.get(heading) ?? { heading, field, values: [], hasMore: false }
    this.#columns.set(heading, column)
    if (column.values.length === maxTexts || text.length > maxValueCharacters) {
      column.hasMore = true
      return
    }
    const value = { text, rows: 1 }
    column.values.push(value)
    this.#counts.set(key, value)
  }
}
