import type { Handler } from 'hono'
import * as z from 'zod'
import type { Env } from '../env.ts'
import { type Contract, endpoint } from '../http/contract.ts'
import { envelope, json, jsonArray } from '../http/envelope.ts'
import { ApiError, ErrorBody } from '../http/errors.ts'
import { closedQuery, listQuery, type QueryInput } from '../http/query.ts'
import { pageShape } from '../http/record-routes.ts'
import type { Filter } from '../store/filter.ts'
import type { PageQuery } from '../store/page.ts'
import type { Kind, Store } from '../store/store.ts'
import { personOf, SchemaInfo } from './contracts.ts'
import { fieldObjects, layoutOf, schemaInfo } from './layout.ts'
import { compactPostcode } from './postcode.ts'
import { kinds } from './schema.ts'

const postcodeFilter = z
  .string()
  .meta({
    description:
      'The postcode, in any case and spacing; an outward code alone finds every postcode in it.',
  })
  .transform((text): Filter => ({ field: '$postcode', values: [compactPostcode(text)] }))

/** `GET /members`: each member with its own schemaInfo, and no total (contract 4.2). */
export function memberList() {
  const query = listQuery({})
  const contract = endpoint({
    summary: 'List members',
    description: "A page of the organisation's members, in the order in which they arrived.",
    query,
    answers: {
      200: z.strictObject({
        members: z.array(
          personOf('members').extend({ schemaInfo: SchemaInfo }).meta({ id: 'Member' }),
        ),
        ...pageShape,
      }),
    },
  })
  const handler: Handler<Env, '/', QueryInput<typeof query>> = async (c) => {
    const { limit, offset, filters } = c.req.valid('query')
    const { people, info } = await pageOf(c.var.store, 'members', { limit, offset, filters })
    const members = people.map((person) => `{${person},"schemaInfo":${info}}`)
    return json(envelope({ members: jsonArray(members), offset: `${offset}`, limit: `${limit}` }))
  }
  return [contract, handler] as const
}

/** `GET /volunteers` and `GET /partners`: one schemaInfo for the whole list (contract 4.2). */
export function personList(kind: Exclude<Kind, 'members'>) {
  const query = listQuery({ postcode: postcodeFilter })
  const { singular } = kinds[kind]
  const contract = endpoint({
    summary: `List ${kind}`,
    description: `A page of the organisation's ${kind}, in the order in which they arrived.`,
    query,
    answers: {
      200: z.strictObject({
        [kind]: z.array(personOf(kind).meta({ id: capitalised(singular) })),
        schemaInfo: SchemaInfo,
        ...pageShape,
        total: z.int(),
      }),
    },
  })
  const handler: Handler<Env, '/', QueryInput<typeof query>> = async (c) => {
    const { limit, offset, filters } = c.req.valid('query')
    const { people, info, total } = await pageOf(c.var.store, kind, { limit, offset, filters })
    return json(
      envelope({
        [kind]: jsonArray(people.map((person) => `{${person}}`)),
        schemaInfo: info,
        offset: `${offset}`,
        limit: `${limit}`,
        total: `${total}`,
      }),
    )
  }
  return [contract, handler] as const
}

/** `GET /<kind>/:id`: a person with the options of their select fields; `foreign` is the answer to another organisation's (decisions 5). */
export function person(kind: Kind, foreign: 'FORBIDDEN' | 'NOT_FOUND') {
  const { singular, id: idName } = kinds[kind]
  const forbidden: Contract['answers'] = foreign === 'FORBIDDEN' ? { 403: ErrorBody } : {}
  const query = closedQuery()
  const contract = endpoint({
    summary: `Get a ${singular}`,
    description: `One of the organisation's ${kind}, with the options of the fields that have some.`,
    path: { [idName]: `The ${idName} of the ${singular}.` },
    query,
    answers: {
      200: z.strictObject({ [singular]: personOf(kind), schemaInfo: SchemaInfo }),
      404: ErrorBody,
      ...forbidden,
    },
  })
  const handler: Handler<Env, string, QueryInput<typeof query>> = async (c) => {
    const { store } = c.var
    const id = String(c.req.param(idName))
    const { document, schema, elsewhere } = await store.person(kind, id, foreign === 'FORBIDDEN')
    if (document === undefined) {
      if (elsewhere) {
        throw new ApiError('FORBIDDEN', `This ${singular} belongs to another organisation.`)
      }
      throw new ApiError('NOT_FOUND', `There is no ${singular} with this ${idName}.`)
    }
    const layout = layoutOf(schema)
    const fields = fieldObjects(layout, document, true)
    return json(
      envelope({
        [singular]: envelope({ [idName]: JSON.stringify(id), fields: jsonArray(fields) }),
        schemaInfo: schemaInfo(kind, store.organisationId, layout.name),
      }),
    )
  }
  return [contract, handler] as const
}

async function pageOf(store: Store, kind: Kind, query: PageQuery) {
  const { people, schema, total } = await store.people(kind, query, kind !== 'members')
  const layout = layoutOf(schema)
  const before = `${JSON.stringify(kinds[kind].id)}:`
  return {
    people: people.map(
      ({ id, document }) =>
        `${before}${JSON.stringify(id)},"fields":${jsonArray(fieldObjects(layout, document))}`,
    ),
    info: schemaInfo(kind, store.organisationId, layout.name),
    total,
  }
}

const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
