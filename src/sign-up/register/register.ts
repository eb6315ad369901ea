import { personName } from '../../model/properties/person-name.ts'
import { type Field, parseStoredSchema } from '../../model/properties/schema.ts'
import { parseDocument } from '../../records/person.ts'
import {
  maxRegisterBookings,
  readStoredRegister,
  type StoredRegister,
} from '../../store/sign-up/register.ts'
import type { Store } from '../../store/store.ts'
import type { SignUpField } from '../form.ts'
import type { EventDocument } from '../public-events.ts'
import { type BookingValues, isVolunteer, type MarkStatus, markOf } from './attendance.ts'
import { detailsReader, type EntryDetails } from './entry-details.ts'
import { openRegister } from './open-register.ts'
import { walkInFields } from './walk-in.ts'

type StoredBooking = StoredRegister['bookings'][number]

/** The register of an event. */
export type Register = {
  event: EventDocument
  /** The members' fields that a walk-in fills. */
  walkInFields: readonly SignUpField[]
  entries: RegisterEntry[]
  /** Whether the event has more bookings than a register shows. */
  isCut: boolean
  organisationName: string
  /** The hours for which an offer of a place holds. */
  offerHours: number
}

/** One booking on a register. */
export type RegisterEntry = EntryDetails & {
  bookingId: string
  /** The people of one sign-up have the same order. */
  orderId: string
  name: string
  memberId: string
  mark: MarkStatus | undefined
  /** Whether the person has a place, was offered one, waits for one or gave it up. */
  place: 'held' | 'offered' | 'waiting' | 'given up'
  isVolunteer: boolean
  /** The name of the person who booked for this one. */
  bookedBy: string | undefined
  /** The time of the booking; '' if unknown. */
  created: string
  /** The time when the place falls free, unless the person confirms or accepts it. */
  heldUntil: string | undefined
}

/** Reads the register of an event, or those of some dates of a series, sorted by name. Throws 404 for an event without a register that the caller takes. */
export async function readRegister(
  store: Store,
  eventId: string,
  dateIds?: readonly string[],
): Promise<Register> {
  const { form: stored, bookings } = await readStoredRegister(store, eventId, dateIds)
  const form = openRegister(store, stored, dateIds !== undefined)
  const { fields } = parseStoredSchema(stored.schema)
  const readDetails = detailsReader(store, form, stored.schema)
  const names = new Intl.Collator('en-GB')
  const entries = bookings
    .map((booking) => toEntry(booking, fields, readDetails))
    .toSorted((one, other) => names.compare(one.name, other.name))
  return {
    event: form.event,
    walkInFields: walkInFields(stored),
    organisationName: form.site.organisationName,
    offerHours: form.site.settings.offerHours,
    isCut: bookings.length === maxRegisterBookings,
    entries: withPhonesOfOrder(entries),
  }
}

function toEntry(
  stored: StoredBooking,
  fields: readonly Field[],
  readDetails: ReturnType<typeof detailsReader>,
): RegisterEntry {
  const { id, document, contact, member } = stored
  const booking: BookingValues = JSON.parse(document)
  const bookedBy: string = JSON.parse(contact ?? '{}').name ?? ''
  const { userName, memberId } = booking
  const name = userName || (member === undefined ? '' : personName(fields, parseDocument(member)))
  return {
    ...readDetails(stored, booking),
    bookingId: id,
    orderId: booking.orderId ?? '',
    name: name || 'No name',
    memberId,
    mark: markOf(booking),
    place: placeOf(booking, stored),
    isVolunteer: isVolunteer(booking),
    bookedBy: bookedBy === userName || bookedBy === '' ? undefined : bookedBy,
    created: booking.created ?? '',
    heldUntil: stored.heldUntil,
  }
}

function placeOf(booking: BookingValues, { heldUntil, waits }: StoredBooking) {
  if (markOf(booking)) return 'held'
  if (booking.userStatus === 'offered' && heldUntil !== undefined) return 'offered'
  if (booking.attending) return 'held'
  return waits ? 'waiting' : 'given up'
}

/** A child's answers seldom have a phone number: the first one of the people who signed up together counts. */
function withPhonesOfOrder(entries: readonly RegisterEntry[]): RegisterEntry[] {
  const phones = new Map(
    entries
      .filter(({ orderId, contact }) => orderId !== '' && contact?.phone)
      .map(({ orderId, contact }) => [orderId, contact?.phone ?? '']),
  )
  return entries.map((entry) => {
    const { contact, orderId } = entry
    if (contact?.phone !== '') return entry
    return { ...entry, contact: { ...contact, phone: phones.get(orderId) ?? '' } }
  })
}
