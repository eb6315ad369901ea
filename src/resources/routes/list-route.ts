import { route } from '../../auth/route.ts'
import type { Content } from '../../formats/content.ts'
import { downloadContent } from '../../formats/download.ts'
import { listContent } from '../../formats/json.ts'
import { listFormat, mediaTypes, writers } from '../../formats/list.ts'
import type { FormatWriter } from '../../formats/list-page.ts'
import type { ResponseContext } from '../../formats/stream.ts'
import type { Contract } from '../../http/contract.ts'
import { preferHeaders } from '../../http/filters.ts'
import { defaultLimit } from '../../http/query.ts'
import { namesIn } from '../../model/query/filter-expression.ts'
import { londonDay } from '../../model/timestamp.ts'
import { cursorColumns } from '../../store/cursors.ts'
import type { Found, Known, Unchanged } from '../../store/state.ts'
import { respondConditionally } from './conditional.ts'
import {
  type ListOptions,
  type ListQuery,
  type ListSource,
  type ReadPage,
  readCountedPage,
  readPages,
} from './list-source.ts'
import {
  formatNextAddress,
  formatNextLink,
  formatOffsetAddress,
  readPageAfter,
} from './next-page.ts'

/** The list of a collection with its contract. */
export type RecordList = ListSource & { contract: Contract<ListOptions> }

/** `GET /`: returns a list as JSON, CSV or NDJSON. */
export function listRoute(list: RecordList) {
  return route(
    {
      ...list.contract,
      headers: preferHeaders,
      isConditional: true,
      responseHeaders: { 200: ['Link', 'Warning', 'Preference-Applied', 'Content-Disposition'] },
    },
    (c) => {
      const isStrict = c.req.valid('header').Prefer
      const query = { ...c.req.valid('query'), isStrict }
      const format = listFormat(c, query)
      // At midnight, the bookings of a day become past ones without any change.
      const day = dependsOnDay(list, query) ? londonDay(Date.now()) : ''
      const variant = [mediaTypes[format], isStrict ? 'strict' : '', day].filter(Boolean).join(', ')
      return respondConditionally(c, variant, (known) =>
        format === 'json'
          ? readJson(c, list, query, known)
          : readDownload(c, list, query, writers[format](query), known),
      )
    },
  )
}

/** Whether the response also depends on the day: derived fields and `$notMarked` compare dates with it. */
function dependsOnDay(
  { types: { derived } }: ListSource,
  { $notMarked = false, options }: ListOptions,
): boolean {
  const isDerived = (name: string) => name === derived?.name
  return $notMarked || (options?.filter !== undefined && namesIn(options.filter).some(isDerived))
}

/** Reads a page as JSON. */
async function readJson<U extends Unchanged>(
  c: ResponseContext,
  list: ListSource,
  query: ListOptions,
  known: Known<U>,
): Promise<Found<Content> | U> {
  const { limit = defaultLimit, offset } = query
  const head = query.options && cursorColumns(c.var.store)
  const page = await readPage(c, list, query, { ...query, limit, head }, known)
  if (page.unchanged) return page
  const next = await formatNextAddress(c, list.name, page)
  const address = query.options ? next : findNextOffset(c, page, offset, limit)
  const link = address === undefined ? undefined : { Link: formatNextLink(c, address) }
  const content = listContent(page, { plural: list.plural, offset, limit, next, headers: link })
  // A remembered page would not count the referenced records as usage.
  const remembered = !query.$expand && { list: { collection: list.name, records: page.count } }
  return { ...content, ...remembered, state: page.state }
}

/** The address of the page at the next offset, if there may be one: the list of members has no total. */
function findNextOffset(
  c: ResponseContext,
  { count, total }: ReadPage,
  offset: number,
  limit: number,
): string | undefined {
  const end = offset + count
  const isFull = count === limit && count > 0 && (total === undefined || end < total)
  return isFull ? formatOffsetAddress(c, end) : undefined
}

/** Reads all matching records, or the first `limit`, as a file. An error on the first page has its own status. */
async function readDownload<U extends Unchanged>(
  c: ResponseContext,
  list: ListSource,
  query: ListOptions,
  writer: FormatWriter,
  known: Known<U>,
): Promise<Found<Content> | U> {
  const pages = await readPages(
    (pageQuery, known) => readPage(c, list, query, pageQuery, known),
    query,
    known,
  )
  if (pages.unchanged) return pages
  return { ...(await downloadContent(c, list.name, pages, writer)), state: pages.state }
}

/** Reads a page after the token of a request, or without one as its query says. */
const readPage = <U extends Unchanged = never>(
  c: ResponseContext,
  list: ListSource,
  { token, options }: ListOptions,
  query: ListQuery,
  known?: Known<U>,
): Promise<ReadPage | NoInfer<U>> =>
  readPageAfter(c, list.name, token, (after) =>
    readCountedPage(
      c.var.store,
      list,
      { ...query, options: options && { ...options, after } },
      known,
    ),
  )
