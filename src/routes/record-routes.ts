import type { Handler } from 'hono'
import * as z from 'zod'
import type { Env } from '../auth/env.ts'
import { endpoint, type Valid } from '../http/contract.ts'
import { filterWarning } from '../http/filter-warning.ts'
import { listQuery } from '../http/list-query.ts'
import { closedQuery } from '../http/query.ts'
import { type Collection, pathsLeftOut, pathsOf } from '../model/collection.ts'
import type { Filter } from '../model/filter.ts'
import { words } from '../model/words.ts'
import { recordRules } from '../records/record-rules.ts'
import { columnsOf } from '../representations/csv.ts'
import { listType, times } from '../representations/json.ts'
import { answerList, tables } from '../representations/list.ts'
import type { Column } from '../representations/list-page.ts'
import type { Subject } from './subject.ts'

/** `GET /`: a page of a collection, with its named filters; on others an example. */
export function list(
  collection: Collection,
  named: Record<string, z.ZodType<Filter>>,
  example: Readonly<Record<string, string>>,
) {
  const { name, plural, record, item } = collection
  const omitted = pathsLeftOut(record, item)
  const fields = new Set(pathsOf(record))
  const contract = {
    summary: `List ${words(name)}`,
    description: `A page of the organisation's ${words(name)}, in the order in which they arrived.`,
    query: listQuery(named, example),
    answers: { 200: listType(plural, listed(collection)) },
    tables,
  }
  let columns: Column[] | undefined
  const handler: Handler<Env, string, Valid<typeof contract>> = (c) =>
    answerList(c, c.req.valid('query'), {
      name,
      plural,
      async page(query) {
        const { store } = c.var
        const { documents, total, next } = await store.page(collection, query, omitted)
        const seen = store.view.fields(name, record, fields)
        return {
          count: documents.length,
          items: () => documents,
          documents: () => documents,
          columns() {
            columns ??= columnsOf(item)
            return columns.filter((column) => seen.has(column.name))
          },
          headers: filterWarning(query.filters, seen),
          total,
          next,
        }
      },
    })
  return [endpoint(contract), handler] as const
}

/** A structured collection, whose single the contract has or not. */
export function records(collection: Collection, isAddition = false): Subject {
  const { name, plural, singular, id, record } = collection
  const whole = `One of the organisation's ${words(name)}, with everything that is known of it.`
  return {
    name,
    plural,
    singular,
    id,
    rules: (_, organisationId, view) => recordRules(collection, organisationId, view),
    about: {
      summary: `Get one of the ${words(name)}`,
      description: isAddition ? `An addition to the contract. ${whole}` : whole,
    },
    sought: { record },
    query: closedQuery(),
    answer: z.strictObject({ [singular]: record.meta({ description: 'The record, whole.' }) }),
    given: givenRecord(collection),
    show: ({ document }) => ({ [singular]: document }),
  }
}

/** An item with its times; of another name where a single record is of the item's type, and has none. */
const listed = ({ record, item }: Collection) =>
  item.extend(times).meta({ id: `${item.meta()?.id}${item === record ? 'ListItem' : ''}` })

/** A record as a request gives it: its id and whose it is may be left out. */
function givenRecord({ record, id, singular }: Collection): z.ZodObject {
  const told = [id, 'managedBy'].flatMap((name) => {
    const type = record.shape[name]
    return type ? [[name, z.optional(type)]] : []
  })
  return record.extend(Object.fromEntries(told)).meta({ id: `${capitalised(singular)}Input` })
}

const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
