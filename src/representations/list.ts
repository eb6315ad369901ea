import type { Context } from 'hono'
import type { Env } from '../auth/env.ts'
import { preferred } from './accept.ts'
import { csv } from './csv.ts'
import { listAnswer } from './json.ts'
import type { Form, List, ListQuery } from './list-page.ts'
import { ndjson } from './ndjson.ts'
import { wholeAnswer } from './whole.ts'

/** The media types of the forms. */
export const mediaTypes = {
  json: 'application/json',
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
} as const satisfies Record<Form, string>

/** The media types of lists beside JSON, for their contracts, each with a short example. */
export const tables = {
  [mediaTypes.csv]: 'id,name\r\n1,Ada Obi\r\n',
  [mediaTypes.ndjson]: '{"id":"1","name":"Ada Obi"}\n',
}

/** The answer with a list: a page as JSON (contract 4.1), or a page or all that matches as CSV or NDJSON (additions 6). */
export async function answerList(
  c: Context<Env>,
  query: ListQuery,
  asked: List,
): Promise<Response> {
  const { limit = 100, offset } = query
  const form = query.$format ?? preferred(mediaTypes, c.req.header('Accept'))
  const list: List = {
    ...asked,
    async page(query) {
      const page = await asked.page(query)
      c.var.store.given(asked.name, page.count)
      return page
    },
  }
  if (form !== 'json') return wholeAnswer(c, list, query, form === 'csv' ? csv(query) : ndjson)
  const { items, schemaInfo, total, headers } = await list.page({ ...query, limit })
  return listAnswer({
    plural: list.plural,
    items: items(),
    schemaInfo,
    offset,
    limit,
    total,
    headers,
  })
}
