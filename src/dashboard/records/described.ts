import type { Context } from 'hono'
import type { DashboardEnv } from '../../auth/signed-in.ts'
import { ApiError } from '../../model/api-error.ts'
import { collectionNames } from '../../model/collection-names.ts'
import { type Kind, keptSchema, kinds, type Schema } from '../../model/schema.ts'
import { layoutOf } from '../../people/layout.ts'
import { resources } from '../../resources/resources.ts'
import { inWords } from '../words.ts'
import { type Property, propertiesOfFields, propertiesOfRecord } from './properties.ts'

/** A record by its property names, or a person's values by field id. */
export type Values = Readonly<Record<string, unknown>>

/** A collection as pages show it. */
export type Described = {
  name: string
  /** What it and one of it are called in words. */
  label: string
  one: string
  /** The keys of its list's envelope and of its single's. */
  plural: string
  singular: string
  id: string
  kind: Kind | undefined
  fields: Schema['fields']
  properties: readonly Property[]
  /** The names of the columns a table has unless others are chosen. */
  usual: readonly string[]
}

const usual: Readonly<Record<string, readonly string[]>> = {
  events: ['name', 'start', 'venue.name', 'bookingDetails.capacityTotal', 'attendees', 'tags'],
  bookings: ['userName', 'name', 'date', 'userStatus', 'attending', 'ticketName'],
  forms: ['name', 'type', 'formFor', 'questionCount', 'updated'],
  'survey-responses': ['surveyId', 'date', 'creator', 'surveyScore', 'tags'],
  'case-notes': ['date', 'content', 'creator', 'tags', 'isPrivate'],
  funds: ['name', 'financials.totalAmount', 'financials.amountAwarded', 'dates.end', 'isOpenCall'],
  'grant-applications': ['title', 'recipient.name', 'status', 'amountApplied', 'amountAwarded'],
  disbursements: ['identifier', 'amount', 'status', 'dates.scheduled', 'description'],
}

/** The collection of this name; of people by the organisation's schema. Throws 404 where there is none. */
export async function described(c: Context<DashboardEnv>, name: string): Promise<Described> {
  const load = collectionNames.includes(name) ? resources[name] : undefined
  if (!load) throw new ApiError('NOT_FOUND', 'There is no such collection.')
  const { collection, kind } = await load()
  const label = inWords(name)
  if (kind) {
    const text = await c.var.store.schema(kind)
    const { fields } = keptSchema(text)
    const { singular, id } = kinds[kind]
    const properties = propertiesOfFields(fields)
    const defaults = layoutOf(text).defaults
    const others = properties.filter((it) => it.given && !defaults.includes(it.name))
    const chosen = [...defaults, ...others.map(({ name }) => name)].slice(0, 6)
    return {
      ...{ name, label, one: singular, plural: name, singular, id, kind, fields, properties },
      usual: chosen,
    }
  }
  if (!collection) throw new ApiError('NOT_FOUND', 'There is no such collection.')
  const { plural, singular, id, record } = collection
  return {
    ...{ name, label, plural, singular, id, kind, fields: [] },
    one: inWords(name).toLowerCase().replace(/s$/, ''),
    properties: propertiesOfRecord(record, id),
    usual: usual[name] ?? [],
  }
}

type FieldObject = { key: string; value: unknown }

/** A record of an answer as its values: a person's by field id. */
export function valuesOf({ kind, id }: Described, record: Values): Values {
  if (!kind) return record
  const fields = (record.fields ?? []) as FieldObject[]
  return {
    [id]: record[id],
    ...Object.fromEntries(fields.map(({ key, value }) => [key, value])),
  }
}

/** What a record is called: its name or title, or else its id. */
export function titleOf(described: Described, values: Values): string {
  const { kind, fields, usual, id } = described
  const names = kind
    ? usual.filter((name) => fields.some((it) => it.id === name && /name/i.test(it.id + it.label)))
    : ['name', 'title']
  const title = names.map((name) => values[name]).filter((it) => typeof it === 'string' && it)
  return title.slice(0, 2).join(' ') || String(values[id] ?? '')
}
