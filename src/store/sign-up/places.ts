import { type SQL, sql } from 'drizzle-orm/sql'
import { bitCountOfBlock, bitmapColumns, termId } from '../bitmap/bits.ts'
import { type Column, json, text } from '../columns.ts'
import { ofOrganisation, ofRecord } from '../fragments.ts'
import type { Store } from '../store.ts'
import { selectBookedBlocks } from './event-bookings.ts'

/** The people who share a number of places: the volunteers of an event, or everyone else. `eventId` is SQL. */
export type PlaceGroup = { eventId: SQL; isVolunteer: boolean }

/*
 * How many places of an event are left. A booking holds a place while its `attending` is true. A booking that waits for
 * one has `waiting_checked` in its sign-up (0026_waiting_sign_ups.sql); people who signed up together have one order
 * id, and wait for a place for each of them. Places that fit such a group are kept for it.
 * In a booking of another system, the status `waiting` is only a text.
 */
const states = {
  held: { field: 'attending', value: sql`x'01'` },
  unconfirmed: { field: 'userStatus', value: sql`'unconfirmed'` },
}

type State = keyof typeof states

/** SQL for the blocks of an event's bookings in a state, from the index: block, bits0 … bits7. */
function selectBlocks(organisationId: string, { eventId, isVolunteer }: PlaceGroup, state: State) {
  const { field, value } = states[state]
  const scope = { organisationId, collection: 'bookings' }
  const columns = bitmapColumns.map((column) => {
    const ofVolunteers = `ifnull(volunteer.${column}, 0)`
    return `event.${column} & state.${column} & ${isVolunteer ? '' : '~'}${ofVolunteers} AS ${column}`
  })
  return sql`
    SELECT event.block, ${sql.raw(columns.join(', '))}
    FROM (${selectBookedBlocks(organisationId, eventId)}) AS event
    CROSS JOIN bitmaps AS state ON state.term_id = ${termId(scope, field, value)}
      AND state.block = event.block
    LEFT JOIN bitmaps AS volunteer
      ON volunteer.term_id = ${termId(scope, 'bookingType', sql`'volunteer'`)}
      AND volunteer.block = event.block`
}

const countBookings = (organisationId: string, group: PlaceGroup, state: State): SQL => sql`(
  SELECT coalesce(sum(${sql.raw(bitCountOfBlock)}), 0)
  FROM (${selectBlocks(organisationId, group, state)})
)`

/** SQL for the number of places of an event; NULL for no limit. */
const capacity = (organisationId: string, { eventId, isVolunteer }: PlaceGroup): SQL => sql`(
  SELECT document ->> ${isVolunteer ? '$.bookingDetails.volunteerCapacityTotal' : '$.bookingDetails.capacityTotal'}
  FROM records
  WHERE ${ofRecord({ organisationId }, { collection: 'events', id: eventId })}
)`

/** SQL that tests whether nobody holds this many places of an event. Ignores the waiting list. */
export const hasFreePlaces = (organisationId: string, group: PlaceGroup, number: number): SQL =>
  sql`ifnull(${countBookings(organisationId, group, 'held')} + ${number}
    <= ${capacity(organisationId, group)}, 1)`

/** SQL that tests whether an event has this many places left, not counting places kept for the waiting list. */
export const hasPlacesLeft = (organisationId: string, group: PlaceGroup, number: number): SQL =>
  sql`ifnull(${selectPlaces(organisationId, group, placesLeft(organisationId, group))} >= ${number}, 1)`

/**
 * SQL that tests whether bookings with an unconfirmed address would hold more than half of the
 * places, rounded up, with this many more.
 */
export const exceedsUnconfirmed = (
  organisationId: string,
  group: PlaceGroup,
  number: number,
): SQL =>
  sql`ifnull((${countBookings(organisationId, group, 'unconfirmed')} + ${number}) * 2
    > ${capacity(organisationId, group)} + 1, 0)`

/** SQL for an expression of the columns `capacity` and `held` of an event's places. */
const selectPlaces = (organisationId: string, group: PlaceGroup, expression: SQL): SQL => sql`(
  WITH places AS MATERIALIZED (
    SELECT ${capacity(organisationId, group)} AS capacity,
      ${countBookings(organisationId, group, 'held')} AS held
  )
  SELECT ${expression} FROM places
)`

/** SQL for the places that nobody holds and that are not kept for waiting groups; NULL for no limit. */
const placesLeft = (organisationId: string, group: PlaceGroup): SQL => sql`
  places.capacity - places.held - iif(places.capacity > places.held, (
    SELECT coalesce(sum(waiting.size), 0) FROM (
      SELECT count(*) AS size FROM (${selectWaiting(organisationId, group)}) GROUP BY order_id
    ) AS waiting
    WHERE waiting.size <= places.capacity - places.held
  ), 0)`

/**
 * The places of an event for one group. `left` is for people who do not wait yet, and negative if
 * too many have one. `capacity` and `left` are null for no limit.
 */
export type Places = { capacity: number | null; held: number; left: number | null }

/** An event's places for its participants and its volunteers. */
export type EventPlaces = { participants: Places; volunteers: Places }

/** An event's places. */
export const placesColumn = (organisationId: string, eventId: SQL): Column<EventPlaces> =>
  json(
    sql`json_object(${sql.join(
      [false, true].map((isVolunteer) => {
        const group = { eventId, isVolunteer }
        const left = placesLeft(organisationId, group)
        const values = sql`json_object('capacity', places.capacity, 'held', places.held, 'left', ${left})`
        return sql`${sql.raw(isVolunteer ? "'volunteers'" : "'participants'")},
        json(${selectPlaces(organisationId, group, values)})`
      }),
      sql`, `,
    )})`,
  )

/** Reads the places of events, by event id. */
export async function readPlaces(
  store: Store,
  eventIds: readonly string[],
): Promise<Map<string, EventPlaces>> {
  if (eventIds.length === 0) return new Map()
  const { rows } = await store.select({
    rows: {
      columns: {
        id: text(sql`item.value`),
        places: placesColumn(store.organisationId, sql`item.value`),
      },
      from: sql`FROM json_each(${JSON.stringify(eventIds)}) AS item`,
    },
  })
  return new Map(rows.map(({ id, places }) => [id, places]))
}

/** SQL that tests whether a row of `sign_ups` waits for a place. */
export const isWaiting = sql.raw('sign_ups.waiting_checked IS NOT NULL')

export const maxWaitingRead = 100

/** SQL for the first bookings on the waiting list, with the contact of each sign-up. */
export const selectWaiting = (organisationId: string, group: PlaceGroup): SQL => sql`
  SELECT records.id, records.document ->> '$.orderId' AS order_id,
    records.document ->> '$.userName' AS name, sign_ups.contact
  FROM sign_ups INDEXED BY sign_ups_waiting_by_event
  CROSS JOIN records ON records.organisation_id = sign_ups.organisation_id
    AND records.collection = 'bookings' AND records.id = sign_ups.booking_id
  WHERE ${ofOrganisation({ organisationId }, 'sign_ups')} AND sign_ups.event_id = ${group.eventId}
    AND ${isWaiting} AND sign_ups.contact ->> '$.email' <> ''
    AND records.document ->> '$.bookingType' ${sql.raw(group.isVolunteer ? 'IS' : 'IS NOT')} 'volunteer'
  ORDER BY records.ordinal LIMIT ${sql.raw(String(maxWaitingRead))}`
