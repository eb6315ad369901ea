import {
  dayOf,
  daysAfter,
  dayWithin,
  earlier,
  earliestFirst,
  later,
  minutesAfter,
  officeTime,
} from './calendar.ts'
import type { Event } from './events.ts'
import { type Member, userOf } from './members.ts'
import { organisation, present, staffIds } from './organisation.ts'
import { type Seeded, seeded } from './seeded.ts'

export type Booking = ReturnType<typeof booking>

/** The members' places at every event, in the order in which they were booked. An instance is booked as its series' child. */
export function bookings(events: Event[], members: Member[]): Booking[] {
  const random = seeded('bookings')
  return events
    .filter(({ recurrence }) => !recurrence.recurring)
    .flatMap((event) =>
      guests(random, event, members).map((guest) => booking(random, event, guest)),
    )
    .toSorted((one, other) => earliestFirst(one.created, other.created))
    .map((booking, index) => ({
      ...booking,
      bookingId: `booking-${String(index + 1).padStart(4, '0')}`,
    }))
}

/** Members who had joined before booking ended; what is still to come is not full yet. */
function guests(random: Seeded, event: Event, members: Member[]): Member[] {
  const { capacityTotal } = event.bookingDetails
  const share = random.integer(...(event.bookable ? soFar : inTheEnd)) / 100
  const joined = members.filter((member) => member.Joined <= bookingEnd(event))
  return random.some(joined, Math.round(capacityTotal * share))
}

const soFar: [number, number] = [20, 60]
const inTheEnd: [number, number] = [93, 100]

function booking(random: Seeded, event: Event, member: Member) {
  const { eventId, name, parentEventId, start, end, bookingDetails } = event
  const [user, userName, userEmail] = [userOf(member), member['Full Name'], member.Email ?? '']
  const begin = later(member.Joined, daysAfter(bookingEnd(event), -42))
  const created = officeTime(random, dayWithin(random, begin, bookingEnd(event)))
  const state = random.weighted({ confirmed: 88, cancelled: 8, waiting: 4 })
  const reduced = !bookingDetails.free && random.chance(0.25)
  return {
    bookingId: '',
    managedBy: organisation.id,
    eventId: parentEventId ?? eventId,
    memberId: member.memberId,
    date: dayOf(start),
    funderMemberId: null,
    slotId: null,
    ticketId: bookingDetails.free ? null : `ticket-${reduced ? 'reduced' : 'standard'}`,
    ticketName: bookingDetails.free ? null : reduced ? 'Reduced' : 'Standard',
    ticketSeries: null,
    funderProgrammeId: null,
    orderId: bookingDetails.free ? null : `order-${eventId}-${member.memberId}`,
    childEventId: parentEventId && eventId,
    name,
    type: 'participant',
    user,
    userEmail,
    userName,
    userStatus: state === 'cancelled' ? 'cancelled' : 'confirmed',
    orgStatus: state === 'waiting' ? 'waiting' : 'confirmed',
    attending: state === 'confirmed',
    bookingType: 'individual',
    booker: random.chance(0.15) ? random.pick(staffIds) : user,
    created,
    updated: state === 'cancelled' ? minutesAfter(created, random.integer(5, 55)) : created,
    start,
    end,
    duration: (Date.parse(end) - Date.parse(start)) / 60_000,
    customPrice: reduced ? bookingDetails.price / 2 : null,
  }
}

/** The last day on which a place could be booked so far. */
const bookingEnd = ({ start }: Event) => earlier(daysAfter(dayOf(start), -1), present)
