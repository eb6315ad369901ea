import type { formatNames } from '../http/list-query.ts'

/** A page of a list, with the values that each format needs. */
export type ListPage = {
  count: number
  /** The records of the JSON list, as JSON texts. */
  items(): readonly string[]
  /** The documents that hold the columns' values, as JSON texts. */
  documents(): readonly string[]
  columns(): readonly ListColumn[]
  /** JSON text; only lists of volunteers and partners have it. */
  schemaInfo?: string
  /** Absent for members and in a download. */
  total?: number | undefined
  headers?: Record<string, string>
}

export type Format = (typeof formatNames)[number]

/** The options of a request that decide how a list is written. */
export type FormatOptions = {
  $labels: boolean
  $bom: boolean
  $formulas: 'quoted' | 'raw'
  /** Whether the records have their times and version. */
  times?: boolean
}

/** A CSV column: the path of its values, its heading, and whether an empty text differs from a missing value. */
export type ListColumn = {
  path: readonly string[]
  name: string
  label?: string
  nullable?: boolean
}

/** Writes a list page by page; `begin` receives the first page. */
export type FormatWriter = {
  extension: string
  type: string
  begin(first: ListPage): { head: string; rows(page: ListPage): string }
}
