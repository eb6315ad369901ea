import type { HonoRequest } from 'hono'
import * as z from 'zod'
import type { Kept } from '../store/store.ts'

/** A page of a list as a handler gives it: its items as JSON texts, and what is told beside them. */
export type ListPage = {
  /** The key of the list. */
  plural: string
  items: readonly string[]
  /** JSON text; only lists of volunteers and partners have it. */
  schemaInfo?: string
  offset: number
  limit: number
  /** Left out where the list tells none (contract 4.2: members). */
  total?: number | undefined
}

/** The answer with a page of a list (contract 4.1). */
export function listAnswer({ plural, items, schemaInfo, offset, limit, total }: ListPage) {
  return json({
    [plural]: `[${items.join(',')}]`,
    ...(schemaInfo !== undefined && { schemaInfo }),
    offset: `${offset}`,
    limit: `${limit}`,
    ...(total !== undefined && { total: `${total}` }),
  })
}

/** What `listAnswer` gives of items of a type. */
export const listType = (
  plural: string,
  item: z.ZodType,
  { schemaInfo, counted = true }: { schemaInfo?: z.ZodType; counted?: boolean } = {},
) =>
  z.strictObject({
    [plural]: z.array(item),
    ...(schemaInfo && { schemaInfo }),
    offset: z.int(),
    limit: z.int(),
    ...(counted && { total: z.int() }),
  })

/** The answer with one record, and with the ETag of its version; 304 to who has that version (additions 1). */
export function singleAnswer(
  req: HonoRequest,
  { version, changed }: Pick<Kept, 'version' | 'changed'>,
  members: Record<string, string>,
): Response {
  const headers = {
    ETag: `"${version}"`,
    'Last-Modified': new Date(changed).toUTCString(),
  }
  if (named(req.header('If-None-Match') ?? '', version)) {
    return new Response(null, { status: 304, headers })
  }
  return new Response(object(members), {
    headers: { 'Content-Type': 'application/json', ...headers },
  })
}

/** Whether an If-Match or If-None-Match header names a version: `*` names any. */
export const named = (header: string, version: number) =>
  header.split(',').some((tag) => ['*', `"${version}"`, `W/"${version}"`].includes(tag.trim()))

/** The answer 200 with a JSON object whose values are JSON texts already, in the order given. */
export const json = (members: Record<string, string>) =>
  new Response(object(members), { headers: { 'Content-Type': 'application/json' } })

/** The text of a JSON object whose values are JSON texts already, in the order given. */
export function object(members: Record<string, string>): string {
  const texts = Object.entries(members).map(([name, text]) => `${JSON.stringify(name)}:${text}`)
  return `{${texts.join(',')}}`
}
