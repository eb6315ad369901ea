import { type Handler, Hono } from 'hono'
import * as z from 'zod'
import type { Env } from '../auth/env.ts'
import {
  addMemberDocument,
  addProfile,
  buildProfileLayout,
  profileColumns,
} from '../formats/booking.ts'
import { defaultProfileFields } from '../formats/booking-profile.ts'
import { buildColumns } from '../formats/csv.ts'
import { listResponseType, timeProperties } from '../formats/json.ts'
import { otherFormats, respondWithList } from '../formats/list.ts'
import { endpoint, type ValidInput } from '../http/contract.ts'
import { buildFilterWarning } from '../http/filter-warning.ts'
import { listQuery } from '../http/list-query.ts'
import { booleanFilter, dateFilter, textFilter } from '../http/named-filters.ts'
import { closedQuery } from '../http/query.ts'
import { ApiError } from '../model/api-error.ts'
import { type Collection, propertyPaths } from '../model/collection.ts'
import { FieldObject } from '../model/person-contracts.ts'
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
} from '../model/properties/types.ts'
import { recordResource } from './routes/record-routes.ts'
import type { Resource } from './routes/resource.ts'
import { getRecord } from './routes/single-route.ts'
import { writeRoutes } from './routes/write-routes.ts'

/** Contract 2.7, less the profile, which is the member's and not the booking's. */
const StoredBooking = z.strictObject({
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

const Booking = StoredBooking.extend({
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
  record: StoredBooking,
  item: Booking,
  prepare: ({ profile, ...booking }) => booking,
} satisfies Collection

const fields = new Set(propertyPaths(StoredBooking))

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
  responses: {
    200: listResponseType(
      'bookings',
      Booking.extend(timeProperties).meta({ id: 'BookingListItem' }),
    ),
  },
  otherFormats,
}

const handler: Handler<Env, '/', ValidInput<typeof contract>> = (c) => {
  const { profileFields, ...listOptions } = c.req.valid('query')
  return respondWithList(c, listOptions, {
    name: 'bookings',
    plural: 'bookings',
    async page(query) {
      const { store } = c.var
      const { bookings, schema, total, next } = await store.bookings(collection, query)
      const visibleFields = store.view.fields('bookings', StoredBooking, fields)
      const layout = buildProfileLayout(requireSchema(schema), profileFields)
      return {
        count: bookings.length,
        items: () => bookings.map((booking) => addProfile(booking, layout)),
        documents: () => bookings.map(addMemberDocument),
        columns: () => [
          ...buildColumns(StoredBooking).filter(({ name }) => visibleFields.has(name)),
          ...profileColumns(layout),
        ],
        headers: buildFilterWarning(query.filters, visibleFields),
        total,
        next,
      }
    },
  })
}

const resource: Resource = {
  ...recordResource(collection, true),
  related: { record: StoredBooking, schema: 'members', withMember: true },
  query: closedQuery(profileFields),
  responseType: z.strictObject({ booking: Booking.meta({ description: 'The booking, whole.' }) }),
  render({ document, single: { schema, member }, profileFields }) {
    const { memberId }: { memberId: string } = JSON.parse(document)
    return {
      booking: addProfile(
        { document, memberId, member },
        buildProfileLayout(schema, profileFields),
      ),
    }
  },
}

/** The schema to draw the profiles of a list by; throws 500 where there is none (decisions 7). */
function requireSchema(schema: string | undefined): string {
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
  .get('/:bookingId', ...getRecord(resource))
  .route('/', writeRoutes(resource))
