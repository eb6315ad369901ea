import type { Context } from 'hono'
import { type Reference, referencedIds, references } from '../../model/references.ts'
import { getJson } from '../session/api.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { apiRecordPath } from '../ui/paths.ts'
import {
  type CollectionInfo,
  describeCollection,
  recordTitle,
  toValues,
  type Values,
} from './collection-info.ts'

/** The records of a collection that refer to another record: the total, and the first of them. */
export type ReferencingRecords = {
  reference: Reference
  collection: CollectionInfo
  total: number
  first: Values[]
}

/** The number of referencing records, in words. */
export const describeCount = ({ total, collection }: ReferencingRecords) =>
  `${total.toLocaleString('en-GB')} ${(total === 1 ? collection.singularLabel : collection.label).toLowerCase()}`

/** A record that another refers to. */
export type ReferencedRecord = { path: string; to: string; id: string; title: string }

/** Finds the records that refer to one, grouped by reference. Omits empty groups. */
export async function findReferencing(
  c: Context<DashboardEnv>,
  name: string,
  id: string,
  limit: number,
): Promise<ReferencingRecords[]> {
  const referencesTo = references.filter(({ to }) => to === name)
  const groups = await Promise.all(
    referencesTo.map(async (reference): Promise<ReferencingRecords> => {
      const collection = await describeCollection(c, reference.from)
      const query = new URLSearchParams({ [reference.path]: id, limit: String(limit) })
      const body = await getJson<Record<string, unknown>>(c, `/${reference.from}?${query}`)
      const first = (body[collection.plural] as Values[]).map((record) =>
        toValues(collection, record),
      )
      return { reference, collection: collection, total: Number(body.total), first }
    }),
  )
  return groups.filter(({ total }) => total > 0)
}

const maxReferenced = 20

/** Finds the records that one refers to, with their titles. A missing record has its id as title. */
export async function findReferenced(
  c: Context<DashboardEnv>,
  { name }: CollectionInfo,
  values: Values,
): Promise<ReferencedRecord[]> {
  const referenced = references
    .filter(({ from }) => from === name)
    .flatMap((reference) =>
      referencedIds(reference, values).map(({ path, id }) => ({ path, id, to: reference.to })),
    )
    .filter(({ id }) => id !== '')
    .slice(0, maxReferenced)
  const withTitles = await Promise.all(
    [...Map.groupBy(referenced, ({ to }) => to)].map(async ([to, records]) => {
      const collection = await describeCollection(c, to)
      return Promise.all(
        records.map(async (record) => ({
          ...record,
          title: await loadTitle(c, collection, record.id),
        })),
      )
    }),
  )
  return withTitles.flat()
}

async function loadTitle(
  c: Context<DashboardEnv>,
  collection: CollectionInfo,
  id: string,
): Promise<string> {
  const path = apiRecordPath(collection.name, id)
  const body = await getJson<Record<string, Values>>(c, path).catch(() => undefined)
  const record = body?.[collection.singular]
  return record ? recordTitle(collection, toValues(collection, record)) : id
}
