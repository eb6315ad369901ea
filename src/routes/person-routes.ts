import type { Handler } from 'hono'
import * as z from 'zod'
import type { Env } from '../auth/env.ts'
import { compactPostcode } from '../geography/postcode.ts'
import { type Contract, endpoint, type Valid } from '../http/contract.ts'
import { filterWarning } from '../http/filter-warning.ts'
import { closedQuery, listQuery } from '../http/query.ts'
import { ApiError } from '../model/api-error.ts'
import { ErrorBody } from '../model/error-body.ts'
import type { Filter } from '../model/filter.ts'
import { hidden } from '../model/hidden-keys.ts'
import { type Kind, kinds } from '../model/schema.ts'
import { personType, SchemaInfo } from '../people/contracts.ts'
import { fieldObjects, type Layout, layoutOf, schemaInfo } from '../people/layout.ts'
import { json, listAnswer, listType, object } from '../representations/json.ts'
import type { PageQuery } from '../store/page.ts'
import type { Store } from '../store/store.ts'

const postcodeFilter = z
  .string()
  .meta({
    description:
      'The postcode, in any case and spacing; an outward code alone finds every postcode in it.',
  })
  .transform((text): Filter => ({ field: hidden.postcode, values: [compactPostcode(text)] }))

/** `GET /members`: each member with its own schemaInfo, and no total (contract 4.2). */
export function memberList() {
  const item = personType('members').extend({ schemaInfo: SchemaInfo }).meta({ id: 'Member' })
  const contract = {
    summary: 'List members',
    description: "A page of the organisation's members, in the order in which they arrived.",
    query: listQuery({}),
    answers: { 200: listType('members', item, { counted: false }) },
  }
  const handler: Handler<Env, '/', Valid<typeof contract>> = async (c) => {
    const { limit, offset, filters } = c.req.valid('query')
    const page = await pageOf(c.var.store, 'members', { limit, offset, filters })
    const items = page.people.map((person) => `{${person},"schemaInfo":${page.info}}`)
    return listAnswer({ plural: 'members', items, offset, limit, headers: page.headers })
  }
  return [endpoint(contract), handler] as const
}

/** `GET /volunteers` and `GET /partners`: one schemaInfo for the whole list (contract 4.2). */
export function personList(kind: Exclude<Kind, 'members'>) {
  const item = personType(kind).meta({ id: capitalised(kinds[kind].singular) })
  const contract = {
    summary: `List ${kind}`,
    description: `A page of the organisation's ${kind}, in the order in which they arrived.`,
    query: listQuery({ postcode: postcodeFilter }),
    answers: { 200: listType(kind, item, { schemaInfo: SchemaInfo }) },
  }
  const handler: Handler<Env, '/', Valid<typeof contract>> = async (c) => {
    const { limit, offset, filters } = c.req.valid('query')
    const page = await pageOf(c.var.store, kind, { limit, offset, filters })
    const items = page.people.map((person) => `{${person}}`)
    const { info: schemaInfo, total, headers } = page
    return listAnswer({ plural: kind, items, schemaInfo, offset, limit, total, headers })
  }
  return [endpoint(contract), handler] as const
}

/** `GET /<kind>/:id`: a person with the options of their select fields. Another organisation's member is 403, and the id tells a token's organisation; another's volunteer or partner is 404 (decisions 5). */
export function person(kind: Kind) {
  const { singular, id: idName } = kinds[kind]
  const isMember = kind === 'members'
  const forbidden: Contract['answers'] = isMember ? { 403: ErrorBody } : {}
  const contract = {
    summary: `Get a ${singular}`,
    description: `One of the organisation's ${kind}, with the options of the fields that have some.`,
    path: { [idName]: `The ${idName} of the ${singular}.` },
    query: closedQuery(),
    organisation: isMember ? 'record' : 'query',
    answers: {
      200: z.strictObject({ [singular]: personType(kind), schemaInfo: SchemaInfo }),
      404: ErrorBody,
      ...forbidden,
    },
  } satisfies Contract
  const handler: Handler<Env, string, Valid<typeof contract>> = async (c) => {
    const { store } = c.var
    const id = String(c.req.param(idName))
    const { document, schema, elsewhere } = await store.person(kind, id, isMember)
    if (document === undefined) {
      if (elsewhere) {
        throw new ApiError('FORBIDDEN', `This ${singular} belongs to another organisation.`)
      }
      throw new ApiError('NOT_FOUND', `There is no ${singular} with this ${idName}.`)
    }
    const layout = layoutOf(schema)
    const fields = fieldObjects(layout, document, true)
    return json({
      [singular]: object({ [idName]: JSON.stringify(id), fields: `[${fields.join(',')}]` }),
      schemaInfo: schemaInfo(kind, store.organisationId, layout.name),
    })
  }
  return [endpoint(contract), handler] as const
}

async function pageOf(store: Store, kind: Kind, query: PageQuery) {
  const { people, total, layout } = await found(store, kind, query)
  const idName = kinds[kind].id
  const before = `${JSON.stringify(idName)}:`
  return {
    people: people.map(
      ({ id, document }) =>
        `${before}${JSON.stringify(id)},"fields":[${fieldObjects(layout, document).join(',')}]`,
    ),
    info: schemaInfo(kind, store.organisationId, layout.name),
    total,
    headers: filterWarning(
      query.filters.filter(({ field }) => field !== idName),
      layout.ids,
    ),
  }
}

/** A page of people and the layout of their schema. Which fields are postcodes is known only with the first read: a filter on one takes another, which compares without case and spaces (decisions 3). */
async function found(store: Store, kind: Kind, query: PageQuery) {
  const isCounted = kind !== 'members'
  const page = await store.people(kind, query, isCounted)
  const layout = layoutOf(page.schema)
  if (!query.filters.some(({ field }) => layout.postcodes.has(field))) return { ...page, layout }
  const filters = query.filters.map((filter) => inAnySpelling(filter, layout))
  return { ...(await store.people(kind, { ...query, filters }, isCounted)), layout }
}

// Also as it is spelt: people who were kept before have nothing else to be found by.
function inAnySpelling(filter: Filter, { postcodes }: Layout): Filter {
  const { field, values } = filter
  if (!postcodes.has(field)) return filter
  const text = String(values[0])
  const or = { field: hidden.postcodeOf + field, text: compactPostcode(text) }
  return { field, values: [text], or }
}

const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
