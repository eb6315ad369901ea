import { negotiateFormat } from '../http/accept.ts'
import { createCsvWriter } from './csv.ts'
import { downloadResponse } from './download.ts'
import { listResponse } from './json.ts'
import type { Format, ListOptions, ListQuery, ListSource } from './list-page.ts'
import { ndjsonWriter } from './ndjson.ts'
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

/** Returns a page as JSON (contract 4.1), or all records or the first `limit` as CSV or NDJSON (additions 6). */
export async function respondWithList(
  c: ResponseContext,
  query: ListOptions,
  source: ListSource,
): Promise<Response> {
  const { limit = 100, offset } = query
  const format = query.$format ?? negotiateFormat(mediaTypes, c.req.header('Accept'))
  const readPage = async (query: ListQuery) => {
    const page = await source.page(c.var.store, query)
    c.var.store.countReturned(source.name, page.count)
    return page
  }
  if (format !== 'json')
    return downloadResponse(
      c,
      { name: source.name, readPage },
      query,
      format === 'csv' ? createCsvWriter(query) : ndjsonWriter,
    )
  const { items, schemaInfo, total, headers } = await readPage({ ...query, limit })
  return listResponse({
    plural: source.plural,
    items: items(),
    schemaInfo,
    offset,
    limit,
    total,
    headers,
  })
}
