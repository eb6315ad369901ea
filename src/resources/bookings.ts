import { type Handler, Hono } from 'hono'
import * as z from 'zod'
import type { Env } from '../auth/env.ts'
import { endpoint, type Valid } from '../http/contract.ts'
import { filterWarning } from '../http/filter-warning.ts'
import { listQuery } from '../http/list-query.ts'
import { booleanFilter, dateFilter, textFilter } from '../http/named-filters.ts'
import { closedQuery } from '../http/query.ts'
import { ApiError } from '../model/api-error.ts'
import { type Collection, pathsOf } from '../model/collection.ts'
import {
  boolean,
  created,
  date,
  id,
  managedBy,
  nullableText,
  number,
  text,
  timestamp,
  updated,
} from '../model/properties.ts'
import { FieldObject } from '../people/contracts.ts'
import { defaultProfileFields } from '../people/profile.ts'
import {
  profileColumns,
  profileLayout,
  withMember,
  withProfile,
} from '../representations/booking.ts'
import { columnsOf } from '../representations/csv.ts'
import { listType, times } from '../representations/json.ts'
import { answerList, tables } from '../representations/list.ts'
import { records } from '../routes/record-routes.ts'
import { single } from '../routes/single-route.ts'
import type { Subject } from '../routes/subject.ts'
import { writes } from '../routes/write-routes.ts'

/** Contract 2.7, less the profile, which is the member's and not the booking's. */
const KeptBooking = z.strictObject({
  bookingId: id('The id of the booking: unique among the organisation’s bookings.', 'booking-1042'),
  managedBy: managedBy(),
  eventId: text('The id of the event that is booked.', 'event-open-day-1'),
  memberId: text(
    'The id of the member who is to come; empty for somebody without a record.',
    'member-0001',
  ),
  date: date('The day of the event, as `YYYY-MM-DD`.', '2026-06-20'),
  funderMemberId: nullableText(
    'The id of the member at the funder who pays for the place.',
    'funder-member-7',
  ),
  slotId: nullableText('The id of the time slot that is booked within the event.', 'slot-morning'),
  ticketId: nullableText('The id of the kind of ticket.', 'ticket-concession'),
  ticketName: nullableText('What the kind of ticket is called.', 'Concession'),
  ticketSeries: nullableText(
    'The series that the ticket is of, such as one for a whole term.',
    'Spring term',
  ),
  funderProgrammeId: nullableText(
    'The id of the funder’s programme that pays for the place.',
    'programme-warm-rooms',
  ),
  orderId: nullableText(
    'The id of the order by which several places were booked together.',
    'order-311',
  ),
  childEventId: nullableText(
    'The id of the occurrence that is booked of an event that is repeated.',
    'event-open-day-1',
  ),
  name: text('What was booked, as it was called then.', 'Open Day'),
  type: text('The kind of booking; its values are the source’s.', 'event'),
  user: text('The id of the account that the booking is for.', 'user-88'),
  userEmail: text('The e-mail address of whom the booking is for.', 'amara.abara@example.org'),
  userName: text('The name of whom the booking is for.', 'Amara Abara'),
  userStatus: text(
    'What whoever comes says of the booking; its values are the source’s.',
    'confirmed',
  ),
  orgStatus: text(
    'What the organisation says of the booking; its values are the source’s.',
    'approved',
  ),
  attending: boolean('Whether they come, or came.'),
  bookingType: text(
    'Whether it is for a member, a volunteer or somebody else; its values are the source’s.',
    'member',
  ),
  booker: text('The id of the account that made the booking.', 'user-88'),
  created: created(),
  updated: updated(),
  start: timestamp('When what is booked begins, in UTC.', '2026-06-20T10:00:00.000Z'),
  end: timestamp('When what is booked ends, in UTC.', '2026-06-20T14:00:00.000Z'),
  duration: number('How long it takes, in minutes.', 240),
  customPrice: number(
    'The price for this booking, in the organisation’s currency, where it is not the event’s.',
    2,
  ),
})

const Booking = KeptBooking.extend({
  profile: z
    .strictObject({
      memberId: z.string().meta({
        description: 'The id of the member, as `memberId` of the booking.',
        examples: ['member-0001'],
      }),
      fields: z.array(FieldObject).meta({
        description:
          'The fields of the profile that have a value; the first is always `profileId`, the id of the member.',
      }),
    })
    .meta({ description: 'The member as they are now, by the fields that were asked for.' }),
}).meta({ id: 'Booking' })

export const collection = {
  name: 'bookings',
  plural: 'bookings',
  singular: 'booking',
  id: 'bookingId',
  record: KeptBooking,
  item: Booking,
  prepare: ({ profile, ...booking }) => booking,
} satisfies Collection

const fields = new Set(pathsOf(KeptBooking))

const profileFields = {
  profileFields: z
    .string()
    .optional()
    .meta({
      description: `The schema fields to show in each profile, by id and separated by commas; ${defaultProfileFields.join(', ')} if not given, or the fields of these kinds.`,
      examples: ['Full Name,Email'],
    }),
}

const contract = {
  summary: 'List bookings',
  description:
    "A page of the organisation's bookings, in the order in which they arrived, each with the profile of its member as it is now.",
  query: listQuery(
    {
      eventId: textFilter(
        'eventId',
        'Only bookings of the event with this id.',
        'event-open-day-1',
      ),
      memberId: textFilter('memberId', 'Only bookings of the member with this id.', 'member-0001'),
      userStatus: textFilter(
        'userStatus',
        'Only bookings with this status of whoever comes.',
        'confirmed',
      ),
      orgStatus: textFilter(
        'orgStatus',
        'Only bookings with this status of the organisation.',
        'approved',
      ),
      bookingType: textFilter('bookingType', 'Only bookings of this type.', 'member'),
      date: dateFilter('date', 'Only bookings for this day, as `YYYY-MM-DD`.', '2026-06-20'),
      attending: booleanFilter(
        'attending',
        'Only bookings of those who come or came, or of those who do not.',
      ),
    },
    { ticketName: 'Concession' },
    profileFields,
  ),
  answers: {
    200: listType('bookings', Booking.extend(times).meta({ id: 'BookingListItem' })),
  },
  tables,
}

const handler: Handler<Env, '/', Valid<typeof contract>> = (c) => {
  const { profileFields, ...asked } = c.req.valid('query')
  return answerList(c, asked, {
    name: 'bookings',
    plural: 'bookings',
    async page(query) {
      const { store } = c.var
      const { bookings, schema, total, next } = await store.bookings(collection, query)
      const seen = store.view.fields('bookings', KeptBooking, fields)
      const shown = profileLayout(demandSchema(schema), profileFields)
      return {
        count: bookings.length,
        items: () => bookings.map((booking) => withProfile(booking, shown)),
        documents: () => bookings.map(withMember),
        columns: () => [
          ...columnsOf(KeptBooking).filter(({ name }) => seen.has(name)),
          ...profileColumns(shown),
        ],
        headers: filterWarning(query.filters, seen),
        total,
        next,
      }
    },
  })
}

const subject: Subject = {
  ...records(collection, true),
  sought: { record: KeptBooking, schema: 'members', withMember: true },
  query: closedQuery(profileFields),
  answer: z.strictObject({ booking: Booking.meta({ description: 'The booking, whole.' }) }),
  show({ document, found: { schema, member }, profileFields }) {
    const { memberId }: { memberId: string } = JSON.parse(document)
    return {
      booking: withProfile({ document, memberId, member }, profileLayout(schema, profileFields)),
    }
  },
}

/** The schema to draw the profiles of a list by; throws 500 where there is none (decisions 7). */
function demandSchema(schema: string | undefined): string {
  if (schema === undefined) {
    throw new ApiError(
      'INTERNAL_ERROR',
      'The organisation has no member schema to draw profiles by.',
    )
  }
  return schema
}

export const routes = new Hono<Env>()
  .get('/', endpoint(contract), handler)
  .get('/:bookingId', ...single(subject))
  .route('/', writes(subject))
