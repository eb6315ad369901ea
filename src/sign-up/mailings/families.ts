import { normaliseEmail } from '../../model/properties/compare-people.ts'
import type { RegisterEntry } from '../register/register.ts'
import type { Audience } from './audience.ts'

/** The people of one contact, who get one message. */
export type Family = {
  /** The contact's name. */
  name: string
  /** One valid address; undefined if the contact has none. */
  email: string | undefined
  phone: string
  people: string[]
  bookingIds: string[]
}

/** The families with a booking in one of the audiences, in the order of the register. */
export function groupFamilies(
  entries: readonly RegisterEntry[],
  audiences: readonly Audience[],
): Family[] {
  const families = new Map<string, Family>()
  const isConcerned = (entry: RegisterEntry) =>
    audiences.some((audience) => isInAudience(entry, audience))
  for (const entry of entries.filter(isConcerned)) {
    const { bookingId, name, contact } = entry
    const email = contact && validAddress(contact.email)
    const key = email ? normaliseEmail(email) : bookingId
    const family = families.get(key)
    families.set(key, {
      name: family?.name ?? (contact?.name || name),
      email,
      phone: family?.phone || (contact?.phone ?? ''),
      people: [...new Set([...(family?.people ?? []), name])],
      bookingIds: [...(family?.bookingIds ?? []), bookingId],
    })
  }
  return [...families.values()]
}

/** The same division as that of `audienceOf`. A place that is only held waits for the address to be confirmed. */
function isInAudience({ mark, place, heldUntil }: RegisterEntry, audience: Audience): boolean {
  if (audience === 'came') return mark === 'attended'
  if (mark !== undefined) return false
  if (place === 'offered') return audience === 'waiting'
  return place === (audience === 'booked' ? 'held' : 'waiting') && heldUntil === undefined
}

/** An address that is one address and nothing else: other systems write anything in its place. */
const validAddress = (email: string): string | undefined =>
  email.length <= 320 &&
  /^[^\s@,;:<>"()[\]\\]+@[^\s@,;:<>"()[\]\\]+\.[^\s@,;:<>"()[\]\\]+$/.test(email)
    ? email
    : undefined
