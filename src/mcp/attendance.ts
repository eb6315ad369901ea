import * as z from 'zod'
import { invalidField } from '../model/api-error.ts'
import { londonDay } from '../model/timestamp.ts'
import { requireAttendance } from '../resources/routes/add-not-marked.ts'
import { findWhoCame, type WhoCame } from '../store/sign-up/attendance-rule.ts'
import type { Store } from '../store/store.ts'

export const cameDescription =
  'Counts only the bookings of people who came. Use it for attendance: `attending` of a booking also says that somebody booked.'

/** The input that limits bookings to those of people who came. */
export const cameInput = z.literal(true).optional().meta({ description: cameDescription })

/** Which bookings are of people who came. Throws 400 for another collection, and if the policy hides what decides it. */
export async function findAttendance(store: Store, collection: string): Promise<WhoCame> {
  if (collection !== 'bookings')
    throw invalidField('came', 'not_allowed', 'can be given only for bookings.')
  requireAttendance(store, 'came')
  return findWhoCame<never>(store, { today: londonDay(Date.now()), within: [] })
}
