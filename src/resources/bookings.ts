import { Hono } from 'hono'
import * as z from 'zod'
import type { Env } from '../auth/env.ts'
import {
  addMemberDocument,
  addProfile,
  buildProfileLayout,
  profileColumns,
} from '../formats/booking.ts'
import { defaultProfileFields } from '../formats/booking-profile.ts'
import { recordColumns } from '../formats/csv.ts'
import { addTimes, listResponseType } from '../formats/json.ts'
import { otherFormats } from '../formats/list.ts'
import { lazyRoute } from '../http/contract.ts'
import { booleanFilter, checkFilters, dateFilter, textFilter } from '../http/filters.ts'
import { listQuery } from '../http/list-query.ts'
import { closedQuery } from '../http/query.ts'
import { ApiError } from '../model/api-error.ts'
import type { Collection } from '../model/collection.ts'
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
import { once } from '../platform/once.ts'
import { readBookings } from '../store/read/list.ts'
import { listRoute, type RecordList } from './routes/list-route.ts'
import { FieldObject } from './routes/person-contracts.ts'
import { recordResource } from './routes/record-routes.ts'
import type { Resource } from './routes/resource.ts'
import { getRecord } from './routes/single-route.ts'
import { writeRoutes } from './routes/write-routes.ts'

/** A booking (contract 2.7) without the profile: its values belong to the member. */
const buildStoredBooking = once(() =>
  z.strictObject({
    bookingId: id(
      'The id of the booking: unique among the organisation’s bookings.',
      'booking-1042',
    ),
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
    userStatus: text(
      'The status that the person gave; the source defines its values.',
      'confirmed',
    ),
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
  }),
)

const buildBooking = once(() =>
  buildStoredBooking()
    .extend({
      profile: z
        .strictObject({
          memberId: z.string().meta({
            description: 'The id of the member, as in `memberId` of the booking.',
            examples: ['member-0001'],
          }),
          fields: z.array(FieldObject).meta({
            description:
              'The fields with a value; the first is always `profileId`, the id of the member.',
          }),
        })
        .meta({ description: 'The current values of the member, for the requested fields.' }),
    })
    .meta({ id: 'Booking' }),
)

export const collection = {
  name: 'bookings',
  plural: 'bookings',
  singular: 'booking',
  id: 'bookingId',
  get record() {
    return buildStoredBooking()
  },
  get item() {
    return buildBooking()
  },
  prepare: ({ profile, ...booking }) => booking,
} satisfies Collection

const profileFields = {
  profileFields: z
    .string()
    .optional()
    .meta({
      description: `The schema fields to show in each profile, by id and separated by commas. By default ${defaultProfileFields.join(', ')}, or the fields of the same kinds.`,
      examples: ['Full Name,Email'],
    }),
}

export const list: RecordList = {
  name: 'bookings',
  plural: 'bookings',
  contract: {
    operationId: 'listBookings',
    summary: 'List bookings',
    description:
      "A page of the organisation's bookings, in order of arrival, each with the current profile of its member.",
    query: listQuery(
      {
        eventId: textFilter(
          'eventId',
          'Only bookings of the event with this id.',
          'event-open-day-1',
        ),
        memberId: textFilter(
          'memberId',
          'Only bookings of the member with this id.',
          'member-0001',
        ),
        userStatus: textFilter(
          'userStatus',
          'Only bookings with this status from the person.',
          'confirmed',
        ),
        orgStatus: textFilter(
          'orgStatus',
          'Only bookings with this status from the organisation.',
          'approved',
        ),
        bookingType: textFilter('bookingType', 'Only bookings of this type.', 'member'),
        date: dateFilter('date', 'Only bookings for this day, as `YYYY-MM-DD`.', '2026-06-20'),
        attending: booleanFilter('attending', 'Only bookings of people who attend, or who do not.'),
      },
      { ticketName: 'Concession' },
      profileFields,
    ),
    responses: () => ({
      200: listResponseType('bookings', addTimes(buildBooking())),
    }),
    otherFormats,
  },
  async page(store, { profileFields, ...query }) {
    const { bookings, schema, total, next } = await readBookings(store, collection, query)
    const visibleFields = store.policy.visibleProperties('bookings', buildStoredBooking())
    const layout = buildProfileLayout(requireSchema(schema), profileFields)
    return {
      count: bookings.length,
      items: () => bookings.map((booking) => addProfile(booking, layout)),
      documents: () => bookings.map(addMemberDocument),
      columns: () => [
        ...recordColumns(buildStoredBooking()).filter(({ name }) => visibleFields.has(name)),
        ...profileColumns(layout),
      ],
      headers: checkFilters(query, () => visibleFields),
      total,
      next,
    }
  },
}

export const resource: Resource = {
  ...recordResource(collection, true),
  related: {
    get record() {
      return buildStoredBooking()
    },
    schema: 'members',
    withMember: true,
  },
  query: closedQuery(profileFields),
  responseType: () =>
    z.strictObject({
      booking: addTimes(buildBooking()).meta({ description: 'The complete booking.' }),
    }),
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

/** Returns the members' schema for profiles. Throws 500 without one (decisions 7). */
function requireSchema(schema: string | undefined): string {
  if (schema === undefined) {
    throw new ApiError(
      'INTERNAL_ERROR',
      'The organisation has no member schema, which profiles need.',
    )
  }
  return schema
}

export const routes = new Hono<Env>()
  .get('/', ...listRoute(list))
  .get('/:bookingId', ...getRecord(resource))
  .post('/:bookingId/$attendance', lazyRoute(loadAttendance))
  .route('/', writeRoutes(resource))

async function loadAttendance() {
  const { markAttendance } = await import('./routes/attendance.ts')
  return markAttendance(resource, buildStoredBooking())
}
