import { env } from 'cloudflare:workers'
import { beforeEach, expect, test, vi } from 'vitest'
import { formatDay } from '../../src/model/dates.ts'
import { fromLondon, londonDay } from '../../src/model/timestamp.ts'
import {
  acceptOffer,
  cancelBookings,
  confirmAddress,
  readLinkedBooking,
} from '../../src/sign-up/booking-link.ts'
import { queueReminders } from '../../src/sign-up/mailings/reminders.ts'
import { sendDueMessages } from '../../src/sign-up/mailings/send-due.ts'
import { offerFreePlaces } from '../../src/sign-up/waiting-list.ts'
import { muteLog } from '../logs/mute.ts'
import { setMovingTo } from '../organisation.ts'
import { inHours, newSite, secretsIn } from './site.ts'

const minute = 60_000

// The schedule is for all organisations, so those of other tests would use up its limits.
beforeEach(() => env.DB.prepare('DELETE FROM mailings').run())

type Site = Awaited<ReturnType<typeof newSite>>

/** Signs a family up, confirms its address, and forgets the message that asked for it. */
async function bookFamily(site: Site, ...names: string[]) {
  await site.signUp(names, {}, true)
  const [secret = ''] = secretsIn(site.sent.at(-1)?.text ?? '')
  await confirmAddress(site.context(true), secret)
  await confirmAddress(site.context(true), secret)
  site.sent.length = 0
}

const states = async ({ id }: Site) => {
  const { results } = await env.DB.prepare(
    'SELECT state, due FROM mailing_messages WHERE organisation_id = ? ORDER BY address',
  )
    .bind(id)
    .all<{ state: string; due: string | null }>()
  return results.map(({ state, due }) => (due === null ? state : `${state}, due`))
}

test('a sign-up for a series holds a place on each date that is not full, and has one link', async () => {
  const site = await newSite({ capacityTotal: 4 })
  await site.makeSeries(3)
  await site.signUp(['Zoe', 'Yan', 'Xia'], { eventId: 'date-1' })
  const eventId = 'series'
  await site.signUp(['Ada', 'Bea'], { eventId }, true)
  const letter = site.sent.at(-1)?.text ?? ''
  expect(letter).toContain('These dates are full, so you are on the waiting list for them: ')
  const [secret = '', ...others] = secretsIn(letter)
  expect(others).toEqual([])
  const family = async (of = secret, chosenId?: string) =>
    (await readLinkedBooking(site.context().store, of, chosenId))?.family.map(
      ({ booking }) => `${booking.userName} ${booking.eventId} ${booking.userStatus}`,
    )
  await confirmAddress(site.context(true), secret)
  expect(await family()).toEqual([
    ...['Ada date-0 confirmed', 'Bea date-0 confirmed'],
    ...['Ada date-2 confirmed', 'Bea date-2 confirmed'],
    ...['Ada date-1 waiting', 'Bea date-1 waiting'],
  ])
  site.sent.length = 0
  await sendDueMessages(site.env, Date.now())
  const [booked] = site.sent
  expect(site.sent).toHaveLength(1)
  expect(booked?.text).toContain('Ada and Bea are booked for Lunch club')
  const periods = [0, 2].map((index) => describePeriod(inHours(48 + index * 7 * 24)))
  for (const period of periods) expect(booked?.text).toContain(period)
  expect(booked?.text).not.toContain(describePeriod(inHours(48 + 7 * 24)))
  const [again = ''] = secretsIn(booked?.text ?? '')
  expect(await family(again)).toEqual(await family())
  await cancelBookings(site.context(true), again, 'date-2')
  expect(await family(again, 'date-2')).toEqual(['Ada date-2 cancelled', 'Bea date-2 cancelled'])
  expect(await family(again, 'date-0')).toEqual(['Ada date-0 confirmed', 'Bea date-0 confirmed'])
  await cancelBookings(site.context(true), again)
  expect((await family())?.filter((line) => !line.endsWith('cancelled'))).toEqual([])
  // Without mail, a link leads to nothing but its own sign-up, whatever address was given.
  const contact = { name: 'Eve', email: 'ada@oak.test' }
  const { links } = await site.signUp(['Eve', 'Fay'], { eventId, contact })
  expect(links.map(({ name }) => name)).toEqual(['Eve and Fay'])
  expect((await family(links[0]?.secret))?.filter((line) => /Ada|Bea/.test(line))).toEqual([])
  expect(await family(links[0]?.secret)).toHaveLength(6)
})

/** The day of an event, as messages name it. */
const describePeriod = (start: string) => formatDay(londonDay(start))

test('a family that has confirmed gets one message, with one link for all of them', async () => {
  const site = await newSite({ capacityTotal: 4 })
  await bookFamily(site, 'Ada', 'Bea', 'Cem')
  expect(site.sent).toEqual([])
  await sendDueMessages(site.env, Date.now())
  await sendDueMessages(site.env, Date.now() + minute)
  const [message] = site.sent
  expect(site.sent).toHaveLength(1)
  expect(message).toMatchObject({ to: 'ada@oak.test', subject: 'You are booked: Lunch club' })
  expect(message?.text).toMatch(/^Hello Ada,\n\nAda, Bea and Cem are booked for Lunch club:\n/)
  expect(message?.text).toContain('Map:\nhttps://www.openstreetmap.org/search?query=')
  expect(message?.text).toContain('/calendar.ics')
  const [secret = ''] = secretsIn(message?.text ?? '')
  const { store } = site.context()
  const linked = await readLinkedBooking(store, secret)
  expect(linked?.family.map(({ booking }) => booking.userName)).toEqual(['Ada', 'Bea', 'Cem'])
  const bea = linked?.family[1]?.bookingId ?? ''
  expect(await readLinkedBooking(store, secret, bea)).toMatchObject({
    booking: { userName: 'Bea' },
    family: [{ bookingId: bea }],
  })
  await cancelBookings(site.context(true), secret, bea)
  expect(await site.states()).toEqual(['Ada confirmed', 'Bea cancelled', 'Cem confirmed'])
  await cancelBookings(site.context(true), secret)
  await cancelBookings(site.context(true), secret)
  expect(await site.states()).toEqual(['Ada cancelled', 'Bea cancelled', 'Cem cancelled'])
})

test('a family’s link leads to no booking of somebody else, or for another event', async () => {
  const site = await newSite({ capacityTotal: 9 })
  await bookFamily(site, 'Ada')
  await bookFamily(site, 'Eve')
  const contact = { name: 'Ada', email: 'ADA@oak.test' }
  await site.signUp(['Bea'], { contact })
  await sendDueMessages(site.env, Date.now())
  const [secret = ''] = secretsIn(site.sent.find(({ to }) => to.startsWith('ada'))?.text ?? '')
  const { store } = site.context()
  const linked = await readLinkedBooking(store, secret)
  expect(linked?.family.map(({ booking }) => booking.userName)).toEqual(['Ada', 'Bea'])
  const eve = (await site.bookings()).find(({ userName }) => userName === 'Eve')
  expect(await readLinkedBooking(store, secret, eve?.bookingId)).toBeUndefined()
  await site.change('Bea', { eventId: 'event-2' })
  expect((await readLinkedBooking(store, secret))?.family).toHaveLength(1)
})

test('who accepts an offered place gets the message, and nobody without mail', async () => {
  const site = await newSite({ capacityTotal: 1 })
  await site.signUp(['Ada'])
  expect(await states(site)).toEqual([])
  await site.signUp(['Bea'], {}, true)
  await site.change('Ada', { attending: false, userStatus: 'cancelled' })
  await offerFreePlaces(site.context(true), 'event-1')
  const [secret = ''] = secretsIn(site.sent.at(-1)?.text ?? '')
  await acceptOffer(site.context(true), secret)
  await sendDueMessages(site.env, Date.now())
  expect(site.sent.at(-1)).toMatchObject({
    to: 'bea@oak.test',
    subject: 'You are booked: Lunch club',
  })
})

test('who gives up the place before the message is sent gets none', async () => {
  const site = await newSite({ capacityTotal: 4 })
  await bookFamily(site, 'Ada')
  await site.change('Ada', { attending: false, userStatus: 'cancelled' })
  await sendDueMessages(site.env, Date.now())
  expect(site.sent).toEqual([])
  expect(await states(site)).toEqual(['unneeded'])
})

test('a refused message is tried again, at most eight times', async () => {
  const site = await newSite({ capacityTotal: 4 })
  await bookFamily(site, 'Ada')
  muteLog()
  const send = vi.spyOn(site.mail, 'send').mockRejectedValueOnce(new Error('refused'))
  const now = Date.now()
  await sendDueMessages(site.env, now)
  await sendDueMessages(site.env, now + minute)
  expect(await states(site)).toEqual(['queued, due'])
  await sendDueMessages(site.env, now + 3 * minute)
  expect(site.sent).toHaveLength(1)
  expect(await states(site)).toEqual(['sent'])
  await bookFamily(site, 'Bea')
  send.mockReset().mockRejectedValue(new Error('refused'))
  for (let minutes = 1; minutes <= 600; minutes += 3)
    await sendDueMessages(site.env, now + minutes * minute)
  expect(send).toHaveBeenCalledTimes(8)
  expect(await states(site)).toEqual(['sent', 'failed'])
})

test('a message is not sent again when the Worker is stopped between sending and storing it', async () => {
  const site = await newSite({ capacityTotal: 4 })
  await bookFamily(site, 'Ada')
  const prepare = env.DB.prepare.bind(env.DB)
  const failing = vi.spyOn(env.DB, 'prepare').mockImplementation((query) => {
    if (query.includes("state IN ('queued', 'sending')")) throw new Error('stopped')
    return prepare(query)
  })
  muteLog()
  const now = Date.now()
  await sendDueMessages(site.env, now)
  failing.mockRestore()
  expect(site.sent).toHaveLength(1)
  for (let minutes = 1; minutes <= 60; minutes += 5)
    await sendDueMessages(site.env, now + minutes * minute)
  expect(site.sent).toHaveLength(1)
  expect(await states(site)).toEqual(['uncertain'])
})

test('a message is sent later when the Worker is stopped before sending it', async () => {
  const site = await newSite({ capacityTotal: 4 })
  await bookFamily(site, 'Ada')
  const prepare = env.DB.prepare.bind(env.DB)
  const failing = vi.spyOn(env.DB, 'prepare').mockImplementation((query) => {
    if (query.includes("SET state = 'sending'")) throw new Error('stopped')
    return prepare(query)
  })
  muteLog()
  const now = Date.now()
  await sendDueMessages(site.env, now)
  failing.mockRestore()
  expect(site.sent).toEqual([])
  await sendDueMessages(site.env, now + 16 * minute)
  await sendDueMessages(site.env, now + 32 * minute)
  expect(site.sent).toHaveLength(1)
})

test('two runs that overlap send a message once', async () => {
  const site = await newSite({ capacityTotal: 9 })
  for (const name of ['Ada', 'Bea', 'Cem']) await bookFamily(site, name)
  const now = Date.now()
  await Promise.all([1, 2, 3].map(() => sendDueMessages(site.env, now)))
  expect(site.sent.map(({ to }) => to).toSorted()).toEqual(
    ['ada', 'bea', 'cem'].map((name) => `${name}@oak.test`),
  )
})

/** A site with an event the day after tomorrow at noon, and the time when its reminder is due. */
async function newSiteWithReminders(settings = { remindsDayBefore: true }) {
  const day = londonDay(Date.now() + 48 * 60 * minute)
  const start = String(fromLondon(`${day}T12:00`))
  const end = String(fromLondon(`${day}T14:00`))
  const site = await newSite({ capacityTotal: 9 }, { settings, event: { start, end } })
  const due = Date.parse(start) - 26 * 60 * minute
  /** Runs the schedule as if it were another time, then sends what it has queued. */
  const remind = async (time = due) => {
    await queueReminders(site.env, time)
    await sendDueMessages(site.env, Date.now() + minute)
    return site.sent.splice(0).map(({ to, subject }) => `${to} ${subject}`)
  }
  return { ...site, due, remind, start }
}

test('families are reminded once, the day before, with a link to give up their places', async () => {
  const site = await newSiteWithReminders()
  await site.signUp(['Ada', 'Bea'], { contact: { name: 'Ada', email: 'ada@oak.test' } })
  await site.signUp(['Cem'])
  await site.signUp(['Dan'])
  await site.change('Dan', { attending: false, userStatus: 'cancelled' })
  const { due, remind } = site
  expect(await remind(due - 3 * 60 * minute)).toEqual([])
  expect(await remind(due - 24 * 60 * minute)).toEqual([])
  await Promise.all([1, 2].map(() => queueReminders(site.env, due)))
  await sendDueMessages(site.env, Date.now() + minute)
  const [message] = site.sent
  expect(message?.text).toMatch(
    /^Hello Ada,\n\nAda and Bea are booked.*Cannot come\? Give up the places/s,
  )
  expect(message?.text).toMatch(/\/bookings\/[0-9a-f]{64}\/cancel$/m)
  expect(site.sent.splice(0).map(({ to, subject }) => `${to} ${subject}`)).toEqual([
    'ada@oak.test Tomorrow: Lunch club',
    'cem@oak.test Tomorrow: Lunch club',
  ])
  await site.signUp(['Eve'])
  for (const minutes of [11, 22, 300]) expect(await remind(due + minutes * minute)).toEqual([])
  const [secret = ''] = secretsIn(message?.text ?? '')
  await cancelBookings(site.context(), secret)
  expect((await site.states()).slice(0, 3)).toEqual([
    'Ada cancelled',
    'Bea cancelled',
    'Cem confirmed',
  ])
})

test('nobody is reminded where the organisation does not want it, or the event is over', async () => {
  const silent = await newSiteWithReminders({ remindsDayBefore: false })
  await silent.signUp(['Ada'])
  expect(await silent.remind()).toEqual([])
  const over = await newSiteWithReminders()
  await over.signUp(['Ada'])
  await over.changeEvent({ start: over.start, concluded: '2026-01-01T00:00:00.000Z' })
  expect(await over.remind()).toEqual([])
})

test('a message waits while its organisation moves, and is given up after a day', async () => {
  const site = await newSite({ capacityTotal: 4 })
  await bookFamily(site, 'Ada')
  await setMovingTo(site.id, 'DB_1')
  await sendDueMessages(site.env, Date.now())
  expect(await states(site)).toEqual(['queued, due'])
  await setMovingTo(site.id, null)
  await sendDueMessages(site.env, Date.now() + 25 * 60 * minute)
  expect(site.sent).toEqual([])
  expect(await states(site)).toEqual(['failed'])
})

test('a message is deleted with the last sign-up that it is about', async () => {
  const site = await newSite({ capacityTotal: 4 })
  await bookFamily(site, 'Ada', 'Bea')
  await sendDueMessages(site.env, Date.now())
  const [ada, bea] = await site.bookings()
  const remove = (id: string) =>
    env.DB.prepare('DELETE FROM sign_ups WHERE organisation_id = ? AND booking_id = ?')
      .bind(site.id, id)
      .run()
  await remove(ada?.bookingId)
  expect(await states(site)).toEqual(['sent'])
  await remove(bea?.bookingId)
  expect(await states(site)).toEqual([])
})
