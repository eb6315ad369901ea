import { negotiateFormat } from '../http/accept.ts'
import { defaultLimit } from '../http/query.ts'
import type { Content } from './conditional.ts'
import { createCsvWriter } from './csv.ts'
import { readDownload } from './download.ts'
import { listContent } from './json.ts'
import type { Format, ListOptions, ListQuery, ListSource } from './list-page.ts'
import { ndjsonWriter } from './ndjson.ts'
import {
  formatNextAddress,
  formatNextLink,
  formatOffsetAddress,
  readPageAfter,
} from './next-page.ts'
import type { ResponseContext } from './stream.ts'

/** The media type of each format. */
export const mediaTypes = {
  json: 'application/json',
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
} as const satisfies Record<Format, string>

/** Examples of the formats besides JSON by media type, for contracts. */
export const otherFormats = {
  [mediaTypes.csv]: 'id,name\r\n1,Ada Obi\r\n',
  [mediaTypes.ndjson]: '{"id":"1","name":"Ada Obi"}\n',
}

/** Reads a page as JSON, or all records or the first `limit` as CSV or NDJSON. */
export async function readList(
  c: ResponseContext,
  query: ListOptions,
  source: ListSource,
): Promise<Content> {
  const { limit = defaultLimit, offset, token, options } = query
  const format = listFormat(c, query)
  const readPage = async (query: ListQuery) => {
    const page = await readPageAfter(c, source.name, token, (after) =>
      source.page(c.var.store, { ...query, options: options && { ...options, after } }),
    )
    c.var.store.countReturned(source.name, page.count)
    return page
  }
  if (format !== 'json')
    return readDownload(
      c,
      { name: source.name, readPage },
      query,
      format === 'csv' ? createCsvWriter(query) : ndjsonWriter,
    )
  const page = await readPage({ ...query, limit })
  const { count, schemaInfo, total } = page
  const next =
    options && page.next && 'keys' in page.next
      ? await formatNextAddress(c, source.name, page.next)
      : undefined
  const end = offset + count
  // The list of members has no total, so the page after a full one may be empty.
  const isFull = count === limit && count > 0 && (total === undefined || end < total)
  const address = options ? next : isFull && formatOffsetAddress(c, end)
  const headers = { ...page.headers, ...(address && { Link: formatNextLink(c, address) }) }
  const [{ plural }, items] = [source, page.items()]
  return {
    ...listContent({ plural, items, schemaInfo, offset, limit, total, next, headers }),
    // A remembered page would not count the referenced records as usage.
    ...(!query.$expand && { list: { collection: source.name, records: count } }),
  }
}

export const listFormat = (c: ResponseContext, { $format }: Pick<ListOptions, '$format'>) =>
  $format ?? negotiateFormat(mediaTypes, c.req.header('Accept'))
