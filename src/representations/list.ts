import type { Context } from 'hono'
import type { Env } from '../auth/env.ts'
import type { forms } from '../http/query.ts'
import type { PageQuery } from '../store/page.ts'
import type { Place } from '../store/pull.ts'
import { type Column, csv } from './csv.ts'
import { listAnswer } from './json.ts'
import { ndjson } from './ndjson.ts'
import { wholeAnswer } from './whole.ts'

/** A list as its handler gives it, whatever it is to be written down as. */
export type List = {
  /** Its segment of the path. */
  name: string
  /** Its key in the envelope. */
  plural: string
  page(query: PageQuery): Promise<ListPage>
}

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
  next?: Place | undefined
}

/** What of a list is asked for, and how it is to be written down. */
export type ListQuery = Omit<PageQuery, 'limit' | 'pull'> & {
  limit?: number | undefined
  $format?: Form | undefined
  $labels: boolean
  $bom: boolean
  $formulas: 'quoted' | 'raw'
}

type Form = (typeof forms)[number]

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
export async function answerList(c: Context<Env>, query: ListQuery, list: List): Promise<Response> {
  const { limit = 100, offset } = query
  const form = query.$format ?? accepted(c.req.header('Accept'))
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

/** The form an Accept header likes best; JSON unless it names another. */
function accepted(header = ''): Form {
  // Few ask for anything else, and many often.
  if (!/csv|ndjson/i.test(header)) return 'json'
  const ranges = header.split(',').map((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const q = parameters.find((parameter) => parameter.startsWith('q='))
    return { type, quality: q ? Number(q.slice(2)) : 1 }
  })
  const [best] = ranges
    .map(({ type, quality }) => ({ form: formOf(type), quality }))
    .filter(({ form, quality }) => form && quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
  return best?.form ?? 'json'
}

function formOf(type: string): Form | undefined {
  if (type === '*/*' || type === 'application/*') return 'json'
  return (Object.keys(mediaTypes) as Form[]).find((form) => mediaTypes[form] === type)
}
