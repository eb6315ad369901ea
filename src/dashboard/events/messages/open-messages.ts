import type { Context } from 'hono'
import type { Audience } from '../../../sign-up/mailings/audience.ts'
import { type Family, groupFamilies } from '../../../sign-up/mailings/families.ts'
import { withoutUnsubscribed } from '../../../sign-up/mailings/without-unsubscribed.ts'
import type { EventDocument } from '../../../sign-up/public-events.ts'
import { readPublicPages } from '../../../sign-up/public-pages.ts'
import { readRegister } from '../../../sign-up/register/register.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'

/** An audience of an event with those of its families who have an address, and the others. */
export type Recipients = { families: AddressedFamily[]; unreachable: Family[] }

export type AddressedFamily = Family & { email: string }

/** An event with the people to whom staff can write about it. */
export type OpenMessages = {
  event: EventDocument
  recipients: Readonly<Record<Audience, Recipients>>
  /** Whether the event has more bookings than a message goes to. */
  isCut: boolean
  /** The audiences that get mail; the others have only a list to copy. */
  canMail(audience: Audience): boolean
}

/** Reads an event and the people to whom staff can write about it. Throws 404 for a series and an unknown event. */
export async function openMessages(
  c: Context<DashboardEnv>,
  eventId: string,
): Promise<OpenMessages> {
  const { store } = c.var
  const { event, entries, isCut } = await readRegister(store, eventId)
  const { enabled } = await readPublicPages(store)
  const read = async (audience: Audience): Promise<Recipients> => {
    const groups = groupFamilies(entries, audience)
    const addressed = groups.flatMap(({ email, ...family }) =>
      email === undefined ? [] : [{ ...family, email }],
    )
    return {
      families: audience === 'came' ? await withoutUnsubscribed(store, addressed) : addressed,
      unreachable: groups.filter(({ email }) => email === undefined),
    }
  }
  const [booked, waiting, came] = await Promise.all([read('booked'), read('waiting'), read('came')])
  return {
    event,
    recipients: { booked, waiting, came },
    isCut,
    canMail: (audience) => c.var.mail !== undefined && (audience !== 'came' || enabled),
  }
}
