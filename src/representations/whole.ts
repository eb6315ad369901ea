import type { Context } from 'hono'
import type { Env } from '../auth/env.ts'
import { logError } from '../http/errors.ts'
import { ApiError } from '../model/api-error.ts'
import type { Pull } from '../store/pull.ts'
import type { List, ListPage, ListQuery } from './list.ts'

/** How a list is written down page by page, begun with its first page. */
export type Writer = {
  extension: string
  type: string
  begin(first: ListPage): { head: string; rows(page: ListPage): string }
}

/**
 * The answer with everything that matches, or with the first `limit` of it. A page is read once the
 * one before it was taken, each with a look at the credential; a failure breaks the answer off. The
 * first is read before there is an answer, so that what cannot be given at all is refused with its status.
 */
export async function wholeAnswer(
  c: Context<Env>,
  list: List,
  query: ListQuery,
  { extension, type, begin }: Writer,
): Promise<Response> {
  const texts = written(pagesOf(list, query), begin)
  let next: IteratorResult<string, void> | undefined = await texts.next()
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { value, done } = next ?? (await texts.next())
          next = undefined
          if (done) controller.close()
          else controller.enqueue(encoder.encode(value))
        } catch (error) {
          if (error instanceof Error && !(error instanceof ApiError))
            logError(error, c.var.requestId)
          // Not that error, which the runtime may log and which may hold what was read.
          controller.error(new Error('The list could not be finished.'))
        }
      },
    },
    { highWaterMark: 0 },
  )
  const day = new Date().toISOString().slice(0, 10)
  const name = `${c.var.store.organisationId}-${list.name}-${day}`.replaceAll(/[^\w.-]/g, '-')
  return new Response(body, {
    headers: {
      'Content-Type': type,
      'Content-Disposition': `attachment; filename="${name}.${extension}"`,
      // The runtime compresses as the header says.
      ...(takesGzip(c.req.header('Accept-Encoding')) && { 'Content-Encoding': 'gzip' }),
    },
  })
}

const takesGzip = (header = '') =>
  header
    .split(',')
    .some((coding) => /^\s*(gzip|x-gzip|\*)\s*(;\s*q=(?!0(\.0*)?\s*$).*)?$/i.test(coding))

async function* pagesOf(list: List, query: ListQuery): AsyncGenerator<ListPage, void> {
  const { limit = Number.MAX_SAFE_INTEGER, offset, filters } = query
  let wanted = limit
  let pull: Pull | undefined = 'first'
  while (pull && wanted > 0) {
    const page: ListPage = await list.page({ limit: wanted, offset, filters, pull })
    yield page
    wanted -= page.count
    pull = page.next
  }
}

async function* written(
  pages: AsyncGenerator<ListPage, void>,
  begin: Writer['begin'],
): AsyncGenerator<string, void> {
  let rows: ((page: ListPage) => string) | undefined
  for await (const page of pages) {
    let text = ''
    if (!rows) ({ head: text, rows } = begin(page))
    text += rows(page)
    if (text !== '') yield text
  }
}
