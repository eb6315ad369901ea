import {
  boolean,
  created,
  date,
  id,
  managedBy,
  nullableText,
  number,
  record,
  text,
  timestamp,
  updated,
} from '../../model/properties/types.ts'
import type { Z } from '../../model/record-properties.ts'
import { fieldObject } from './field-object.ts'

/** A booking without the profile: its values belong to the member. */
export const storedBookingRecord = record('BookingWithoutProfile', {
  bookingId: id('The id of the booking: unique among the organisation’s bookings.', 'booking-1042'),
  managedBy: managedBy(),
  eventId: text('The id of the event.', 'event-open-day-1'),
  memberId: text(
    'The id of the member who attends; empty for a person without a record.',
    'member-0001',
  ),
  date: date('The day of the event, as `YYYY-MM-DD`.', '2026-06-20'),
  funderMemberId: nullableText(
    'The id of the member at the funder who pays for the place.',
    'funder-member-7',
  ),
  slotId: nullableText('The id of the time slot within the event.', 'slot-morning'),
  ticketId: nullableText('The id of the ticket type.', 'ticket-concession'),
  ticketName: nullableText('The name of the ticket type.', 'Concession'),
  ticketSeries: nullableText('The series of the ticket, such as a whole term.', 'Spring term'),
  funderProgrammeId: nullableText(
    'The id of the funder’s programme that pays for the place.',
    'programme-warm-rooms',
  ),
  orderId: nullableText('The id of the order, which can contain several bookings.', 'order-311'),
  childEventId: nullableText(
    'The id of the booked occurrence of a recurring event.',
    'event-open-day-1',
  ),
  name: text('The name of the event at the time of booking.', 'Open Day'),
  type: text('The type of booking; the source defines its values.', 'event'),
  user: text('The id of the account that the booking is for.', 'user-88'),
  userEmail: text('The email address of the person who attends.', 'amara.abara@example.org'),
  userName: text('The name of the person who attends.', 'Amara Abara'),
  userStatus: text('The status that the person gave; the source defines its values.', 'confirmed'),
  orgStatus: text(
    'The status that the organisation gave; the source defines its values.',
    'approved',
  ),
  attending: boolean('Whether the person attends or attended.'),
  bookingType: text(
    'The type of person who attends, such as a member or volunteer; the source defines its values.',
    'member',
  ),
  booker: text('The id of the account that made the booking.', 'user-88'),
  created: created(),
  updated: updated(),
  start: timestamp('The start, in UTC.', '2026-06-20T10:00:00.000Z'),
  end: timestamp('The end, in UTC.', '2026-06-20T14:00:00.000Z'),
  duration: number('The duration, in minutes.', 240),
  customPrice: number(
    'The price of this booking, in the organisation’s currency, if it differs from the event’s.',
    2,
  ),
})

const profile = {
  type: 'any' as const,
  description: 'The current values of the member, for the requested fields.',
  isRequired: true,
  emptyValue: undefined,
  build: (z: Z) =>
    z
      .strictObject({
        memberId: z.string().meta({
          description: 'The id of the member, as in `memberId` of the booking.',
          examples: ['member-0001'],
        }),
        fields: z.array(fieldObject(z)).meta({
          description:
            'The fields with a value; the first is always `profileId`, the id of the member.',
        }),
      })
      .meta({ description: profile.description }),
}

/** A booking with the profile, which queries take only as a whole. */
export const bookingRecord = record('Booking', { ...storedBookingRecord.properties, profile })
