import type { formatNames } from '../http/list-query.ts'
import type { ExportPosition, PageQuery } from '../store/bitmap/page-query.ts'
import type { Store } from '../store/store.ts'

/** A list that can be written in any format. */
export type ListSource = {
  /** The path segment. */
  name: string
  /** The property of the envelope that holds the records. */
  plural: string
  /** The property that holds a record's id. */
  id: string
  page(store: Store, query: ListQuery): Promise<ListPage>
}

/** The query of a page. */
export type ListQuery = PageQuery & {
  /** The names of the properties or fields to show. */
  $select?: readonly string[] | undefined
  /** The names of the references to expand. */
  $expand?: readonly string[] | undefined
  /** Whether events show how many of their bookings are not marked. */
  $notMarked?: boolean | undefined
  /** The profile fields in a list of bookings. */
  profileFields?: string | undefined
  /** Whether a filter on an unknown field is an error. */
  isStrict?: boolean | undefined
}

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
  /** Where the next page begins, in a download or with query options; absent on the last page. */
  next?: Exclude<ExportPosition, 'first'> | undefined
}

/** The query of a list request, with the options of its format. */
export type ListOptions = Omit<ListQuery, 'limit' | 'pull'> & {
  limit?: number | undefined
  /** The `$skiptoken` of a page other than the first. */
  token?: string | undefined
  $format?: Format | undefined
  $labels: boolean
  $bom: boolean
  $formulas: 'quoted' | 'raw'
}

export type Format = (typeof formatNames)[number]

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
