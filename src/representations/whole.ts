import type { Context } from 'hono'
import type { Env } from '../auth/env.ts'
import { logError } from '../http/errors.ts'
import { ApiError } from '../model/api-error.ts'
import type { List, ListPage, ListQuery, Writer } from './list-page.ts'

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
  const { limit = Number.MAX_SAFE_INTEGER } = query
  const first = await list.page({ ...query, limit, pull: 'first' })
  const texts = written(first, following(list, { ...query, limit }, first), begin)
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
      ...first.headers,
      'Content-Type': type,
      'Content-Disposition': `attachment; filename="${name}.${extension}"`,
    },
  })
}

async function* following(
  list: List,
  query: ListQuery & { limit: number },
  first: ListPage,
): AsyncGenerator<ListPage, void> {
  let wanted = query.limit - first.count
  let pull = first.next
  while (pull && wanted > 0) {
    const page: ListPage = await list.page({ ...query, limit: wanted, pull })
    yield page
    wanted -= page.count
    pull = page.next
  }
}

async function* written(
  first: ListPage,
  others: AsyncGenerator<ListPage, void>,
  begin: Writer['begin'],
): AsyncGenerator<string, void> {
  const { head, rows } = begin(first)
  const text = head + rows(first)
  if (text !== '') yield text
  for await (const page of others) {
    const text = rows(page)
    if (text !== '') yield text
  }
}
