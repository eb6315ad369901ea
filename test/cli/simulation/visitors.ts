import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import { openMail } from '../../../src/mail/mail.ts'
import type { Bindings } from '../../../src/platform/bindings.ts'
import { acceptOffer, cancelBookings, confirmAddress } from '../../../src/sign-up/booking-link.ts'
import {
  cancelBooking,
  givePlace,
  offerPlace,
  withdrawOffer,
} from '../../../src/sign-up/give-places.ts'
import { openPublicStore, savePublicPages } from '../../../src/sign-up/public-pages.ts'
import { runSignUps } from '../../../src/sign-up/schedule.ts'
import { signUp } from '../../../src/sign-up/sign-up.ts'
import { listDatabases } from '../../../src/store/databases.ts'
import { putRecords } from '../../../src/store/write/put.ts'
import events from '../../examples/events.json' with { type: 'json' }
import { attempt } from './faults.ts'
import type { SqliteDatabase } from './sqlite-database.ts'
import { personFields, type World } from './world.ts'

const minuteMs = 60_000
const eventId = 'lunch'
const uses = { confirm: confirmAddress, accept: acceptOffer, cancel: cancelBookings }

/** An event with few places and a waiting list, and the people who sign up for it by mail. */
type OpenEvent = { capacity: number; visitors: Visitor[] }

type Visitor = {
  email: string
  names: string[]
  /** Whether the service has accepted a sign-up. */
  isAccepted: boolean
  /** The acknowledged uses of links, by their secrets. */
  used: { secret: string; use: keyof typeof uses }[]
}

/** Publishes an event. */
export async function openEvent(world: World): Promise<OpenEvent> {
  const { simulation, organisationId, databases } = world
  const { random } = simulation
  const capacity = random.integer(1, 3)
  const start = simulation.now() + 30 * 24 * 60 * minuteMs
  const document = {
    ...events,
    eventId,
    managedBy: organisationId,
    parentEventId: '',
    concluded: null,
    start: new Date(start).toISOString(),
    end: new Date(start + 120 * minuteMs).toISOString(),
    bookingDetails: { ...events.bookingDetails, capacityTotal: capacity },
  }
  const record = { id: eventId, document: JSON.stringify(document) }
  await putRecords(databases.DB, organisationId, 'events', [record])
  const settings = {
    signUpFields: [{ id: 'Full Name', required: true }],
    privacyNotice: 'https://oak.test/privacy',
  }
  const schema = { name: '', fields: personFields }
  await world.invoke((env) =>
    savePublicPages(world.openStore(env), schema, { enabled: true, settings }),
  )
  const event: OpenEvent = {
    capacity,
    visitors: Array.from({ length: random.integer(2, 5) }, (_, index) => ({
      email: `visitor-${index}@oak.test`,
      names: random.pick([[`A${index}`], [`A${index}`, `B${index}`]]),
      isAccepted: false,
      used: [],
    })),
  }
  world.invariants.push((database) => checkPlaces(database, event))
  return event
}

/** Signs a visitor up, often twice at the same time, and uses the links in the messages. */
export async function visit(world: World, visitor: Visitor): Promise<void> {
  const { simulation, mailbox } = world
  const { random } = simulation
  const times = random.integer(1, 2)
  await Promise.all(Array.from({ length: times }, () => signUpOnce(world, visitor)))
  for (let round = random.integer(0, 3); round > 0; round--) {
    await simulation.pause(random.integer(0, 2 * minuteMs))
    const texts = mailbox.flatMap(({ to, text }) => (to === visitor.email ? [text] : []))
    const secrets = texts.flatMap((text) => [...text.matchAll(/\/bookings\/([0-9a-f]{64})$/gm)])
    if (secrets.length === 0) continue
    const secret = secrets[random.integer(0, secrets.length - 1)]?.[1] ?? ''
    const use = random.pick(['confirm', 'confirm', 'accept', 'cancel'])
    const isUsed = await attempt(async () => {
      await world.invoke((env) => uses[use](openPages(world, env), secret))
      return true
    })
    if (isUsed) visitor.used.push({ secret, use })
  }
}

async function signUpOnce(world: World, visitor: Visitor): Promise<void> {
  const { simulation } = world
  const { email, names } = visitor
  await simulation.pause(simulation.random.integer(0, world.maxPauseMs))
  const input = {
    eventId,
    isVolunteer: false,
    token: crypto.randomUUID(),
    consent: true,
    contact: { name: names[0] ?? '', email },
    attendees: names.map((name) => ({ values: { 'Full Name': name } })),
  }
  const result = await attempt(() => world.invoke((env) => signUp(openPages(world, env), input)))
  visitor.isAccepted ||= result !== undefined
}

/** The context of a request to the public pages. */
const openPages = (world: World, env: Bindings) => ({
  store: openPublicStore(env, world.organisationId),
  geography: env.GEOGRAPHY,
  origin: 'https://pages.oak.test',
  network: 'library',
  mail: openMail(env),
  runInBackground: (task: () => Promise<void>) => void attempt(task).catch(world.simulation.fail),
})

/** Gives, offers and takes places, as staff do in the dashboard. */
export async function staffEvent(world: World): Promise<void> {
  const { simulation } = world
  const { random } = simulation
  for (let round = random.integer(1, 4); round > 0; round--) {
    await simulation.pause(random.integer(0, minuteMs))
    const bookings = world.home.inspect<{ id: string }>(
      "SELECT id FROM records WHERE collection = 'bookings' ORDER BY row",
    )
    const { id } = bookings[random.integer(0, bookings.length - 1)] ?? {}
    if (id === undefined) continue
    const act = random.pick(['give', 'give', 'offer', 'offer', 'withdraw', 'cancel'])
    await attempt(() =>
      world.invoke(async (env) => {
        const context = { store: world.openStore(env), mail: openMail(env) }
        if (act === 'give') return givePlace(context, eventId, id)
        if (act === 'offer') return offerPlace(context, eventId, id)
        if (act === 'withdraw') return withdrawOffer(context, eventId, [id])
        return cancelBooking(context, eventId, [id])
      }),
    )
  }
}

/** Runs the part of the schedule that is about sign-ups, in every database. */
export async function runEventSchedule(world: World): Promise<void> {
  // Each fifth minute offers places to people who wait.
  const now = Math.floor(world.simulation.now() / (5 * minuteMs)) * 5 * minuteMs
  await attempt(() =>
    world.invoke(async (env) => {
      for (const [, DB] of listDatabases(env)) await runSignUps({ ...env, DB }, now)
    }),
  )
}

const selectBookings = "FROM records WHERE collection = 'bookings'"

/** Throws if a database has given a place twice, or somebody two bookings. */
function checkPlaces(database: SqliteDatabase, { capacity }: OpenEvent): void {
  const live = database.inspect<{ name: string; attending: number }>(
    `SELECT document ->> '$.userName' AS name, document ->> '$.attending' AS attending ${selectBookings}
      AND document ->> '$.userStatus' NOT IN ('cancelled', 'lapsed')`,
  )
  if (live.filter(({ attending }) => attending).length > capacity)
    throw new Error('A place was given twice.')
  if (new Set(live.map(({ name }) => name)).size < live.length)
    throw new Error('Somebody has two bookings.')
}

/** Whether places are held for a limited time, or sign-ups are not finished. */
export const hasOpenSignUps = ({ home }: World): boolean =>
  home.inspect(
    `SELECT 1 FROM sign_ups WHERE held_until IS NOT NULL UNION ALL SELECT 1 FROM sign_up_requests`,
  ).length > 0

/** Expects at the end that every acknowledged request was served, and that nobody waits for a free place. */
export function checkVisitors(world: World, { capacity, visitors }: OpenEvent): void {
  const { home, mailbox } = world
  const bookings = home.inspect<{ id: string; name: string; status: string; orderId: string }>(
    `SELECT id, document ->> '$.userName' AS name, document ->> '$.userStatus' AS status,
      document ->> '$.orderId' AS orderId ${selectBookings}`,
  )
  const statuses = new Map(bookings.map(({ id, status }) => [id, status]))
  for (const { email, names, isAccepted, used } of visitors) {
    const booked = names.filter((name) => bookings.some((booking) => booking.name === name))
    expect([0, names.length], 'Part of a sign-up is missing').toContain(booked.length)
    if (isAccepted) {
      expect(booked, 'An accepted sign-up is lost').toEqual(names)
      expect(
        mailbox.some(({ to }) => to === email),
        'A message is lost',
      ).toBe(true)
    }
    for (const { secret, use } of used) {
      const hash = createHash('sha256').update(`link:${secret}`).digest('hex')
      const [link] = home.inspect<{ id: string }>(
        'SELECT booking_id AS id FROM booking_links WHERE hash = ?',
        hash,
      )
      const status = statuses.get(link?.id ?? '')
      if (use === 'cancel') expect(status, 'A cancellation is lost').toBe('cancelled')
      else expect(['unconfirmed', 'pending'], 'A confirmation is lost').not.toContain(status)
    }
  }
  const held = bookings.filter(({ status }) =>
    ['unconfirmed', 'confirmed', 'offered'].includes(status),
  )
  const waiting = bookings.filter(({ status }) => status === 'waiting')
  for (const group of Map.groupBy(waiting, ({ orderId }) => orderId).values())
    expect(group.length, 'People wait for free places').toBeGreaterThan(capacity - held.length)
}
