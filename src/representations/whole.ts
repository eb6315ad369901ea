import type { Context } from 'hono'
import type { Env } from '../auth/env.ts'
import type { List, ListPage, ListQuery, Writer } from './list-page.ts'
import { logged, streamOf } from './stream.ts'

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
  const body = streamOf(resumed(await texts.next(), texts), logged(c))
  return new Response(body, {
    headers: {
      ...first.headers,
      'Content-Type': type,
      'Content-Disposition': attachment(c, list.name, extension),
    },
  })
}

/** The header by which a browser saves an answer: under whose it is, what it is and the day. */
export function attachment(c: Context<Env>, what: string, extension: string): string {
  const day = new Date().toISOString().slice(0, 10)
  const name = `${c.var.store.organisationId}-${what}-${day}`.replaceAll(/[^\w.-]/g, '-')
  return `attachment; filename="${name}.${extension}"`
}

async function* resumed(
  begun: IteratorResult<string, void>,
  others: AsyncGenerator<string, void>,
): AsyncGenerator<string, void> {
  if (begun.done) return
  yield begun.value
  yield* others
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
