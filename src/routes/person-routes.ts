import type { Handler } from 'hono'
import * as z from 'zod'
import type { Env } from '../auth/env.ts'
import { compactPostcode } from '../geography/postcode.ts'
import { endpoint, type Valid } from '../http/contract.ts'
import { closedQuery, listQuery } from '../http/query.ts'
import type { Filter } from '../model/filter.ts'
import { hidden } from '../model/hidden-keys.ts'
import { type Kind, kinds } from '../model/schema.ts'
import { givenPerson, personType, SchemaInfo } from '../people/contracts.ts'
import { fieldObjects, layoutOf, schemaInfo } from '../people/layout.ts'
import { personRules } from '../records/person-rules.ts'
import { listAnswer, listType, object } from '../representations/json.ts'
import type { PageQuery } from '../store/page.ts'
import type { Store } from '../store/store.ts'
import type { Subject } from './subject.ts'

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
    const { people, info } = await pageOf(c.var.store, 'members', { limit, offset, filters })
    const items = people.map((person) => `{${person},"schemaInfo":${info}}`)
    return listAnswer({ plural: 'members', items, offset, limit })
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
    const { people, info, total } = await pageOf(c.var.store, kind, { limit, offset, filters })
    const items = people.map((person) => `{${person}}`)
    return listAnswer({ plural: kind, items, schemaInfo: info, offset, limit, total })
  }
  return [endpoint(contract), handler] as const
}

/** People of a kind; one of them is shown with the options of their select fields. */
export function people(kind: Kind): Subject {
  const { singular, id } = kinds[kind]
  return {
    name: kind,
    plural: kind,
    singular,
    id,
    kind,
    rules: (schema) => personRules(kind, schema),
    about: {
      summary: `Get a ${singular}`,
      description: `One of the organisation's ${kind}, with the options of the fields that have some.`,
    },
    sought: { schema: kind },
    query: closedQuery(),
    answer: z.strictObject({ [singular]: personType(kind), schemaInfo: SchemaInfo }),
    given: givenPerson,
    show(one) {
      const layout = layoutOf(one.found.schema)
      const fields = fieldObjects(layout, one.document, true)
      return {
        [singular]: object({ [id]: JSON.stringify(one.id), fields: `[${fields.join(',')}]` }),
        schemaInfo: schemaInfo(kind, one.organisationId, layout.name),
      }
    },
  }
}

async function pageOf(store: Store, kind: Kind, query: PageQuery) {
  const { people, schema, total } = await store.people(kind, query, kind !== 'members')
  const layout = layoutOf(schema)
  const before = `${JSON.stringify(kinds[kind].id)}:`
  return {
    people: people.map(
      ({ id, document }) =>
        `${before}${JSON.stringify(id)},"fields":[${fieldObjects(layout, document).join(',')}]`,
    ),
    info: schemaInfo(kind, store.organisationId, layout.name),
    total,
  }
}

const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
