import * as z from 'zod'

/** A connector's configuration of one list: the requests for records changed since a time. */
export type Pull = {
  name: string
  id: string
  url: string
  headers: Record<string, string>
  /** The key of the list in an answer. */
  list: string
  /** Parameters of the first page. */
  query: Record<string, string>
  /** Returns the address of the following page; undefined on the last. */
  nextUrl: (url: string, page: z.infer<typeof Page>) => string | undefined
  /** The field with a record's time of change, the parameter for it, its first value, and the overlap in seconds. */
  cursor: { field: string; parameter: string; start: string; again: number }
}

type Row = Record<string, unknown>

/** A page of a list. The last has no `next`. */
const Page = z.looseObject({ next: z.string().optional() })
const Rows = z.array(z.record(z.string(), z.unknown()))

/** The headers that every connector sends besides the key. */
export const preferences = z.object({ Prefer: z.literal('handling=strict') })

/** Reads the records that a connector reads after a record with `last` as its time of change. */
export const runPull = async (pull: Pull, last: string | undefined): Promise<Row[]> =>
  (await Array.fromAsync(readPages(pull, last))).flat()

/** Reads them page by page. */
export async function* readPages(pull: Pull, last?: string): AsyncGenerator<Row[]> {
  const { start, again, parameter } = pull.cursor
  const from = last && new Date(Date.parse(last) - again * 1000).toISOString()
  const query = new URLSearchParams({
    ...pull.query,
    [parameter]: from && from > start ? from : start,
  })
  let url: string | undefined = `${pull.url}?${query}`
  while (url) {
    const answer = await fetch(url, { headers: pull.headers })
    if (!answer.ok) throw new Error(`${pull.name}: ${answer.status} ${await answer.text()}`)
    const page = Page.parse(await answer.json())
    yield Rows.parse(page[pull.list])
    url = pull.nextUrl(url, page)
  }
}
