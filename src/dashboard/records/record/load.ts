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
import { maxBookingsRead } from './bookings.tsx'
import { listHistoryRecords, loadChanges, maxLatest, type ShownChange } from './changes.ts'
import { findReferencesFrom, listLinked } from './facts.tsx'
import { type FindTitle, loadTitles, type RecordKey } from './titles.ts'

/** A record with everything that its page shows. */
export type RecordView = {
  collection: CollectionInfo
  record: LoadedRecord
  referencing: readonly ReferencingRecords[]
  /** The occurrences of an event that recurs, in order of their start. */
  occurrences: { total: number; first: readonly ShownValues[] }
  /** The grant applications with the e-mail address of a person. */
  grants: readonly ShownValues[]
  changes: readonly ShownChange[]
  /** For how many days changes can be undone. */
  versionDays: number
  findTitle: FindTitle
  /** What is known of the people of the bookings, by booking id. */
  attendance: ReadonlyMap<string, Attendance>
  flash: ReturnType<typeof takeFlash>
}

const [maxReferencing, maxOfPerson, maxOccurrences] = [10, 5, 10]

/** Loads a record with related records, history and the names of all of them. Throws 404. */
export async function loadView(
  c: Context<DashboardEnv>,
  collection: CollectionInfo,
  id: string,
): Promise<RecordView> {
  const { name, kind } = collection
  const record = await loadRecord(c, collection, id)
  const limitFor = (from: string) => (from === 'bookings' ? maxBookingsRead : maxOfPerson)
  const [referencing, occurrences, grants, history] = await Promise.all([
    findReferencing(c, name, id, kind ? limitFor : maxReferencing),
    name === 'events' ? findOccurrences(c, id) : { total: 0, first: [] },
    kind ? findGrants(c, collection, record.values) : [],
    loadChanges(c, collection, id),
  ])
  const { changes, versionDays } = history
  const bookings = referencing.find((group) => group.collection.name === 'bookings')
  const attendance = await readAttendance(c.var.store, bookings?.first ?? [], londonDay(Date.now()))
  const listed = [...referencing.flatMap(listNamed), ...grants.flatMap(namesFund)]
  const findTitle = await loadTitles(c, [
    ...listLinked(collection, record.values),
    ...listed,
    ...listHistoryRecords(collection, changes.slice(0, maxLatest)),
    ...(typeof record.values.parentEventId === 'string'
      ? [{ collection: 'events', id: record.values.parentEventId }]
      : []),
  ])
  const flash = takeFlash(c)
  return {
    collection,
    record,
    referencing,
    occurrences,
    grants,
    changes,
    versionDays,
    findTitle,
    attendance,
    flash,
  }
}

/** Finds the first occurrences of a series, and their number. */
export async function findOccurrences(c: Context<DashboardEnv>, id: string) {
  const query = new URLSearchParams({ parentEventId: id, limit: String(maxOccurrences) })
  const events = await describeCollection(c, 'events')
  const { records, total = 0 } = await loadRecords(c, events, query)
  return { total, first: records }
}

/** Finds grant applications by a person's e-mail address: applications name no person. */
async function findGrants(
  c: Context<DashboardEnv>,
  { properties }: CollectionInfo,
  values: ShownValues,
) {
  const email = properties
    .filter(({ type }) => type === 'email')
    .map(({ path }) => valueAt(values, path))
    .find((value) => typeof value === 'string' && value !== '')
  if (typeof email !== 'string') return []
  const applications = await describeCollection(c, 'grant-applications')
  const query = new URLSearchParams({
    $filter: `recipient.email eq '${email.replaceAll("'", "''")}'`,
    limit: String(maxOfPerson),
  })
  return (await loadRecords(c, applications, query)).records
}

/** The records that rows of a table name: the form and the people of answers, the person of a booking. */
const listNamed = ({ collection, first }: ReferencingRecords): RecordKey[] =>
  first.slice(0, maxReferencing).flatMap((values) =>
    findReferencesFrom(collection.name)
      .filter(({ to, optional }) => optional || to === 'forms')
      .flatMap((reference) =>
        referencedIds(reference, values)
          .filter(({ id }) => id !== '')
          .slice(0, maxPeople)
          .map(({ id }) => ({ collection: reference.to, id })),
      ),
  )

const maxPeople = 3

const namesFund = ({ fundId }: ShownValues): RecordKey[] =>
  typeof fundId === 'string' && fundId ? [{ collection: 'funds', id: fundId }] : []
