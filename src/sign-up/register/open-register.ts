import { ApiError } from '../../model/api-error.ts'
import type { StoredSignUpForm } from '../../store/sign-up/read-event.ts'
import type { Store } from '../../store/store.ts'
import { parseSignUpForm, type SignUpForm } from '../form.ts'

const stewardDays = 7

/** The earliest start of an event for a steward to take its register. */
export const earliestRegister = () =>
  new Date(Date.now() - stewardDays * 24 * 60 * 60 * 1000).toISOString()

/** Whether the caller may take the register of an event that starts at a time: who may write takes all of them. */
export const mayTakeRegister = ({ canWrite }: Store, start: string | null | undefined): boolean =>
  canWrite || (start ?? '') >= earliestRegister()

/** Whether the caller sees the members of bookings. */
export const seesMember = ({ canRead, policy }: Store): boolean =>
  canRead && policy.allowsCollection('members') && policy.showsProperty('bookings', 'memberId')

/** The form of an event whose register the caller takes, or of a series. Throws 404 for any other event as for one that does not exist. */
export function openRegister(
  store: Store,
  stored: StoredSignUpForm,
  takesSeries = false,
): SignUpForm {
  const form = parseSignUpForm(stored)
  if (!form || !mayTakeRegister(store, form.event.start))
    throw new ApiError('NOT_FOUND', 'There is no event with this eventId.')
  if (stored.isSeries && !takesSeries) throw new ApiError('NOT_FOUND', hasDates)
  return form
}

/** Why a series has no register. */
export const hasDates = 'This event has several dates, each with its own register.'
