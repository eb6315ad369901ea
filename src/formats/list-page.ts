import type { formatNames } from '../http/list-query.ts'
import type { ExportCursor, PageQuery } from '../store/bitmap/page-query.ts'
import type { Store } from '../store/store.ts'

/** A list as its handler gives it, whatever it is to be written down as. */
export type ListSource = {
  /** Its segment of the path. */
  name: string
  /** Its key in the envelope. */
  plural: string
  page(store: Store, query: ListQuery): Promise<ListPage>
}

/** The query of a page. `profileFields` are the fields of the profiles in a list of bookings. */
export type ListQuery = PageQuery & { profileFields?: string | undefined }

/** A page of a list: how many records it has, and what the forms take of them. */
export type ListPage = {
  count: number
  /** The records as the list's JSON shows them, as JSON texts. */
  items(): readonly string[]
  /** The records as what the columns are paths in, as JSON texts. */
  documents(): readonly string[]
  columns(): readonly Column[]
  /** JSON text; only lists of volunteers and partners have it. */
  schemaInfo?: string
  /** Left out where the list tells none (contract 4.2: members), and in a pull. */
  total?: number | undefined
  headers?: Record<string, string>
  /** In a pull, where it goes on unless this was the last page. */
  next?: ExportCursor | undefined
}

/** What of a list is asked for, and how it is to be written down. */
export type ListOptions = Omit<ListQuery, 'limit' | 'pull'> & {
  limit?: number | undefined
  $format?: Format | undefined
  $labels: boolean
  $bom: boolean
  $formulas: 'quoted' | 'raw'
}

export type Format = (typeof formatNames)[number]

/** A column: where its values are in a record, how it is headed, and whether an empty text is another value than none. */
export type Column = {
  path: readonly string[]
  name: string
  label?: string
  nullable?: boolean
}

/** How a list is written down page by page, begun with its first page. */
export type FormatWriter = {
  extension: string
  type: string
  begin(first: ListPage): { head: string; rows(page: ListPage): string }
}
