import type { Handler } from 'hono'
import * as z from 'zod'
import type { Env } from '../auth/env.ts'
import { compactPostcode } from '../geography/postcode.ts'
import { endpoint, type Valid } from '../http/contract.ts'
import { filterWarning } from '../http/filter-warning.ts'
import { listQuery } from '../http/list-query.ts'
import { closedQuery } from '../http/query.ts'
import type { Filter } from '../model/filter.ts'
import { hidden } from '../model/hidden-keys.ts'
import { type Kind, kinds } from '../model/schema.ts'
import { givenPerson, personType, SchemaInfo } from '../people/contracts.ts'
import {
  fieldColumns,
  fieldObjects,
  type Layout,
  layoutOf,
  personText,
  schemaInfo,
} from '../people/layout.ts'
import { personRules } from '../records/person-rules.ts'
import { listType, times } from '../representations/json.ts'
import { answerList, tables } from '../representations/list.ts'
import type { Column } from '../representations/list-page.ts'
import { withTimes } from '../store/list.ts'
import type { PageQuery } from '../store/page-query.ts'
import type { Store } from '../store/store.ts'
import type { Subject } from './subject.ts'

const postcodeFilter = z
  .string()
  .transform((text): Filter => ({ field: hidden.postcode, values: [compactPostcode(text)] }))
  .meta({
    description:
      'The postcode, in any case and spacing; an outward code alone finds every postcode in it.',
    examples: ['LS11'],
  })

const anyField = { 'Full Name': 'Amara Abara' }

const schemaInfoType = SchemaInfo.meta({
  description: 'The schema that says what fields they have.',
})

/** `GET /members`: each member with its own schemaInfo, and no total (contract 4.2). */
export function memberList() {
  const item = personType('members')
    .extend({ schemaInfo: schemaInfoType, ...times })
    .meta({ id: 'Member' })
  const contract = {
    summary: 'List members',
    description: "A page of the organisation's members, in the order in which they arrived.",
    query: listQuery({}, anyField),
    answers: { 200: listType('members', item, { counted: false }) },
    tables,
  }
  const handler: Handler<Env, '/', Valid<typeof contract>> = (c) =>
    answerList(c, c.req.valid('query'), {
      name: 'members',
      plural: 'members',
      async page(query) {
        const { people, info, ...page } = await pageOf(c.var.store, 'members', query)
        const items = () =>
          people().map(({ shown, times }) => `{${shown},"schemaInfo":${info}${times}}`)
        return { ...page, items }
      },
    })
  return [endpoint(contract), handler] as const
}

/** `GET /volunteers` and `GET /partners`: one schemaInfo for the whole list (contract 4.2). */
export function personList(kind: Exclude<Kind, 'members'>) {
  const item = personType(kind)
    .extend(times)
    .meta({ id: capitalised(kinds[kind].singular) })
  const contract = {
    summary: `List ${kind}`,
    description: `A page of the organisation's ${kind}, in the order in which they arrived.`,
    query: listQuery({ postcode: postcodeFilter }, anyField),
    answers: { 200: listType(kind, item, { schemaInfo: schemaInfoType }) },
    tables,
  }
  const handler: Handler<Env, '/', Valid<typeof contract>> = (c) =>
    answerList(c, c.req.valid('query'), {
      name: kind,
      plural: kind,
      async page(query) {
        const { people, info, ...page } = await pageOf(c.var.store, kind, query)
        const items = () => people().map(({ shown, times }) => `{${shown}${times}}`)
        return { ...page, schemaInfo: info, items }
      },
    })
  return [endpoint(contract), handler] as const
}

/** People of a kind; one of them is shown with the options of their select fields. */
export function people(kind: Kind): Subject & { kind: Kind } {
  const { singular, id } = kinds[kind]
  return {
    name: kind,
    plural: kind,
    singular,
    id,
    kind,
    rules: (schema, _, view) => personRules(kind, schema, view),
    about: {
      summary: `Get a ${singular}`,
      description: `One of the organisation's ${kind}, with the options of the fields that have some.`,
    },
    sought: { schema: kind },
    query: closedQuery(),
    answer: z.strictObject({
      [singular]: personType(kind).meta({ description: 'The person, with all their fields.' }),
      schemaInfo: schemaInfoType,
    }),
    given: givenPerson,
    show(one) {
      const layout = layoutOf(one.found.schema)
      return {
        [singular]: `{${personText(kind, one.id, fieldObjects(layout, one.document, true))}}`,
        schemaInfo: schemaInfo(kind, one.organisationId, layout.name),
      }
    },
  }
}

async function pageOf(store: Store, kind: Kind, query: PageQuery) {
  const { people, total, next, layout } = await found(store, kind, query)
  const idName = kinds[kind].id
  return {
    count: people.length,
    people: () =>
      people.map(({ id, document, times }) => ({
        shown: personText(kind, id, fieldObjects(layout, document)),
        times,
      })),
    info: schemaInfo(kind, store.organisationId, layout.name),
    documents: () => people.map(({ document, times }) => withTimes(document, times)),
    columns: (): Column[] => [{ path: [idName], name: idName }, ...fieldColumns(layout)],
    total,
    headers: filterWarning(
      query.filters.filter(({ field }) => field !== idName),
      layout.ids,
    ),
    next,
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
