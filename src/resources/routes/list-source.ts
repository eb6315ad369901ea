import type { Format, FormatOptions, ListPage } from '../../formats/list-page.ts'
import type { ExportPosition, PageQuery } from '../../store/bitmap/page-query.ts'
import type { ListTypes } from '../../store/read/list-selection.ts'
import type { Found, Known, Unchanged } from '../../store/state.ts'
import type { Row } from '../../store/statement.ts'
import type { Store } from '../../store/store.ts'

/** A list that can be written in any format. */
export type ListSource = {
  /** The path segment. */
  name: string
  /** The property of the envelope that holds the records. */
  plural: string
  /** The property that holds a record's id. */
  id: string
  /** The types of its records and of those to which they refer. */
  types: ListTypes
  /** Reads a page, unless the organisation is in a known version. */
  page<U extends Unchanged = never>(
    store: Store,
    query: ListQuery,
    known?: Known<U>,
  ): Promise<ReadPage | NoInfer<U>>
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

/** The query of a list request, with the options of its format. */
export type ListOptions = Omit<ListQuery, 'limit' | 'exportPosition' | 'head'> &
  FormatOptions & {
    limit?: number | undefined
    /** The `$skiptoken` of a page other than the first. */
    token?: string | undefined
    $format?: Format | undefined
  }

/** A page before it is encoded. */
export type ReadPage = Found<ListPage> & {
  /** Where the next page begins, in a download or with query options; absent on the last page. */
  next: Exclude<ExportPosition, 'first'> | undefined
  /** The values of the query's `head`. */
  head: Row
}

/** Reads a page and counts its records as usage. */
export async function readCountedPage<U extends Unchanged = never>(
  store: Store,
  list: ListSource,
  query: ListQuery,
  known?: Known<U>,
): Promise<ReadPage | NoInfer<U>> {
  const page = await list.page(store, query, known)
  if (!page.unchanged) store.countReturned(list.name, page.count)
  return page
}

type PageReader = <U extends Unchanged = never>(
  query: ListQuery,
  known?: Known<U>,
) => Promise<ReadPage | NoInfer<U>>

/** The pages of a download. */
type ReadPages = Found<{ first: ListPage; following: AsyncIterable<ListPage> }>

/**
 * Reads the first page of all matching records, or of the first `limit`. Each following page is read
 * on demand, with a check of the credential.
 */
export async function readPages<U extends Unchanged = never>(
  readPage: PageReader,
  options: Omit<ListQuery, 'limit' | 'exportPosition'> & { limit?: number | undefined },
  known?: Known<U>,
): Promise<ReadPages | NoInfer<U>> {
  const query = { ...options, limit: options.limit ?? Number.MAX_SAFE_INTEGER }
  const first = await readPage({ ...query, exportPosition: 'first' }, known)
  if (first.unchanged) return first
  return { first, following: readFollowingPages(readPage, query, first), state: first.state }
}

async function* readFollowingPages(
  readPage: PageReader,
  query: ListQuery,
  first: ReadPage,
): AsyncGenerator<ListPage, void> {
  let remaining = query.limit - first.count
  let position = first.next
  while (position && remaining > 0) {
    const page: ReadPage = await readPage({ ...query, limit: remaining, exportPosition: position })
    yield page
    remaining -= page.count
    position = page.next
  }
}
