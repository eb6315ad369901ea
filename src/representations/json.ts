import * as z from 'zod'

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

/** The answer 200 with a JSON object whose values are JSON texts already, in the order given. */
export const json = (members: Record<string, string>, headers?: Record<string, string>) =>
  new Response(object(members), { headers: { 'Content-Type': 'application/json', ...headers } })

/** The text of a JSON object whose values are JSON texts already, in the order given. */
export function object(members: Record<string, string>): string {
  const texts = Object.entries(members).map(([name, text]) => `${JSON.stringify(name)}:${text}`)
  return `{${texts.join(',')}}`
}
