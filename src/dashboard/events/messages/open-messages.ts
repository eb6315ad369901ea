import type { Context } from 'hono'
import type { Audience } from '../../../sign-up/mailings/audience.ts'
import { type Family, groupFamilies } from '../../../sign-up/mailings/families.ts'
import { withoutUnsubscribed } from '../../../sign-up/mailings/without-unsubscribed.ts'
import { type EventDocument, isOver } from '../../../sign-up/public-events.ts'
import { readPublicPages } from '../../../sign-up/public-pages.ts'
import { type RegisterEntry, readRegister } from '../../../sign-up/register/register.ts'
import { readDates } from '../../../store/sign-up/series.ts'
import type { Store } from '../../../store/store.ts'
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
  /** The dates of a series that are still to come; undefined for any other event. */
  dates: readonly EventDocument[] | undefined
  /** The start of the first date that the message is about; '' for all. */
  from: string
  /** The dates of a series that the messages are about; none for any other event. */
  chosen: readonly EventDocument[]
  /** The last of the dates that a message is about, or the event. */
  last: EventDocument
  /** Whether an audience gets mail; otherwise there is only a list to copy. */
  canMail(audience: Audience): boolean
}

type MessagesScope = {
  /** Of a series, the start of the first date to write about. */
  from?: string | undefined
  /** Whether a message concerns a date of a series. */
  concerns?: (date: EventDocument) => boolean
}

/** Reads an event, or the later dates of a series, and the people to whom staff can write about it. Throws 404 for an unknown event. */
export async function openMessages(
  c: Context<DashboardEnv>,
  eventId: string,
  { from = '', concerns = () => true }: MessagesScope = {},
): Promise<OpenMessages> {
  const { store, mail } = c.var
  const dates = await readComingDates(store, eventId)
  const chosen = (dates ?? []).filter((date) => (date.start ?? '') >= from && concerns(date))
  const { event, entries, isCut } = await readRegister(
    store,
    eventId,
    dates && chosen.map((date) => date.eventId),
  )
  const { enabled } = await readPublicPages(store)
  const came = findRecipients(entries, ['came'])
  return {
    event,
    dates,
    from,
    chosen,
    last: chosen.at(-1) ?? event,
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

/** Whether somebody is booked or waits for what is still to come. */
export const hasAnybodyToTell = ({ last, concerned }: OpenMessages): boolean =>
  !isOver(last, new Date().toISOString()) && concerned.families.length > 0

/** Reads the coming dates of a series; undefined for any other event. */
async function readComingDates(
  store: Store,
  eventId: string,
): Promise<EventDocument[] | undefined> {
  const { isSeries, dates } = await readDates(store, eventId)
  const now = new Date().toISOString()
  return isSeries
    ? dates
        .map(({ document }): EventDocument => JSON.parse(document))
        .filter(({ start }) => (start ?? '') > now)
    : undefined
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
