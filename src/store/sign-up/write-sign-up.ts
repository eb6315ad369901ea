import { type SQL, sql } from 'drizzle-orm/sql'
import { hasPermissions } from '../../access/credential.ts'
import { hasWebhooks, type Store } from '../store.ts'
import { putDocuments } from '../write/put.ts'
import { type Audience, hasFreePlaces, hasNobodyWaiting } from './places.ts'

/** One person to sign up, with the booking's document for a place and for the waiting list. */
export type NewSignUp = {
  bookingId: string
  personHash: string
  held: string
  waiting: string
  answers: Record<string, unknown>
  questionAnswers: Record<string, string>
}

/** A link to a booking, as the SHA-256 of its secret. */
export type NewLink = { hash: string; bookingId: string }

type SignUpWrite = {
  eventId: string
  isVolunteer: boolean
  /** JSON with the person who signs up. */
  contact: string
  signUps: readonly NewSignUp[]
  links: readonly NewLink[]
  /** The time when a place with an address that is not confirmed falls free. */
  heldUntil: string | null
  deleteAfter: string
}

type SignUpResult = {
  /** Whether the event exists. Otherwise nothing was written. */
  eventExists: boolean
  /** The live bookings that some of the people have already. With any, nothing was written. */
  live: LiveBooking[]
  /** Whether the people got places together; otherwise they wait together. */
  gotPlaces: boolean
  /** Whether the event has a free place before the write. */
  hasFreePlace: boolean
}

/**
 * Signs people up in one transaction, in which the places are counted: all get a place, or all
 * wait. Nobody gets a place while somebody else waits.
 */
export async function commitSignUp(store: Store, write: SignUpWrite): Promise<SignUpResult> {
  const { organisationId, credential } = store
  const { eventId, isVolunteer, signUps, links } = write
  const scope = { organisationId, collection: 'bookings' }
  const hashes = signUps.map(({ personHash }) => personHash)
  const audience: Audience = { eventId: sql`${eventId}`, isVolunteer }
  const live = selectLive(organisationId, eventId, hashes)
  const eventExists = sql`EXISTS (
    SELECT 1 FROM records
    WHERE collection = 'events' AND id = ${eventId} AND organisation_id = ${organisationId}
  )`
  const gotPlaces = sql`(
    ${hasFreePlaces(organisationId, audience, signUps.length)}
    AND ${hasNobodyWaiting(organisationId, audience)}
  )`
  const condition = sql`${hasPermissions(credential, ['write'])} AND ${eventExists}
    AND NOT EXISTS (${live})`
  const documents = (state: 'held' | 'waiting') =>
    JSON.stringify(signUps.map((one) => ({ id: one.bookingId, document: one[state] })))
  const { head } = await store.transact(
    { permissions: ['write'] },
    {
      followed: hasWebhooks(organisationId),
      event_exists: eventExists,
      live: sql`(SELECT json_group_array(json(item)) FROM (${live}))`,
      got_places: gotPlaces,
      has_free_place: hasFreePlaces(organisationId, audience, 1),
    },
    [
      // Somebody who gave up a place can sign up again.
      sql`UPDATE sign_ups SET person_hash = booking_id
        WHERE organisation_id = ${organisationId} AND event_id = ${eventId}
          AND person_hash IN (SELECT value FROM json_each(${JSON.stringify(hashes)}))
          AND ${condition}`,
      putDocuments(
        scope,
        sql`iif(${gotPlaces}, ${documents('held')}, ${documents('waiting')})`,
        credential.author,
        condition,
      ),
      insertSignUps(organisationId, write),
      insertLinks(organisationId, links),
    ],
  )
  return {
    eventExists: head.event_exists === 1,
    live: JSON.parse(String(head.live)),
    gotPlaces: head.got_places === 1,
    hasFreePlace: head.has_free_place === 1,
  }
}

/** A booking that somebody has signed up for, and has not given up or lost. */
export type LiveBooking = { personHash: string; bookingId: string; userStatus: string }

/** Returns SQL for the live bookings of people for an event. */
export const selectLive = (organisationId: string, eventId: string, hashes: readonly string[]) =>
  sql`SELECT json_object(
      'personHash', person_hash, 'bookingId', booking_id, 'userStatus', document ->> '$.userStatus'
    ) AS item
    FROM json_each(${JSON.stringify(hashes)}) AS hash
    CROSS JOIN sign_ups ON sign_ups.organisation_id = ${organisationId}
      AND event_id = ${eventId} AND person_hash = hash.value
    CROSS JOIN records ON records.collection = 'bookings' AND records.id = booking_id
      AND records.organisation_id = sign_ups.organisation_id
    WHERE document ->> '$.attending' OR document ->> '$.userStatus' = 'waiting'`

/** Adds the sign-ups of the bookings that the transaction has written. */
const insertSignUps = (organisationId: string, write: SignUpWrite): SQL => sql`
  INSERT INTO sign_ups (
    organisation_id, booking_id, event_id, person_hash, contact, answers, question_answers,
    held_until, delete_after
  )
  SELECT ${organisationId}, records.id, ${write.eventId}, item.value ->> '$.personHash',
    ${write.contact}, item.value -> '$.answers', item.value -> '$.questionAnswers',
    iif(document ->> '$.userStatus' = 'unconfirmed', ${write.heldUntil}, NULL), ${write.deleteAfter}
  FROM json_each(${JSON.stringify(write.signUps.map(({ held, waiting, ...one }) => one))}) AS item
  CROSS JOIN records ON records.collection = 'bookings'
    AND records.id = item.value ->> '$.bookingId' AND records.organisation_id = ${organisationId}`

/** Returns SQL that adds links to bookings with a sign-up. A repeated link changes nothing. */
export const insertLinks = (
  organisationId: string,
  links: readonly NewLink[],
  condition: SQL = sql`true`,
): SQL => sql`
  INSERT INTO booking_links (hash, organisation_id, booking_id, created)
  SELECT item.value ->> '$.hash', sign_ups.organisation_id, booking_id, ${new Date().toISOString()}
  FROM json_each(${JSON.stringify(links)}) AS item
  CROSS JOIN sign_ups ON sign_ups.organisation_id = ${organisationId}
    AND booking_id = item.value ->> '$.bookingId'
  WHERE ${condition}
  ON CONFLICT (hash) DO NOTHING`
