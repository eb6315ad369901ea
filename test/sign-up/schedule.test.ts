import { env } from 'cloudflare:workers'
import { beforeEach, expect, test } from 'vitest'
import { confirmAddress, readLinkedBooking } from '../../src/sign-up/booking-link.ts'
import { deleteOldSignUps, lapseHolds, runSignUps } from '../../src/sign-up/schedule.ts'
import { setMovingTo } from '../organisation.ts'
import { rows } from '../store/whole-index.ts'
import { inHours, newSite, secretsIn } from './site.ts'

const minute = 60_000
const day = 24 * 60 * minute

// The schedule is for all organisations, so those of other tests would use up its limits.
beforeEach(async () => void (await env.DB.exec('DELETE FROM sign_ups')))

test('an address that is not confirmed in 15 minutes loses its places to the next who waits', async () => {
  const site = await newSite({ capacityTotal: 2 })
  const now = Date.now()
  await site.signUp(['Ada'], {}, true)
  await site.signUp(['Bea'])
  await site.signUp(['Cem'], {}, true)
  const [ada = ''] = site.sent.flatMap(({ text }) => secretsIn(text))
  await lapseHolds(env, now + 14 * minute)
  expect(await site.states()).toEqual(['Ada unconfirmed', 'Bea confirmed', 'Cem waiting'])
  await lapseHolds(env, now + 16 * minute)
  expect(await site.states()).toEqual(['Ada lapsed', 'Bea confirmed', 'Cem offered'])
  await expect(confirmAddress(site.context(), ada)).rejects.toMatchObject({ type: 'CONFLICT' })
  await lapseHolds(env, now + 25 * 60 * minute)
  expect(await site.states()).toEqual(['Ada lapsed', 'Bea confirmed', 'Cem lapsed'])
})

test('sign-ups that nobody has confirmed hold at most half of the places', async () => {
  const site = await newSite({ capacityTotal: 4 })
  for (const name of ['Ada', 'Bea', 'Cem', 'Dan', 'Eve', 'Fay']) await site.signUp([name], {}, true)
  const held = ['Ada unconfirmed', 'Bea unconfirmed']
  expect(await site.states()).toEqual([
    ...held,
    'Cem pending',
    'Dan pending',
    'Eve pending',
    'Fay pending',
  ])
  expect(site.sent.at(-1)?.text).toContain('no place is held for you until then')
  const secrets = site.sent.flatMap(({ text }) => secretsIn(text))
  for (const index of [5, 3, 2]) await confirmAddress(site.context(), secrets[index] ?? '')
  expect(await site.states()).toEqual([
    ...held,
    'Cem waiting',
    'Dan confirmed',
    'Eve pending',
    'Fay confirmed',
  ])
  await lapseHolds(env, Date.now() + 16 * minute)
  expect(await site.states()).toEqual([
    'Ada lapsed',
    'Bea lapsed',
    'Cem offered',
    'Dan confirmed',
    'Eve lapsed',
    'Fay confirmed',
  ])
})

test('an offer ends when the event begins', async () => {
  const site = await newSite(
    { capacityTotal: 1 },
    { event: { start: inHours(1), end: inHours(2) } },
  )
  await site.signUp(['Ada'])
  const { links } = await site.signUp(['Bea'])
  await site.change('Ada', { attending: false, userStatus: 'cancelled' })
  await runSignUps(env, 5 * minute)
  const booking = await readLinkedBooking(site.context().store, links[0]?.secret ?? '')
  expect(booking?.booking.userStatus).toBe('offered')
  expect(booking?.heldUntil).toBe(booking?.event?.start)
})

test('a place that staff free is offered, unless the pages are off', async () => {
  const [site, off] = [await newSite({ capacityTotal: 1 }), await newSite({ capacityTotal: 1 })]
  for (const one of [site, off]) {
    await one.signUp(['Ada'])
    await one.signUp(['Bea'])
    await one.change('Ada', { attending: false, userStatus: 'cancelled' })
  }
  await off.switchOff()
  await runSignUps(env, 4 * minute)
  expect(await site.states()).toEqual(['Ada cancelled', 'Bea waiting'])
  await runSignUps(env, 5 * minute)
  expect(await site.states()).toEqual(['Ada cancelled', 'Bea offered'])
  expect(await off.states()).toEqual(['Ada cancelled', 'Bea waiting'])
})

test('a booking that staff move waits at its new event', async () => {
  const site = await newSite({ capacityTotal: 1 })
  const [event] = await rows(
    "SELECT document FROM records WHERE organisation_id = ? AND collection = 'events'",
    site.id,
  )
  const other = { ...JSON.parse(String(event?.document)), eventId: 'event-2' }
  await site.put('events', [{ id: 'event-2', document: other }])
  await site.signUp(['Ada'])
  await site.signUp(['Bea'])
  await site.change('Bea', { eventId: 'event-2' })
  // The same person may book the first event again, and be moved as well.
  await site.signUp(['Bea'])
  await runSignUps(env, 5 * minute)
  expect(await site.states()).toEqual(['Ada confirmed', 'Bea offered', 'Bea waiting'])
})

test('nothing is done for an organisation that is moving', async () => {
  const site = await newSite({ capacityTotal: 1 })
  await site.signUp(['Ada'], {}, true)
  await site.signUp(['Bea'], {}, true)
  await setMovingTo(site.id, 'DB_1')
  const later = Date.now() + 100 * day
  await runSignUps(env, later - (later % (5 * minute)))
  expect(await site.states()).toEqual(['Ada unconfirmed', 'Bea waiting'])
  await setMovingTo(site.id, null)
  await runSignUps(env, later)
  expect(await site.states()).not.toContain('Ada unconfirmed')
})

test('counts of messages are deleted after their day', async () => {
  await env.DB.exec("INSERT INTO sent_mail VALUES ('2001-01-01', 'a', 1), ('2001-01-02', 'a', 1)")
  await runSignUps(env, Date.parse('2001-01-02'))
  const { results } = await env.DB.prepare("SELECT day FROM sent_mail WHERE day < '2002'").all()
  expect(results).toEqual([{ day: '2001-01-02' }])
})

test('the data of people who did not come is deleted 30 days after the event', async () => {
  const site = await newSite({ capacityTotal: 2 })
  const contact = { name: 'Zoë', email: 'zoe@oak.test' }
  const { links } = await site.signUp(['Ada', 'Bea'], { contact })
  await site.signUp(['Cem'], { contact })
  await site.change('Bea', { memberId: 'm1' })
  const end = Date.parse((await site.bookings())[0]?.end)
  await deleteOldSignUps(env, end + 29 * day)
  expect(await site.count('sign_ups')).toBe(3)
  await deleteOldSignUps(env, end + 31 * day)
  expect([await site.count('sign_ups'), await site.count('booking_links')]).toEqual([0, 0])
  expect(await readLinkedBooking(site.context().store, links[0]?.secret ?? '')).toBeUndefined()
  const bookings = await site.bookings()
  expect(
    bookings.map(({ userName, userStatus, memberId }) => [userName, userStatus, memberId]),
  ).toEqual([
    ['', 'confirmed', ''],
    ['Bea', 'confirmed', 'm1'],
    ['', 'lapsed', ''],
  ])
})

test('answers to a question are deleted after its day, and an event that moves keeps the rest', async () => {
  const tomorrow = inHours(24).slice(0, 10)
  const question = { label: 'Diet', purpose: 'To cook', required: false }
  const site = await newSite()
  await site.ask([
    { ...question, id: 'diet', deleteAfter: tomorrow },
    { ...question, id: 'access', deleteAfter: inHours(24 * 60).slice(0, 10) },
  ])
  const questionAnswers = { diet: 'Vegan', access: 'Ramp' }
  const attendees = [{ values: { 'Full Name': 'Ada' }, questionAnswers }]
  const { links } = await site.signUp(['Ada'], { attendees })
  const read = async () =>
    (await readLinkedBooking(site.context().store, links[0]?.secret ?? ''))?.questionAnswers
  await deleteOldSignUps(env, Date.parse(tomorrow))
  expect(await read()).toEqual(questionAnswers)
  await deleteOldSignUps(env, Date.parse(tomorrow) + 2 * day)
  expect(await read()).toEqual({ access: 'Ramp' })
  // A question with an earlier day loses its answers on that day.
  await site.ask([{ ...question, id: 'access', deleteAfter: inHours(24 * 55).slice(0, 10) }])
  await expect(site.ask([{ ...question, id: 'a b', deleteAfter: 'soon' }])).rejects.toMatchObject({
    errors: [{ field: '0.id' }, { field: '0.deleteAfter' }],
  })
  await site.changeEvent({ end: inHours(24 * 50) })
  await deleteOldSignUps(env, Date.now() + 45 * day)
  expect(await read()).toEqual({ access: 'Ramp' })
  await deleteOldSignUps(env, Date.now() + 100 * day)
  expect(await site.count('sign_ups')).toBe(0)
})

test('answers to the questions of a series are deleted some days after each date, or with the question', async () => {
  const question = { label: 'Diet', purpose: 'To cook', required: true }
  const site = await newSite()
  await site.makeDateOf('weekly')
  await site.ask(
    [
      { ...question, id: 'diet', deleteDaysAfter: 7 },
      { ...question, id: 'access', deleteDaysAfter: 20 },
      { ...question, id: 'photo', deleteDaysAfter: 20 },
    ],
    'weekly',
  )
  await expect(site.signUp(['Bea'])).rejects.toMatchObject({
    errors: ['diet', 'access', 'photo'].map((id) => ({ field: `attendees.0.${id}` })),
  })
  const questionAnswers = { diet: 'Vegan', access: 'Ramp', photo: 'No' }
  const attendees = [{ values: { 'Full Name': 'Ada' }, questionAnswers }]
  const { links } = await site.signUp(['Ada'], { attendees })
  const read = async () =>
    (await readLinkedBooking(site.context().store, links[0]?.secret ?? ''))?.questionAnswers
  const ends = Date.parse(inHours(50))
  await deleteOldSignUps(env, ends + 6 * day)
  expect(await read()).toEqual(questionAnswers)
  await deleteOldSignUps(env, ends + 9 * day)
  expect(await read()).toEqual({ access: 'Ramp', photo: 'No' })
  // The series no longer asks one, and keeps the answers to the other for fewer days.
  await site.ask([{ ...question, id: 'access', deleteDaysAfter: 10 }], 'weekly')
  expect(await read()).toEqual({ access: 'Ramp' })
  await deleteOldSignUps(env, ends + 12 * day)
  expect(await read()).toEqual({})
  for (const deleteDaysAfter of [-1, 31, 1.5])
    await expect(
      site.ask([{ ...question, id: 'diet', deleteDaysAfter }], 'weekly'),
    ).rejects.toMatchObject({ errors: [{ field: '0.deleteDaysAfter' }] })
})
