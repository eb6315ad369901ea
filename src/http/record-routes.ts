import type { Handler } from 'hono'
import * as z from 'zod'
import type { Env } from '../env.ts'
import { type Collection, pathsLeftOut } from '../store/collection.ts'
import type { Filter } from '../store/filter.ts'
import { endpoint } from './contract.ts'
import { envelope, json, jsonArray } from './envelope.ts'
import { ApiError, ErrorBody } from './errors.ts'
import { closedQuery, listQuery, type QueryInput } from './query.ts'

/** The envelope of a list of `item` (contract 4.1). */
export const listEnvelope = (plural: string, item: z.ZodType) =>
  z.strictObject({ [plural]: z.array(item), ...pageShape, total: z.int() })

/** What every list says of the page it is. */
export const pageShape = { offset: z.int(), limit: z.int() }

/** `GET /`: a page of a collection, with its named filters. */
export function list(collection: Collection, named: Record<string, z.ZodType<Filter>>) {
  const { name, plural, record, item } = collection
  const query = listQuery(named)
  const omitted = pathsLeftOut(record, item)
  const contract = endpoint({
    summary: `List ${words(name)}`,
    description: `A page of the organisation's ${words(name)}, in the order in which they arrived.`,
    query,
    answers: { 200: listEnvelope(plural, item) },
  })
  const handler: Handler<Env, string, QueryInput<typeof query>> = async (c) => {
    const { limit, offset, filters } = c.req.valid('query')
    const page = await c.var.store.page(name, { limit, offset, filters }, omitted)
    return json(
      envelope({
        [plural]: jsonArray(page.documents),
        offset: `${offset}`,
        limit: `${limit}`,
        total: `${page.total}`,
      }),
    )
  }
  return [contract, handler] as const
}

/** `GET /:id`: one record of a collection, whole; 404 when the organisation has none with this id. */
export function single(collection: Collection & { singular: string }) {
  const { name, singular, record, id } = collection
  const query = closedQuery()
  const contract = endpoint({
    summary: `Get one of the ${words(name)}`,
    description: `One of the organisation's ${words(name)}, with everything that is known of it.`,
    path: { [id]: `The ${id} of the ${singular}.` },
    query,
    answers: { 200: z.strictObject({ [singular]: record }), 404: ErrorBody },
  })
  const handler: Handler<Env, string, QueryInput<typeof query>> = async (c) => {
    const document = await c.var.store.record(name, String(c.req.param(id)))
    if (document === undefined)
      throw new ApiError('NOT_FOUND', `There is no ${singular} with this ${id}.`)
    return json(envelope({ [singular]: document }))
  }
  return [contract, handler] as const
}

const words = (segment: string) => segment.replaceAll('-', ' ')
