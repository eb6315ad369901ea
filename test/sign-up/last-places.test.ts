import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { acceptOffer, cancelBookings, confirmAddress } from '../../src/sign-up/booking-link.ts'
import { lapseHolds } from '../../src/sign-up/schedule.ts'
import { signUp } from '../../src/sign-up/sign-up.ts'
import { runs } from '../runs.ts'
import { expectOrganisationIndex } from '../store/whole-index.ts'
import { newSite, secretsIn } from './site.ts'

test('of 150 people who sign up at once for the last 20 places, 20 get one and 130 wait in order', async () => {
  const site = await newSite({ capacityTotal: 20 })
  const names = Array.from({ length: 150 }, (_, index) => `P${index}`)
  let rowsRead = 0
  // One reader of the API beside ten people who sign up.
  const totals: number[] = []
  const readTotal = async () => {
    const response = await site.get('/bookings?attending=true&limit=1')
    totals.push((await response.json<{ total: number }>()).total)
  }
  const outcomes = await Promise.all(
    names.map(async (name, index) => {
      if (index % 10 === 0) await readTotal()
      const context = site.context()
      const { outcome } = await signUp(context, site.inputFor([name]))
      rowsRead += context.store.cost.rowsRead
      return outcome
    }),
  )
  expect(outcomes.filter((outcome) => outcome === 'confirmed')).toHaveLength(20)
  expect(totals.every((total) => total <= 20)).toBe(true)
  expect(totals).toHaveLength(15)
  const bookings = await site.bookings()
  expect(new Set(bookings.map(({ userName }) => userName))).toEqual(new Set(names))
  expect(bookings.map(({ userStatus }) => userStatus)).toEqual([
    ...Array(20).fill('confirmed'),
    ...Array(130).fill('waiting'),
  ])
  expect(bookings.filter(({ attending }) => attending)).toHaveLength(20)
  expect(rowsRead / 150).toBeLessThan(400)
  await expectOrganisationIndex(site.id)
})

const number = fc.nat(1000)
// The clock may also go back.
const hours = fc.integer({ min: -3, max: 40 })

/** A group that signs up, a use of one of the links so far, the passing of time, or a booking of another system. */
const steps = fc.array(
  fc.oneof(
    fc.record({ signUp: fc.integer({ min: 1, max: 3 }), isVolunteer: fc.boolean() }),
    fc.record({ use: fc.constantFrom('confirm', 'accept', 'cancel', 'cancel'), link: number }),
    fc.record({ lapseAfterHours: hours }),
    fc.record({ together: fc.integer({ min: 2, max: 4 }) }),
    fc.record({ imported: fc.constantFrom('waiting', 'confirmed') }),
  ),
  { minLength: 5, maxLength: 15 },
)

const uses = { confirm: confirmAddress, accept: acceptOffer, cancel: cancelBookings }

/** Somebody signs up for the only place after an imported booking that "waits". */
const importedBefore = [{ imported: 'waiting' as const }, { signUp: 1, isVolunteer: false }]

test('with cancellations, lapsed offers and imports, nobody gets a place that is not free, or waits for one that is', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(4), fc.nat(2), steps, async (capacity, volunteers, steps) => {
      const site = await newSite({
        capacityTotal: capacity,
        bookVolunteers: true,
        volunteerCapacityTotal: volunteers,
      })
      let count = 0
      const sign = (people: number, isVolunteer: boolean) => {
        const names = Array.from({ length: people }, () => `P${++count}`)
        const contact = { name: 'Ada', email: `${crypto.randomUUID()}@oak.test` }
        return site.signUp(names, { isVolunteer, contact }, true)
      }
      const imported = new Map<string, object>()
      let heldBefore = 0
      for (const step of steps) {
        if ('imported' in step) {
          const booking = newImported(`imported-${imported.size}`, step.imported)
          imported.set(booking.bookingId, booking)
          if (booking.attending) heldBefore++
          await site.put('bookings', [{ id: booking.bookingId, document: booking }])
        } else if ('signUp' in step) await sign(step.signUp, step.isVolunteer)
        else if ('together' in step)
          await Promise.all(Array.from({ length: step.together }, () => sign(1, false)))
        else if ('use' in step) {
          const secrets = site.sent.flatMap(({ text }) => secretsIn(text))
          const secret = secrets[step.link % secrets.length]
          // A link in another state is refused.
          if (secret) await uses[step.use](site.context(true), secret).catch(() => {})
        } else await lapseHolds(env, Date.now() + step.lapseAfterHours * 3_600_000)
        const all = await site.bookings()
        const held = (type: string) =>
          all.filter((booking) => booking.attending && booking.bookingType === type).length
        // Imports do not ask for a free place.
        expect(held('individual')).toBeLessThanOrEqual(Math.max(capacity, heldBefore))
        expect(held('volunteer')).toBeLessThanOrEqual(volunteers)
        heldBefore = held('individual')
        expect(all.filter(({ bookingId }) => imported.has(bookingId))).toEqual([
          ...imported.values(),
        ])
        const bookings = all.filter(({ bookingId }) => !imported.has(bookingId))
        expect(bookings.filter(({ attending }) => attending)).toEqual(
          bookings.filter(({ userStatus }) =>
            ['unconfirmed', 'confirmed', 'offered'].includes(userStatus),
          ),
        )
        expectOrder(bookings, {
          individual: capacity - held('individual'),
          volunteer: volunteers - held('volunteer'),
        })
      }
      await expectOrganisationIndex(site.id)
    }),
    { ...runs(6), examples: [[1, 0, importedBefore]] },
  )
})

type Booking = Record<'userStatus' | 'bookingType' | 'orderId', string> & { attending: boolean }

/** A booking of another system. Its "waiting" is a text: the service offers it no place. */
const newImported = (bookingId: string, userStatus: string) => ({
  bookingId,
  eventId: 'event-1',
  memberId: '',
  userName: bookingId,
  userStatus,
  attending: userStatus === 'confirmed',
  bookingType: 'individual',
})

/** Expects that every waiting group is larger than the free places. */
function expectOrder(bookings: Booking[], free: Record<string, number>) {
  const waiting = bookings.filter(({ userStatus }) => userStatus === 'waiting')
  const orders = Map.groupBy(waiting, ({ orderId }) => orderId)
  for (const group of orders.values()) {
    expect(group.length).toBeGreaterThan(free[group[0]?.bookingType ?? ''] ?? 0)
  }
}
