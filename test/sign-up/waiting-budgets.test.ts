import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { readLinkedBooking } from '../../src/sign-up/booking-link.ts'
import { signUp } from '../../src/sign-up/sign-up.ts'
import { readPlaces } from '../../src/store/sign-up/places.ts'
import { readBookingsToRemind } from '../../src/store/sign-up/reminders.ts'
import { takeEventsWithWaiting } from '../../src/store/sign-up/schedule.ts'
import { trustedStore } from '../../src/store/trusted-store.ts'
import { large } from '../runs.ts'
import { newSite } from './site.ts'

test('bookings from elsewhere that say they wait cost a reminder and a sign-up for a series nothing', async () => {
  const site = await newSite({ capacityTotal: 1 })
  for (let from = 0; from < large; from += 2500)
    await site.put(
      'bookings',
      Array.from({ length: 2500 }, (_, index) => {
        const id = `imported-${from + index}`
        const document = { bookingId: id, eventId: 'event-1', userStatus: 'waiting' }
        return { id, document: { ...document, attending: false } }
      }),
    )
  const { store } = site.context()
  const before = store.cost.rowsRead
  expect((await readPlaces(store, ['event-1'])).get('event-1')?.participants.left).toBe(1)
  expect(store.cost.rowsRead - before).toBeLessThanOrEqual(500)
  await site.signUp(['Ada'])
  const trusted = trustedStore(env.DB, site.id, { by: 'public page' })
  expect(await readBookingsToRemind(trusted, 'event-1', 'reminder')).toHaveLength(1)
  expect(trusted.cost.rowsRead).toBeLessThanOrEqual(50)
  await site.makeSeries(40)
  const context = site.context()
  const { links } = await signUp(
    context,
    site.inputFor(['Ada', 'Bea', 'Cem'], { eventId: 'series' }),
  )
  expect(context.store.cost.rowsRead).toBeLessThanOrEqual(18_000)
  const { store: reader } = site.context()
  expect((await readLinkedBooking(reader, links[0]?.secret ?? ''))?.family).toHaveLength(120)
  expect(reader.cost.rowsRead).toBeLessThanOrEqual(1000)
}, 120_000)

test('each of many events with people who wait has its turn', async () => {
  const site = await newSite({ capacityTotal: 1 })
  await site.signUp(['Ada'])
  await site.signUp(['Bea'])
  const ids = Array.from({ length: 250 }, (_, index) => `copy-${index}`)
  const [event] = (
    await env.DB.prepare(
      "SELECT document FROM records WHERE organisation_id = ? AND collection = 'events' AND id = 'event-1'",
    )
      .bind(site.id)
      .all<{ document: string }>()
  ).results
  const document = JSON.parse(String(event?.document))
  await site.put(
    'events',
    ids.map((id) => ({ id, document: { ...document, eventId: id } })),
  )
  const booking = { attending: false, userStatus: 'waiting' }
  await site.put(
    'bookings',
    ids.map((id) => ({ id, document: { ...booking, bookingId: id, eventId: id } })),
  )
  await env.DB.prepare(
    `INSERT INTO sign_ups (organisation_id, booking_id, event_id, person_hash, contact, answers,
      question_answers, delete_after)
    SELECT ?1, value, value, value, '{}', '{}', '{}', '9999' FROM json_each(?2)`,
  )
    .bind(site.id, JSON.stringify(ids))
    .run()
  const served = new Set<string>()
  for (let turn = 1; turn <= 4; turn++) {
    const now = new Date(Date.now() + turn).toISOString()
    for (const { organisationId, eventId } of await takeEventsWithWaiting(env.DB, now))
      if (organisationId === site.id) served.add(eventId)
  }
  expect([...served].toSorted()).toEqual([...ids, 'event-1'].toSorted())
})
