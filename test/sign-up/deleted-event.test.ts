import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { erasePerson } from '../../src/admin/erase-person.ts'
import { operatorStore } from '../../src/admin/operator-store.ts'
import { restoreRecordAsOperator } from '../../src/admin/restore-record.ts'
import { loadCollection } from '../../src/resources/resources.ts'
import {
  cancelBookings,
  confirmAddress,
  readLinkedBooking,
} from '../../src/sign-up/booking-link.ts'
import { lapseHolds } from '../../src/sign-up/schedule.ts'
import { offerFreePlaces } from '../../src/sign-up/waiting-list.ts'
import { readVersions } from '../../src/store/history/versions.ts'
import { deleteRecord } from '../../src/store/write/delete.ts'
import { deleteAllOldVersions } from '../records/delete-all-old-versions.ts'
import { rows } from '../store/whole-index.ts'
import { inHours, newSite, secretsIn } from './site.ts'

const day = 24 * 3_600_000

type Site = Awaited<ReturnType<typeof newSite>>

const remove = async ({ id: organisationId }: Site, collection: string, id: string) => {
  const store = operatorStore(env.DB, organisationId)
  await deleteRecord(store, { collection, id, versions: undefined, cascade: true })
}

async function restore({ id: organisationId }: Site, collection: string, id: string) {
  const store = operatorStore(env.DB, organisationId)
  const { versions } = await readVersions(store, { collection, id })
  const { resource } = await loadCollection(collection)
  const version = Number(versions[0]?.version)
  return restoreRecordAsOperator(env, organisationId, resource, { id, version, cascade: true })
}

/** What belongs to the bookings and the event of an organisation besides their documents. */
const belongings = ({ id }: Site) =>
  Promise.all(
    ['sign_ups', 'booking_links', 'attendance_marks', 'event_questions'].map((table) =>
      rows(`SELECT * FROM ${table} WHERE organisation_id = ? ORDER BY 1, 2`, id),
    ),
  )

const attached = ({ id }: Site) =>
  rows('SELECT id FROM history WHERE organisation_id = ? AND attached IS NOT NULL', id)

/** An event with a question and three bookings: unconfirmed, confirmed and waiting. */
async function newBookedSite() {
  const site = await newSite({ capacityTotal: 2 })
  const question = { id: 'diet', label: 'Diet', purpose: 'To cook', required: false }
  await site.ask([{ ...question, deleteAfter: inHours(72).slice(0, 10) }])
  const secretOf = async (name: string) => {
    const attendee = { values: { 'Full Name': name }, questionAnswers: { diet: 'Vegan' } }
    await site.signUp([name], { attendees: [attendee] }, true)
    return secretsIn(site.sent.at(-1)?.text ?? '')[0] ?? ''
  }
  const ada = await secretOf('Ada')
  const bea = await secretOf('Bea')
  await confirmAddress(site.context(), bea)
  const cem = await secretOf('Cem')
  const ids: string[] = (await site.bookings()).map(({ bookingId }) => bookingId)
  await rows(
    "INSERT INTO attendance_marks VALUES (?, ?, 'approved', 1)",
    ...[site.id, String(ids[1])],
  )
  return { ...site, ada, bea, cem, ids }
}

test('a restored event has its sign-ups with links, answers and contacts again', async () => {
  const site = await newBookedSite()
  await rows('UPDATE booking_links SET is_family = 2 WHERE organisation_id = ?', site.id)
  await rows('UPDATE event_questions SET books_all_dates = 1 WHERE organisation_id = ?', site.id)
  const before = await belongings(site)
  await remove(site, 'events', 'event-1')
  expect((await belongings(site)).flat()).toEqual([])
  expect(await restore(site, 'events', 'event-1')).toEqual({ restored: { bookings: 3 }, left: [] })
  expect(await belongings(site)).toEqual(before)
  expect(await attached(site)).toEqual([])

  const cem = await readLinkedBooking(site.context().store, site.cem)
  expect(cem?.questionAnswers).toEqual({ diet: 'Vegan' })
  await confirmAddress(site.context(), site.ada)
  await cancelBookings(site.context(true), site.bea)
  expect(await site.states()).toEqual(['Ada confirmed', 'Bea cancelled', 'Cem offered'])
})

test('a place held by a restored booking falls free in its time', async () => {
  const site = await newBookedSite()
  await remove(site, 'events', 'event-1')
  await restore(site, 'events', 'event-1')
  await lapseHolds(env, Date.now() + 16 * 60_000)
  expect(await site.states()).toEqual(['Ada lapsed', 'Bea confirmed', 'Cem offered'])
})

test('a restored booking keeps its link if the person has signed up again', async () => {
  const site = await newBookedSite()
  await remove(site, 'bookings', String(site.ids[0]))
  await site.signUp(['Ada'], {}, true)
  expect(await restore(site, 'bookings', String(site.ids[0]))).toEqual({ restored: {}, left: [] })
  expect(await readLinkedBooking(site.context().store, site.ada)).toBeDefined()
  expect(await site.count('sign_ups')).toBe(4)
})

test('deleted sign-ups go with the previous versions, with an erased person, and after their day', async () => {
  const site = await newBookedSite()
  const [ada, bea, cem] = site.ids.map(String)
  await site.put('members', [{ id: 'm', document: { memberId: 'm', 'Full Name': 'Bea' } }])
  await site.change('Bea', { memberId: 'm' })
  for (const id of [ada, bea, cem]) await remove(site, 'bookings', String(id))
  expect(await attached(site)).toHaveLength(3)
  await erasePerson(env, { organisationId: site.id, kind: 'members', id: 'm' })
  expect(await attached(site)).toHaveLength(2)
  await deleteAllOldVersions(Date.now() + 4 * day)
  expect(await restore(site, 'bookings', String(ada))).toEqual({
    restored: {},
    left: [{ collection: 'bookings', id: ada }],
  })
  expect(await site.count('sign_ups')).toBe(0)
  await deleteAllOldVersions(Date.now() + 31 * day)
  expect(await attached(site)).toEqual([])
})

test('a sign-up without its erased contact gets no offer, and lets the next one pass', async () => {
  const site = await newSite({ capacityTotal: 1 })
  await site.signUp(['Ada'])
  const contact = { name: 'Bea', email: 'bea@oak.test' }
  await site.signUp(['Child'], { contact }, true)
  await site.signUp(['Cem'], {}, true)
  const mother = { memberId: 'mother', 'Full Name': 'Bea', Email: 'Bea@oak.test' }
  await site.put('members', [{ id: 'mother', document: mother }])
  await erasePerson(env, { organisationId: site.id, kind: 'members', id: 'mother' })
  site.sent.length = 0
  await site.change('Ada', { attending: false, userStatus: 'cancelled' })
  await offerFreePlaces(site.context(true), 'event-1')
  expect(await site.states()).toEqual(['Ada cancelled', 'Child waiting', 'Cem offered'])
  expect(site.sent.map(({ to }) => to)).toEqual(['cem@oak.test'])
})
