import type { Content } from './conditional.ts'
import type { FormatWriter, ListOptions, ListPage, ListQuery } from './list-page.ts'
import type { ResponseContext } from './stream.ts'
import { createErrorLogger, createStream } from './stream.ts'

type Download = { name: string; readPage(query: ListQuery): Promise<ListPage> }

/**
 * Streams all matching records, or the first `limit`. Each page is read on demand, with a check of
 * the credential; an error on the first page has its own status, a later one aborts the response.
 */
export async function readDownload(
  c: ResponseContext,
  list: Download,
  query: ListOptions,
  { extension, type, begin }: FormatWriter,
): Promise<Content> {
  const { first, pages } = await readPages(list, query)
  const texts = writePages(first, pages, begin)
  const body = createStream(prependResult(await texts.next(), texts), createErrorLogger(c))
  return {
    body,
    headers: {
      ...first.headers,
      'Content-Type': type,
      'Content-Disposition': contentDisposition(c, list.name, extension),
    },
  }
}

/** Reads the first page of all matching records, or of the first `limit`, and returns it with the following pages. */
export async function readPages(list: Download, query: ListOptions) {
  const { limit = Number.MAX_SAFE_INTEGER } = query
  const first = await list.readPage({ ...query, limit, pull: 'first' })
  return { first, pages: readFollowingPages(list, { ...query, limit }, first) }
}

/** The `Content-Disposition` of a file named after the organisation, a label and the day. */
export function contentDisposition(c: ResponseContext, label: string, extension: string): string {
  const day = new Date().toISOString().slice(0, 10)
  const name = `${c.var.store.organisationId}-${label}-${day}`.replaceAll(/[^\w.-]/g, '-')
  return `attachment; filename="${name}.${extension}"`
}

async function* prependResult(
  firstResult: IteratorResult<string, void>,
  otherTexts: AsyncGenerator<string, void>,
): AsyncGenerator<string, void> {
  if (firstResult.done) return
  yield firstResult.value
  yield* otherTexts
}

async function* readFollowingPages(
  list: Download,
  query: ListOptions & { limit: number },
  first: ListPage,
): AsyncGenerator<ListPage, void> {
  let remaining = query.limit - first.count
  let pull = first.next
  while (pull && remaining > 0) {
    const page: ListPage = await list.readPage({ ...query, limit: remaining, pull })
    yield page
    remaining -= page.count
    pull = page.next
  }
}

async function* writePages(
  first: ListPage,
  otherPages: AsyncGenerator<ListPage, void>,
  begin: FormatWriter['begin'],
): AsyncGenerator<string, void> {
  const { head, rows } = begin(first)
  const text = head + rows(first)
  if (text !== '') yield text
  for await (const page of otherPages) {
    const text = rows(page)
    if (text !== '') yield text
  }
}
