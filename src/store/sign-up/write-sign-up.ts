import { type SQL, sql } from 'drizzle-orm/sql'
import { text } from '../columns.ts'
import { ofOrganisation, recordExists } from '../fragments.ts'
import type { Store } from '../store.ts'
import { reasons } from '../terms.ts'
import { type NewDocument, putDocuments } from '../write/put.ts'
import { exceedsUnconfirmed, hasPlacesLeft, type PlaceGroup } from './places.ts'

/** One person to sign up. */
export type NewSignUp = {
  bookingId: string
  personHash: string
  answers: Record<string, unknown>
  questionAnswers: Record<string, string>
}

/** The bookings that links lead to: one, all of its contact for the event, or all of its sign-up. */
export const linkScopes = { booking: 0, family: 1, signUp: 2 } as const

/** A link, as the SHA-256 of its secret, to a booking or those around it. */
export type NewBookingLink = { hash: string; bookingId: string; scope?: keyof typeof linkScopes }

type SignUpWrite = {
  eventId: string
  isVolunteer: boolean
  /** JSON with the person who signs up. */
  contact: string
  signUps: readonly NewSignUp[]
  /** The bookings in each state that they can get. */
  bookings: Readonly<Record<NewState, readonly NewDocument[]>>
  links: readonly NewBookingLink[]
  /** Bookings of an earlier attempt, which hold their places until the same time. */
  renewed: readonly string[]
  /** The time when a place with an address that is not confirmed falls free; null if no address is confirmed. */
  heldUntil: string | null
  deleteAfter: string
}

/** The state of new bookings: with a place, with a place if one is free when the address is confirmed, or waiting. */
type NewState = 'held' | 'pending' | 'waiting'

/**
 * Signs people up in one transaction, in which the places are counted: all get the same state. Refused without the event (`noEvent`), and for
 * people who have live bookings already (`live`).
 */
export function commitSignUp(store: Store, write: SignUpWrite) {
  const { organisationId, credential } = store
  const { eventId, isVolunteer, signUps, bookings, links, renewed, heldUntil } = write
  const hashes = signUps.map(({ personHash }) => personHash)
  const audience: PlaceGroup = { eventId: sql`${eventId}`, isVolunteer }
  const isPending =
    heldUntil === null ? sql`false` : exceedsUnconfirmed(organisationId, audience, signUps.length)
  const state = sql`CASE
    WHEN NOT ${hasPlacesLeft(organisationId, audience, signUps.length)} THEN 'waiting'
    WHEN ${isPending} THEN 'pending' ELSE 'held' END`
  return store.write(
    {
      permissions: ['write'],
      unless: {
        noEvent: sql`NOT ${recordExists(store, 'events', eventId)}`,
        live: reasons<LiveBooking>(selectLive(organisationId, eventId, hashes), { isJson: true }),
      },
      returns: { state: text(state) },
    },
    [
      // Somebody who gave up a place can sign up again.
      sql`UPDATE sign_ups SET person_hash = booking_id
        WHERE ${ofOrganisation({ organisationId })} AND event_id = ${eventId}
          AND person_hash IN (SELECT value FROM json_each(${JSON.stringify(hashes)}))`,
      putDocuments(
        { organisationId, collection: 'bookings' },
        sql`${JSON.stringify(bookings)} -> (${state})`,
        credential.author,
      ),
      insertSignUps(organisationId, write),
      insertLinks(organisationId, links),
      ...(renewed.length > 0
        ? [
            sql`UPDATE sign_ups SET held_until = ${heldUntil}
              WHERE ${ofOrganisation({ organisationId })} AND held_until IS NOT NULL
                AND booking_id IN (SELECT value FROM json_each(${JSON.stringify(renewed)}))`,
          ]
        : []),
    ],
  )
}

/** A booking that somebody has signed up for, and has not given up or lost. */
export type LiveBooking = {
  personHash: string
  bookingId: string
  orderId: string
  userStatus: string
}

/** SQL for the live bookings of people for an event. */
export const selectLive = (organisationId: string, eventId: string, hashes: readonly string[]) =>
  sql`SELECT json_object(
      'personHash', person_hash, 'bookingId', booking_id, 'orderId', document ->> '$.orderId',
      'userStatus', document ->> '$.userStatus'
    ) AS item
    FROM json_each(${JSON.stringify(hashes)}) AS hash
    CROSS JOIN sign_ups ON ${ofOrganisation({ organisationId }, 'sign_ups')}
      AND event_id = ${eventId} AND person_hash = hash.value
    CROSS JOIN records ON records.collection = 'bookings' AND records.id = booking_id
      AND records.organisation_id = sign_ups.organisation_id
    WHERE document ->> '$.attending' OR document ->> '$.userStatus' IN ('pending', 'waiting')`

/** Adds the sign-ups of the bookings that the transaction has written. */
const insertSignUps = (organisationId: string, write: SignUpWrite): SQL => sql`
  INSERT INTO sign_ups (
    organisation_id, booking_id, event_id, person_hash, contact, answers, question_answers,
    held_until, delete_after
  )
  SELECT ${organisationId}, records.id, ${write.eventId}, item.value ->> '$.personHash',
    ${write.contact}, item.value -> '$.answers', item.value -> '$.questionAnswers',
    iif(document ->> '$.userStatus' = 'waiting', NULL, ${write.heldUntil}), ${write.deleteAfter}
  FROM json_each(${JSON.stringify(write.signUps)}) AS item
  CROSS JOIN records ON records.collection = 'bookings'
    AND records.id = item.value ->> '$.bookingId' AND ${ofOrganisation({ organisationId }, 'records')}`

/** SQL that adds links to bookings with a sign-up. A repeated link leads to the latest booking. */
export const insertLinks = (organisationId: string, links: readonly NewBookingLink[]): SQL => sql`
  INSERT INTO booking_links (hash, organisation_id, booking_id, created, is_family)
  SELECT item.value ->> '$.hash', sign_ups.organisation_id, booking_id, ${new Date().toISOString()},
    item.value ->> '$.scope'
  FROM json_each(${JSON.stringify(links.map((link) => ({ ...link, scope: linkScopes[link.scope ?? 'booking'] })))}) AS item
  CROSS JOIN sign_ups ON ${ofOrganisation({ organisationId }, 'sign_ups')}
    AND booking_id = item.value ->> '$.bookingId'
  WHERE true
  ON CONFLICT (hash) DO UPDATE SET booking_id = excluded.booking_id`
