import type { Context } from 'hono'
import { searchPeople } from '../../records/search/search-people.ts'
import { readSingle } from '../../store/read/single.ts'
import { findSeries } from '../../store/sign-up/series.ts'
import { pagesOf } from '../collections/collections.ts'
import { textAt } from '../collections/words.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import {
  type CollectionInfo,
  describeCollection,
  recordTitle,
  type ShownValues,
} from './collection-info.ts'
import { loadRecords, loadRecordsById } from './read.ts'

/** A record to choose: its title, and a detail that sets it apart from others of the same title. */
export type Choice = { id: string; title: string; detail: string }

const maxChoices = 12
/** Events are listed by date: the next ones first. */
const maxUpcoming = 9
const maxPast = 6
const maxQueryCharacters = 100

/** Finds records by name: people with the search for people, events with the next date first. */
export async function findChoices(
  c: Context<DashboardEnv>,
  name: string,
  text: string,
): Promise<Choice[]> {
  const collection = await describeCollection(c, name)
  const query = text.trim().slice(0, maxQueryCharacters)
  const records = await findRecords(c, collection, query)
  return describeChoices(c, collection, records)
}

async function findRecords(
  c: Context<DashboardEnv>,
  collection: CollectionInfo,
  query: string,
): Promise<readonly ShownValues[]> {
  if (collection.kind) {
    const { kind, fields } = collection
    const found = await searchPeople(c.var.store, { kind, fields }, query)
    const people = await found.read(0, maxChoices)
    return people.map(({ document }) => JSON.parse(document))
  }
  const load = async (conditions: readonly string[], options: Record<string, string>) => {
    const filter = conditions.filter(Boolean).join(' and ')
    const params = new URLSearchParams({ ...(filter && { $filter: filter }), ...options })
    return (await loadRecords(c, collection, params)).records
  }
  const { title = 'name', startsAt } = pagesOf(collection.name).choice ?? {}
  const literal = `'${query.toLowerCase().replaceAll("'", "''")}'`
  const isNamed = query && `contains(tolower(${title}),${literal})`
  if (!startsAt) return load([isNamed], { limit: String(maxChoices) })
  const now = new Date().toISOString()
  const [upcoming, past] = await Promise.all([
    load([isNamed, `${startsAt} ge ${now}`], { $orderby: startsAt, limit: String(maxUpcoming) }),
    load([isNamed, `${startsAt} lt ${now}`], {
      $orderby: `${startsAt} desc`,
      limit: String(maxPast),
    }),
  ])
  return [...upcoming, ...past]
}

/** The chosen records in order. A missing record has its id as title. */
export async function loadChoices(
  c: Context<DashboardEnv>,
  name: string,
  ids: readonly string[],
): Promise<Choice[]> {
  const collection = await describeCollection(c, name)
  const records = await loadRecordsById(c, collection, ids)
  const choices = await describeChoices(c, collection, [...records.values()])
  const known = new Map(choices.map((choice) => [choice.id, choice]))
  return ids.map((id) => known.get(id) ?? { id, title: id, detail: '' })
}

async function describeChoices(
  c: Context<DashboardEnv>,
  collection: CollectionInfo,
  records: readonly ShownValues[],
): Promise<Choice[]> {
  const ids = collection.name === 'events' ? records.map(({ eventId }) => String(eventId)) : []
  const series = await findSeries(c.var.store, ids)
  return records.map((values) =>
    describeChoice(collection, values, series.has(String(values[collection.id]))),
  )
}

/** A record's values, or undefined for an unknown id. */
export async function loadValues(
  c: Context<DashboardEnv>,
  { name }: CollectionInfo,
  id: string,
): Promise<ShownValues | undefined> {
  const { record } = await readSingle(c.var.store, { collection: name, id })
  return record && JSON.parse(record.document)
}

/** A record as a choice. */
export function describeChoice(
  collection: CollectionInfo,
  values: ShownValues,
  isSeries = false,
): Choice {
  const id = String(values[collection.id])
  if (collection.kind) {
    const title = recordTitle(collection, values)
    const details = collection.defaultColumns
      .map((column) => values[column])
      .filter((value) => typeof value === 'string' && value !== '' && !title.includes(value))
    return { id, title, detail: details.slice(0, 2).join(', ') }
  }
  const { title = 'name', detail } = pagesOf(collection.name).choice ?? {}
  return { id, title: textAt(title)(values) || id, detail: detail?.(values, isSeries) ?? '' }
}
