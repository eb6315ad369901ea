import type { Handler } from 'hono'
import type * as z from 'zod'
import type { Env } from '../../auth/env.ts'
import { respondConditionally } from '../../formats/conditional.ts'
import { listFormat, mediaTypes, readList } from '../../formats/list.ts'
import type { ListOptions, ListSource } from '../../formats/list-page.ts'
import { type Contract, endpoint, type ValidInput } from '../../http/contract.ts'

/** The list of a collection with its contract. */
export type RecordList = ListSource & { contract: Contract<z.ZodType<ListOptions>> }

/** `GET /`: returns a list as JSON, CSV or NDJSON. */
export function listRoute(list: RecordList) {
  const handler: Handler<Env, string, ValidInput<RecordList['contract']>> = (c) => {
    const query = c.req.valid('query')
    const mediaType = mediaTypes[listFormat(c, query)]
    return respondConditionally(c, mediaType, () => readList(c, query, list))
  }
  return [endpoint({ ...list.contract, isConditional: true }), handler] as const
}
