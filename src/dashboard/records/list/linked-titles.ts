import type { Context } from 'hono'
import { formatShortDay } from '../../../model/dates.ts'
import { referencedIds, references } from '../../../model/references.ts'
import { londonDay } from '../../../model/timestamp.ts'
import {
  type CollectionInfo,
  describeCollection,
  recordTitle,
  type ShownValues,
} from '../../collection/collection-info.ts'
import { loadRecordsById } from '../../collection/read.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'

/** The titles of records that a list refers to, by the path of the reference, then by id. */
export type LinkedTitles = ReadonlyMap<string, { to: string; titles: ReadonlyMap<string, string> }>

/** The references among the columns of a list. */
const linkedColumns = ({ name }: CollectionInfo, columns: readonly string[]) =>
  references.filter(({ from, path }) => from === name && columns.includes(path))

/**
 * Loads the titles of the records that some columns refer to, a query for each collection, as the
 * collection's own list shows them. Records that do not exist have no title.
 */
export async function loadLinkedTitles(
  c: Context<DashboardEnv>,
  collection: CollectionInfo,
  columns: readonly string[],
  records: readonly ShownValues[],
): Promise<LinkedTitles> {
  const linked = linkedColumns(collection, columns).map((reference) => ({
    ...reference,
    ids: records.flatMap((record) => referencedIds(reference, record).map(({ id }) => id)),
  }))
  const byCollection = await Promise.all(
    [...Map.groupBy(linked, ({ to }) => to)].map(
      async ([to, group]) =>
        [
          to,
          await loadTitlesOf(
            c,
            to,
            group.flatMap(({ ids }) => ids),
          ),
        ] as const,
    ),
  )
  const titles = new Map(byCollection)
  return new Map(linked.map(({ path, to }) => [path, { to, titles: titles.get(to) ?? new Map() }]))
}

/** The titles of a collection's records by id. */
export async function loadTitlesOf(
  c: Context<DashboardEnv>,
  to: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const records = await loadTitled(c, to, ids)
  return new Map(records.map(({ id, title }) => [id, title]))
}

/** The same, with the day of each event that has the name of another: a series has a name for all its dates. */
export async function loadDistinctTitles(
  c: Context<DashboardEnv>,
  to: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const records = await loadTitled(c, to, ids)
  const byTitle = Map.groupBy(records, ({ title }) => title)
  return new Map(
    records.map(({ id, title, start }) => {
      const isAmbiguous = (byTitle.get(title)?.length ?? 0) > 1
      return [
        id,
        isAmbiguous && typeof start === 'string' && start !== ''
          ? `${title}, ${formatShortDay(londonDay(start))}`
          : title,
      ]
    }),
  )
}

async function loadTitled(c: Context<DashboardEnv>, to: string, ids: readonly string[]) {
  if (ids.every((id) => id === '')) return []
  const collection = await describeCollection(c, to)
  const records = await loadRecordsById(c, collection, ids)
  return [...records].map(([id, values]) => ({
    id,
    title: recordTitle(collection, values),
    start: values.start,
  }))
}
