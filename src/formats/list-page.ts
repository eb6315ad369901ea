import type { formatNames } from '../http/list-query.ts'
import type { ExportCursor, PageQuery } from '../store/bitmap/page-query.ts'
import type { Store } from '../store/store.ts'

/** A list that can be written in any format. */
export type ListSource = {
  /** The segment of its path. */
  name: string
  /** Its property in the envelope. */
  plural: string
  page(store: Store, query: ListQuery): Promise<ListPage>
}

/** The query of a page. `profileFields` are the fields of the profiles in a list of bookings. */
export type ListQuery = PageQuery & { profileFields?: string | undefined }

/** A page of a list: the number of its records, and their parts for each format. */
export type ListPage = {
  count: number
  /** The records in the list's JSON, as JSON texts. */
  items(): readonly string[]
  /** The documents from which the columns take their values, as JSON texts. */
  documents(): readonly string[]
  columns(): readonly Column[]
  /** JSON text; only lists of volunteers and partners have it. */
  schemaInfo?: string
  /** Absent for members (contract 4.2) and in a download. */
  total?: number | undefined
  headers?: Record<string, string>
  /** In a download, the cursor of the next page; absent for the last. */
  next?: ExportCursor | undefined
}

/** The records of a list to return, and the options of its format. */
export type ListOptions = Omit<ListQuery, 'limit' | 'pull'> & {
  limit?: number | undefined
  $format?: Format | undefined
  $labels: boolean
  $bom: boolean
  $formulas: 'quoted' | 'raw'
}

export type Format = (typeof formatNames)[number]

/** A column: the path of its values, its heading, and whether an empty text differs from no value. */
export type Column = {
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
