import { expect, test } from 'vitest'
import { readRegister } from '../../../src/sign-up/register/register.ts'
import { maxRegisterBookings } from '../../../src/store/sign-up/register.ts'
import { newSignedIn } from '../../dashboard/signed-in.ts'
import { newSite } from '../site.ts'

const booked = 2000

test('the register of an event with 2,000 bookings reads the first 1,000, and its sheet says so', async () => {
  const site = await newSite()
  await site.put(
    'bookings',
    Array.from({ length: booked }, (_, index) => ({
      id: `booking-${index}`,
      document: {
        bookingId: `booking-${index}`,
        eventId: 'event-1',
        userName: `Person ${index}`,
        attending: true,
      },
    })),
  )
  const { store } = site.context()
  const before = store.cost.rowsRead
  const register = await readRegister(store, 'event-1')
  expect(register.isCut).toBe(true)
  const { html } = await newSignedIn('steward', site)
  const sheet = await html('/events/event-1/sheet')
  expect(sheet).toContain('Only the first 1,000 bookings are on this sheet.')
  expect(sheet.match(/>Person \d+</g)).toHaveLength(maxRegisterBookings)
  expect(new Set(register.entries.map(({ bookingId }) => bookingId))).toEqual(
    new Set(Array.from({ length: maxRegisterBookings }, (_, index) => `booking-${index}`)),
  )
  // Each shown booking is a record, with up to one sign-up and one member.
  expect(store.cost.rowsRead - before).toBeLessThanOrEqual(3 * maxRegisterBookings)
}, 120_000)
