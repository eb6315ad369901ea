import { type SQL, sql } from 'drizzle-orm/sql'
import { invalidField } from '../../model/api-error.ts'
import type { Predicate } from '../../model/query/predicate.ts'
import { bitOf, blockSize, termId } from '../bitmap/bits.ts'
import { flag, integer, json, text } from '../columns.ts'
import { ofCollection, ofOrganisation } from '../fragments.ts'
import type { RowBudget } from '../query/query-reader.ts'
import type { Found, Known, Unchanged } from '../state.ts'
import type { Store } from '../store.ts'
import { readMatched } from '../summary/read-matched.ts'
import { bookedCount, hasMarks, isEventTerm, maxCounted, registerEvent } from './event-bookings.ts'
import { isWaiting } from './places.ts'
import { isSeries } from './series.ts'

/** The field of the index that marks the bookings made here (migration 0024): no document has it. */
export const madeHereField = '$madeHere'

/** The maximum number of registers that a count looks up. */
const maxEvents = 5000

/** The events of a booking: its event or series, and its occurrence. */
const eventFields = ['eventId', 'childEventId'].map((name) => ({ path: [name], isList: false }))

const hasTerm = (organisationId: string, field: string, value: SQL) =>
  sql`${termId({ organisationId, collection: 'bookings' }, field, value)} IS NOT NULL`

/** SQL that tests whether somebody took the register of an event. A series with dates has none. */
const isTaken = (organisationId: string, eventId: SQL) =>
  sql`${hasMarks(organisationId, eventId)} AND NOT ${isSeries(organisationId, eventId)}`

/** A count of attendances depends on the events whose register somebody took, and whether bookings were made here. */
export type Registers = { events: ReadonlySet<string>; hasMadeHere: boolean }

type RegisterTerms<U extends Unchanged> = {
  budget?: RowBudget | undefined
  known?: Known<U> | undefined
}

/**
 * Reads the registers that somebody took, of the events of the bookings that pass a predicate, with the state before.
 * Reads no events while no booking of the organisation has a mark.
 */
export async function readRegisters<U extends Unchanged>(
  store: Store,
  predicate: Predicate,
  { budget, known }: RegisterTerms<U>,
): Promise<Found<Registers> | U> {
  const { organisationId } = store
  const found = await store.select({
    head: {
      hasMarks: flag(
        sql`${hasTerm(organisationId, 'orgStatus', sql`'attended'`)}
          OR ${hasTerm(organisationId, 'orgStatus', sql`'absent'`)}`,
      ),
      hasMadeHere: flag(hasTerm(organisationId, madeHereField, sql`x'01'`)),
    },
    collection: 'bookings',
    known,
  })
  if (found.unchanged) return found
  const { head, state } = found
  const { hasMadeHere } = head
  if (!head.hasMarks) return { events: new Set(), hasMadeHere, state }
  const columns = await readMatched(store, 'bookings', eventFields, { predicate, budget })
  const ids = new Set(columns.flatMap((column) => [...column.countRecords().keys()].map(String)))
  if (ids.size > maxEvents)
    throw invalidField('count', 'too_large', 'has too many events. Choose a shorter period.')
  const { events } = await readBookingFacts(store, [], [...ids])
  return { events, hasMadeHere, state }
}

/** Finds which of some bookings were made here or wait for a place, and which of some events have a register that somebody took. */
export async function readBookingFacts(
  store: Store,
  bookingIds: readonly string[],
  eventIds: readonly string[],
): Promise<Record<'madeHere' | 'events' | 'waiting', ReadonlySet<string>>> {
  const { organisationId } = store
  const madeHere = termId({ organisationId, collection: 'bookings' }, madeHereField, sql`x'01'`)
  const { rows } = await store.select({
    rows: {
      columns: { isEvent: flag(sql`is_event`), id: text(sql`id`), waits: flag(sql`waits`) },
      from: sql`FROM (
        SELECT 0 AS is_event, records.id, EXISTS (
          SELECT 1 FROM sign_ups WHERE ${ofOrganisation(store, 'sign_ups')}
            AND sign_ups.booking_id = records.id
            AND (${isWaiting} OR records.document ->> '$.userStatus' = 'offered')
        ) AS waits
        FROM json_each(iif(${madeHere} IS NULL, '[]', ${JSON.stringify(bookingIds)})) AS item
        CROSS JOIN records ON records.collection = 'bookings' AND records.id = item.value
          AND ${ofOrganisation({ organisationId }, 'records')}
        CROSS JOIN bitmaps ON bitmaps.term_id = ${madeHere}
          AND bitmaps.block = records.ordinal / ${sql.raw(String(blockSize))}
        WHERE ${sql.raw(bitOf('records.ordinal'))}
        UNION ALL
        SELECT 1, event.value, 0 FROM json_each(${JSON.stringify(eventIds)}) AS event
        WHERE ${isTaken(organisationId, sql`event.value`)}
      )`,
    },
    collection: 'bookings',
  })
  const bookings = rows.filter(({ isEvent }) => !isEvent)
  const idsOf = (found: typeof rows) => new Set(found.map(({ id }) => id))
  return {
    madeHere: idsOf(bookings),
    events: idsOf(rows.filter(({ isEvent }) => isEvent)),
    waiting: idsOf(bookings.filter(({ waits }) => waits)),
  }
}

/**
 * Counts the bookings on the registers of some events by everything that decides whether their people came. Returns
 * undefined if the events have more than 50,000 bookings.
 */
export async function readBookingGroups(store: Store, eventIds: readonly string[]) {
  const { organisationId } = store
  const ids = JSON.stringify(eventIds)
  const booked = bookedCount(organisationId, ids)
  const madeHere = termId({ organisationId, collection: 'bookings' }, madeHereField, sql`x'01'`)
  const property = (name: string) => sql`ifnull(records.document ->> ${`$.${name}`}, '')`
  const { head, rows } = await store.select({
    head: { booked: integer(booked) },
    rows: {
      columns: {
        registerId: text(registerEvent('records')),
        eventId: text(property('eventId')),
        childEventId: text(property('childEventId')),
        attending: flag(property('attending')),
        orgStatus: text(property('orgStatus')),
        date: text(property('date')),
        isMadeHere: flag(sql`EXISTS (
          SELECT 1 FROM bitmaps WHERE bitmaps.term_id = ${madeHere}
            AND bitmaps.block = records.ordinal / ${sql.raw(String(blockSize))}
            AND ${sql.raw(bitOf('records.ordinal'))}
        )`),
        count: integer(sql`count(*)`),
        memberIds: json<string[]>(sql`json_group_array(DISTINCT ${property('memberId')})`),
      },
      from: sql`FROM (
          SELECT DISTINCT ordinal FROM json_each(${ids}) AS event
          CROSS JOIN terms ON ${isEventTerm(organisationId, sql`event.value`)}
          CROSS JOIN term_ordinals ON term_ordinals.term_id = terms.id
          WHERE ${booked} <= ${maxCounted}
        ) AS booked
        CROSS JOIN records ON ${ofCollection({ organisationId }, 'bookings')}
          AND records.ordinal = booked.ordinal
        GROUP BY 1, 2, 3, 4, 5, 6, 7`,
    },
    collection: 'bookings',
  })
  return head.booked > maxCounted ? undefined : rows
}
