import type { Context } from 'hono'
import { valueAt } from '../../../model/json.ts'
import { referencedIds } from '../../../model/references.ts'
import { londonDay } from '../../../model/timestamp.ts'
import { type Attendance, readAttendance } from '../../../sign-up/who-came.ts'
import {
  type CollectionInfo,
  describeCollection,
  type ShownValues,
} from '../../collection/collection-info.ts'
import {
  findReferencing,
  type LoadedRecord,
  loadRecord,
  loadRecords,
  type ReferencingRecords,
} from '../../collection/read.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { takeFlash } from '../../ui/notice.tsx'
import { listHistoryRecords, loadChanges, maxLatest, type ShownChange } from './changes.ts'
import { findReferencesFrom, listLinked } from './facts.tsx'
import { loadSeries, type Series } from './load-series.ts'
import { type FindTitle, loadTitles, type RecordKey } from './titles.ts'

/** A record with everything that its page shows. */
export type RecordView = {
  collection: CollectionInfo
  record: LoadedRecord
  referencing: readonly ReferencingRecords[]
  /** The dates of a series; undefined for any other record. */
  series: Series | undefined
  /** The grant applications with the e-mail address of a person. */
  grants: readonly ShownValues[]
  changes: readonly ShownChange[]
  /** For how many days changes can be undone. */
  versionDays: number
  findTitle: FindTitle
  /** Whether the people of the bookings came, by booking id. */
  attendance: ReadonlyMap<string, Attendance>
  flash: ReturnType<typeof takeFlash>
}

/** How much a page reads besides its record and history. */
export type RecordReads = {
  /** The number of records of a collection that refer to the record. */
  maxRelated(collection: string): number
  /** The number of grant applications with the e-mail address of a person; by default none. */
  maxGrants?: number
}

/** Loads a record with related records, history and the names of all of them. Throws 404. */
export async function loadView(
  c: Context<DashboardEnv>,
  collection: CollectionInfo,
  id: string,
  { maxRelated, maxGrants = 0 }: RecordReads,
): Promise<RecordView> {
  const record = await loadRecord(c, collection, id)
  const series = collection.name === 'events' ? await loadSeries(c, id) : undefined
  const [referencing, grants, history] = await Promise.all([
    // The dates of a series have the bookings.
    series ? [] : findReferencing(c, collection.name, id, maxRelated),
    findGrants(c, collection, record.values, maxGrants),
    loadChanges(c, collection, id),
  ])
  const { changes, versionDays } = history
  const bookings = findRelated({ referencing }, 'bookings')
  const attendance = await readAttendance(c.var.store, bookings?.first ?? [], londonDay(Date.now()))
  const listed = [...referencing.flatMap(listShownReferences), ...grants.flatMap(fundOf)]
  const findTitle = await loadTitles(c, [
    ...listLinked(collection, record.values),
    ...listed,
    ...listHistoryRecords(collection, changes.slice(0, maxLatest)),
    ...seriesOf(record.values),
  ])
  const flash = takeFlash(c)
  return {
    collection,
    record,
    referencing,
    series,
    grants,
    changes,
    versionDays,
    findTitle,
    attendance,
    flash,
  }
}

/** The property with the id of the series that a record is a date of. */
const seriesProperty = 'parentEventId'

/** The records of a collection that refer to the record; undefined without any. */
export const findRelated = ({ referencing }: Pick<RecordView, 'referencing'>, from: string) =>
  referencing.find((group) => group.collection.name === from)

/** Finds grant applications by a person's e-mail address: applications name no person. */
async function findGrants(
  c: Context<DashboardEnv>,
  { properties }: CollectionInfo,
  values: ShownValues,
  max: number,
) {
  if (max === 0) return []
  const email = properties
    .filter(({ type }) => type === 'email')
    .map(({ path }) => valueAt(values, path))
    .find((value) => typeof value === 'string' && value !== '')
  if (typeof email !== 'string') return []
  const applications = await describeCollection(c, 'grant-applications')
  const query = new URLSearchParams({
    $filter: `recipient.email eq '${email.replaceAll("'", "''")}'`,
    limit: String(max),
  })
  return (await loadRecords(c, applications, query)).records
}

/** The records that the rows of a table show by title: the form and the people of answers, the person of a booking. */
const listShownReferences = ({ collection, first }: ReferencingRecords): RecordKey[] =>
  first.slice(0, maxNamedRows).flatMap((values) =>
    findReferencesFrom(collection.name)
      .filter(({ to, optional }) => optional || to === 'forms')
      .flatMap((reference) =>
        referencedIds(reference, values)
          .filter(({ id }) => id !== '')
          .slice(0, maxPeople)
          .map(({ id }) => ({ collection: reference.to, id })),
      ),
  )

const maxNamedRows = 10
const maxPeople = 3

const seriesOf = ({ [seriesProperty]: id }: ShownValues): RecordKey[] =>
  typeof id === 'string' ? [{ collection: 'events', id }] : []

const fundOf = ({ fundId }: ShownValues): RecordKey[] =>
  typeof fundId === 'string' && fundId ? [{ collection: 'funds', id: fundId }] : []
