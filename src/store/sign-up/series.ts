import { type SQL, sql } from 'drizzle-orm/sql'
import type { Permission } from '../../access/permissions.ts'
import { BoundedMap } from '../../platform/bounded-map.ts'
import { indexedText } from '../bitmap/bits.ts'
import { type Column, flag, integer, optional, text } from '../columns.ts'
import { documentOf, ofCollection, ofOrganisation, ofRecord } from '../fragments.ts'
import { publicPagesColumn } from '../settings/public-pages.ts'
import type { Store } from '../store.ts'
import { deleteUnreferenced } from '../write/delete-unreferenced.ts'
import { isWaiting } from './places.ts'

/*
 * A series is an event that other events, its dates, name as their `parentEventId`. People book a
 * date, not the series. A date cannot be a series itself.
 */

/** SQL that tests whether an event is a series with dates. `eventId` is SQL. */
export const isSeries = (organisationId: string, eventId: SQL): SQL => sql`EXISTS (
  SELECT 1 FROM terms CROSS JOIN records AS series ON series.collection = 'events'
    AND series.id = ${eventId} AND ${ofOrganisation({ organisationId }, 'series')}
  WHERE ${ofCollection({ organisationId }, 'events', 'terms')}
    AND terms.field = 'parentEventId' AND terms.value = ${indexedText(eventId)}
    AND ifnull(series.document ->> '$.parentEventId', '') = '')`

/** SQL for the series that an event is a date of; NULL or empty for any other event. `eventId` is SQL. */
export const seriesOf = (organisationId: string, eventId: SQL): SQL => sql`(
  SELECT document ->> '$.parentEventId' FROM records
  WHERE ${ofRecord({ organisationId }, { collection: 'events', id: eventId })}
)`

/** The events that are series with dates, of those with the given ids. */
export async function findSeries(
  store: Store,
  eventIds: readonly string[],
  permissions: readonly Permission[] = ['read'],
): Promise<ReadonlySet<string>> {
  if (eventIds.length === 0) return new Set()
  const { rows } = await store.select({
    rows: {
      columns: { id: text(sql`event.value`) },
      from: sql`FROM json_each(${JSON.stringify(eventIds)}) AS event
        WHERE ${isSeries(store.organisationId, sql`event.value`)}`,
    },
    permissions,
  })
  return new Set(rows.map(({ id }) => id))
}

/** SQL for the terms of the index that name a series: `parent.value` is its id, `parent.count` the number of its dates. */
const fromSeries = (organisationId: string) => sql`FROM terms AS parent
  WHERE ${ofCollection({ organisationId }, 'events', 'parent')}
    AND parent.field = 'parentEventId' AND ${isSeries(organisationId, sql`parent.value`)}`

/** The ids of all series with dates, as JSON. */
export const seriesColumn = ({ organisationId }: Store): Column<string> =>
  text(sql`(SELECT json_group_array(parent.value) ${fromSeries(organisationId)})`)

/** The ids of all series with dates. */
export async function readSeries(store: Store): Promise<ReadonlySet<string>> {
  const { head } = await store.select({ head: { series: seriesColumn(store) } })
  return new Set<string>(JSON.parse(head.series))
}

// The series last reported, by organisation: at most 2 MB in all, as text.
const recentSeries = new BoundedMap<string, string>(100)
const longestRemembered = 20_000

/**
 * The series that a list of events leaves out, as JSON. To read them first would cost a statement, so the list assumes
 * the ones that the database last reported, and reads `seriesColumn` to find out whether there are others.
 */
export async function assumeSeries(store: Store): Promise<string> {
  const assumed = recentSeries.get(store.organisationId)
  if (assumed !== undefined) return assumed
  const { head } = await store.select({ head: { series: seriesColumn(store) } })
  return rememberSeries(store, head.series)
}

/** Remembers reported series for the next list, unless there are too many for the memory of a Worker. */
export function rememberSeries({ organisationId }: Store, series: string): string {
  if (series.length <= longestRemembered) recentSeries.set(organisationId, series)
  else recentSeries.delete(organisationId)
  return series
}

export const maxSeriesListed = 500

/** Lists series with their number of dates, at most 500. Documents are JSON texts. */
export async function listSeries(store: Store) {
  const { organisationId } = store
  const record = { collection: 'events', id: sql`parent.value` }
  const { rows } = await store.select({
    rows: {
      columns: {
        document: text(sql`(SELECT document FROM records
          WHERE ${ofRecord({ organisationId }, record, 'records')})`),
        dates: integer(sql`parent.count`),
      },
      from: sql`${fromSeries(organisationId)} LIMIT ${sql.raw(String(maxSeriesListed))}`,
    },
  })
  return rows
}

/** The maximum number of dates of a series that pages read: of more, the latest. */
export const maxDatesRead = 400

/** SQL for the rows of `records` that are the dates of a series. `eventId` is SQL. */
export const fromDates = (organisationId: string, eventId: SQL): SQL => sql`FROM terms
  CROSS JOIN term_ordinals ON term_ordinals.term_id = terms.id
  CROSS JOIN records ON ${ofCollection({ organisationId }, 'events')}
    AND records.ordinal = term_ordinals.ordinal
  WHERE ${ofCollection({ organisationId }, 'events', 'terms')}
    AND terms.field = 'parentEventId' AND terms.value = ${indexedText(eventId)}`

/** Deletes a series with its dates in one operation. Dates with bookings stay. Returns the ids of the deleted. */
export const deleteSeries = (store: Store, seriesId: string): Promise<string[]> =>
  deleteUnreferenced(store, {
    collection: 'events',
    from: sql`FROM records WHERE ${ofCollection(store, 'events', 'records')} AND (
      records.id = ${seriesId}
      OR records.row IN (SELECT records.row ${fromDates(store.organisationId, sql`${seriesId}`)})
    )`,
  })

/** Reads an event with its dates by start, at most 400, and the settings of the public pages. Documents are JSON texts. */
export async function readDates(store: Store, seriesId: string) {
  const { organisationId } = store
  const { head, rows } = await store.select({
    head: {
      isSeries: flag(isSeries(organisationId, sql`${seriesId}`)),
      event: optional(text(documentOf(store, 'events', seriesId))),
      pages: publicPagesColumn(organisationId),
    },
    rows: {
      columns: {
        document: text(sql`records.document`),
        waiting: integer(sql`(
          SELECT count(*) FROM sign_ups INDEXED BY sign_ups_waiting_by_event
          WHERE ${ofOrganisation(store, 'sign_ups')} AND sign_ups.event_id = records.id AND ${isWaiting}
        )`),
        hasQuestions: flag(sql`EXISTS (
          SELECT 1 FROM event_questions WHERE ${ofOrganisation(store, 'event_questions')}
            AND event_questions.event_id = records.id
        )`),
      },
      from: sql`${fromDates(organisationId, sql`${seriesId}`)}
        ORDER BY records.document ->> '$.start' DESC LIMIT ${sql.raw(String(maxDatesRead + 1))}`,
    },
  })
  return {
    isSeries: head.isSeries,
    event: head.event,
    pages: head.pages,
    dates: rows.slice(0, maxDatesRead).toReversed(),
    isCut: rows.length > maxDatesRead,
  }
}
