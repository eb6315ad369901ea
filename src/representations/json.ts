import type { HonoRequest } from 'hono'
import * as z from 'zod'
import type { Kept } from '../store/single.ts'

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
  headers?: Record<string, string>
}

/** The answer with a page of a list (contract 4.1). */
export function listAnswer({ plural, items, schemaInfo, offset, limit, total, headers }: ListPage) {
  const members = {
    [plural]: `[${items.join(',')}]`,
    ...(schemaInfo !== undefined && { schemaInfo }),
    offset: `${offset}`,
    limit: `${limit}`,
    ...(total !== undefined && { total: `${total}` }),
  }
  return json(members, headers)
}

/** What each record of a list has, after everything else, where its times are asked for (additions 2). */
export const times = {
  $created: z.iso.datetime({ precision: 3 }).optional(),
  $updated: z.iso.datetime({ precision: 3 }).optional(),
  $version: z.int().optional(),
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
  const headers = validators({ version, changed })
  if (named(req.header('If-None-Match') ?? '', version)) {
    return new Response(null, { status: 304, headers })
  }
  return new Response(object(members), {
    headers: { 'Content-Type': 'application/json', ...headers },
  })
}

/** The answer with a record that was just written, and with the ETag of its version (additions 1). */
export const writtenAnswer = (
  kept: Pick<Kept, 'version' | 'changed'>,
  members: Record<string, string>,
  status: 200 | 201,
  headers: Record<string, string>,
) =>
  new Response(object(members), {
    status,
    headers: { 'Content-Type': 'application/json', ...validators(kept), ...headers },
  })

const validators = ({ version, changed }: Pick<Kept, 'version' | 'changed'>) => ({
  ETag: `"${version}"`,
  'Last-Modified': new Date(changed).toUTCString(),
})

/** Whether an If-None-Match header names a version: `*` names any. */
const named = (header: string, version: number) =>
  header.split(',').some((tag) => ['*', `"${version}"`, `W/"${version}"`].includes(tag.trim()))

/** The answer 200 with a JSON object whose values are JSON texts already, in the order given. */
export const json = (members: Record<string, string>, headers?: Record<string, string>) =>
  new Response(object(members), { headers: { 'Content-Type': 'application/json', ...headers } })

/** The text of a JSON object whose values are JSON texts already, in the order given. */
export function object(members: Record<string, string>): string {
  const texts = Object.entries(members).map(([name, text]) => `${JSON.stringify(name)}:${text}`)
  return `{${texts.join(',')}}`
}
