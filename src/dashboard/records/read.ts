import type { Context } from 'hono'
import { parseQuery } from '../../http/query.ts'
import { notFound } from '../../model/collection.ts'
import { isPathSegment } from '../../model/properties/types.ts'
import { type Reference, referencedIds, references } from '../../model/references.ts'
import { formatNumber } from '../../platform/format-number.ts'
import { requireRecord } from '../../resources/routes/single-route.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import {
  type CollectionInfo,
  describeCollection,
  recordTitle,
  type Values,
} from './collection-info.ts'

/** A page of records, and the total if the list has one. */
type RecordPage = {
  records: readonly Values[]
  total: number | undefined
  /** A warning about a filter, from the response headers. */
  warning: string | undefined
}

/** Loads a page of a collection through its API list. */
export async function loadRecords(
  c: Context<DashboardEnv>,
  { list }: CollectionInfo,
  params: URLSearchParams,
): Promise<RecordPage> {
  const { limit = 100, ...query } = parseQuery(list.contract.query, params)
  const { documents, total, headers } = await list.page(c.var.store, { ...query, limit })
  return {
    records: documents().map((document): Values => JSON.parse(document)),
    total,
    warning: headers?.Warning,
  }
}

/** A record with its ETag and times. */
export type LoadedRecord = {
  id: string
  values: Values
  etag: string
  created: string
  updated: string
}

/** Loads the record with this id, or throws 404. */
export async function loadRecord(
  c: Context<DashboardEnv>,
  collection: CollectionInfo,
  id: string,
): Promise<LoadedRecord> {
  const { resource, id: idName } = collection
  if (id === '' || !isPathSegment(id)) throw notFound(resource)
  const query = new URLSearchParams({ [idName]: id, $include: 'times', limit: '1' })
  const [{ record }, { records }] = await Promise.all([
    requireRecord(c.var.store, resource, id),
    loadRecords(c, collection, query),
  ])
  const [times] = records
  return {
    id,
    values: JSON.parse(record.document),
    etag: `"${record.version}"`,
    created: String(times?.$created ?? ''),
    updated: String(times?.$updated ?? ''),
  }
}

/** The records of a collection that refer to a record: the total and the first records. */
export type ReferencingRecords = {
  reference: Reference
  collection: CollectionInfo
  total: number
  first: readonly Values[]
}

/** Formats the number of referring records. */
export const describeCount = ({ total, collection }: ReferencingRecords) =>
  `${formatNumber(total)} ${(total === 1 ? collection.singularLabel : collection.label).toLowerCase()}`

/** A record with the path of the reference to it. */
export type ReferencedRecord = { path: string; to: string; id: string; title: string }

/** Finds the records that refer to a record, by reference. Omits empty groups. */
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
      const { records, total = 0 } = await loadRecords(c, collection, query)
      return { reference, collection, total, first: records }
    }),
  )
  return groups.filter(({ total }) => total > 0)
}

const maxReferenced = 20

/** Finds the records that a record refers to, with their titles. A missing record has its id as title. */
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
  const { record } = await requireRecord(c.var.store, collection.resource, id).catch(() => noRecord)
  return record ? recordTitle(collection, JSON.parse(record.document)) : id
}

const noRecord = { record: undefined }
