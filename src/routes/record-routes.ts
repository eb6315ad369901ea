import type { Handler } from 'hono'
import * as z from 'zod'
import type { Env } from '../auth/env.ts'
import { endpoint, type Valid } from '../http/contract.ts'
import { closedQuery, listQuery } from '../http/query.ts'
import { ApiError } from '../model/api-error.ts'
import { type Collection, pathsLeftOut } from '../model/collection.ts'
import { ErrorBody } from '../model/error-body.ts'
import type { Filter } from '../model/filter.ts'
import { listAnswer, listType, singleAnswer } from '../representations/json.ts'

/** `GET /`: a page of a collection, with its named filters. */
export function list(collection: Collection, named: Record<string, z.ZodType<Filter>>) {
  const { name, plural, record, item } = collection
  const omitted = pathsLeftOut(record, item)
  const contract = {
    summary: `List ${words(name)}`,
    description: `A page of the organisation's ${words(name)}, in the order in which they arrived.`,
    query: listQuery(named),
    answers: { 200: listType(plural, item) },
  }
  const handler: Handler<Env, string, Valid<typeof contract>> = async (c) => {
    const { limit, offset, filters } = c.req.valid('query')
    const page = await c.var.store.page(name, { limit, offset, filters }, omitted)
    return listAnswer({ plural, items: page.documents, offset, limit, total: page.total })
  }
  return [endpoint(contract), handler] as const
}

/** `GET /:id`: one record of a collection, whole; 404 when the organisation has none with this id. */
export function single(collection: Collection & { singular: string }) {
  const { name, singular, record, id } = collection
  const contract = {
    summary: `Get one of the ${words(name)}`,
    description: `One of the organisation's ${words(name)}, with everything that is known of it.`,
    path: { [id]: `The ${id} of the ${singular}.` },
    query: closedQuery(),
    answers: { 200: z.strictObject({ [singular]: record }), 404: ErrorBody },
  }
  const handler: Handler<Env, string, Valid<typeof contract>> = async (c) => {
    const kept = await c.var.store.record(name, String(c.req.param(id)))
    if (!kept) throw new ApiError('NOT_FOUND', `There is no ${singular} with this ${id}.`)
    return singleAnswer(c.req, kept, { [singular]: kept.document })
  }
  return [endpoint(contract), handler] as const
}

const words = (segment: string) => segment.replaceAll('-', ' ')
