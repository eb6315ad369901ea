import type { Context } from 'hono'
import type { Audience } from '../../../sign-up/mailings/audience.ts'
import { type Family, groupFamilies } from '../../../sign-up/mailings/families.ts'
import { withoutUnsubscribed } from '../../../sign-up/mailings/without-unsubscribed.ts'
import type { EventDocument } from '../../../sign-up/public-events.ts'
import { readPublicPages } from '../../../sign-up/public-pages.ts'
import { type RegisterEntry, readRegister } from '../../../sign-up/register/register.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'

/** Those families of some audiences who have an address, and the others. */
export type Recipients = { families: AddressedFamily[]; unreachable: Family[] }

export type AddressedFamily = Family & { email: string }

/** An event with the people to whom staff can write about it. */
export type OpenMessages = {
  event: EventDocument
  recipients: Readonly<Record<Audience, Recipients>>
  /** Everybody who is booked or waits: a family with both gets one message. */
  concerned: Recipients
  /** Whether the event has more bookings than a message goes to. */
  isCut: boolean
  /** Whether an audience gets mail; otherwise there is only a list to copy. */
  canMail(audience: Audience): boolean
}

/** Reads an event and the people to whom staff can write about it. Throws 404 for a series and an unknown event. */
export async function openMessages(
  c: Context<DashboardEnv>,
  eventId: string,
): Promise<OpenMessages> {
  const { store, mail } = c.var
  const { event, entries, isCut } = await readRegister(store, eventId)
  const { enabled } = await readPublicPages(store)
  const came = findRecipients(entries, ['came'])
  return {
    event,
    recipients: {
      booked: findRecipients(entries, ['booked']),
      waiting: findRecipients(entries, ['waiting']),
      came: { ...came, families: await withoutUnsubscribed(store, came.families) },
    },
    concerned: findRecipients(entries, ['booked', 'waiting']),
    isCut,
    canMail: (audience) => mail !== undefined && (audience !== 'came' || enabled),
  }
}

function findRecipients(
  entries: readonly RegisterEntry[],
  audiences: readonly Audience[],
): Recipients {
  const groups = groupFamilies(entries, audiences)
  return {
    families: groups.flatMap(({ email, ...family }) =>
      email === undefined ? [] : [{ ...family, email }],
    ),
    unreachable: groups.filter(({ email }) => email === undefined),
  }
}

/** The recipients of a mailing to families. */
export const toRecipients = ({ families }: Recipients) =>
  families.map(({ name, email, bookingIds }) => ({ name, email, bookingIds }))
