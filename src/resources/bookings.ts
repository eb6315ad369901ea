import { decisiveProperties } from '../access/query-fields.ts'
import type { Env } from '../auth/env.ts'
import {
  addMemberDocument,
  addProfile,
  buildProfileLayout,
  profileColumns,
} from '../formats/booking.ts'
import { defaultProfileFields } from '../formats/booking-profile.ts'
import { recordColumns } from '../formats/csv.ts'
import { otherFormats } from '../formats/list.ts'
import type { ListPage } from '../formats/list-page.ts'
import { lazyRoute } from '../http/contract.ts'
import { booleanFilter, checkFilters, dateFilter, textFilter } from '../http/filters.ts'
import { Hono } from '../http/hono.ts'
import { listQuery } from '../http/list-query.ts'
import { textParameter } from '../http/parameters.ts'
import { closedQuery } from '../http/query.ts'
import { expandOption } from '../http/query-options.ts'
import { ApiError } from '../model/api-error.ts'
import type { Collection } from '../model/collection.ts'
import { compileRecord } from '../model/properties/compile.ts'
import { namedReferences } from '../model/references.ts'
import { londonDay } from '../model/timestamp.ts'
import { readBookings } from '../store/read/list.ts'
import type { DerivedField, ListTypes } from '../store/read/list-selection.ts'
import { bookingRecord, storedBookingRecord } from './routes/booking-types.ts'
import { type ReferencedLists, recordTypesOf, shapePage } from './routes/expand.ts'
import { listRoute, type RecordList } from './routes/list-route.ts'
import { memberList } from './routes/person-routes.ts'
import { propertyFilterNote, recordResource } from './routes/record-routes.ts'
import type { Resource } from './routes/resource.ts'
import { getRecord } from './routes/single-route.ts'
import { writeRoutes } from './routes/write-routes.ts'

export const collection = {
  name: 'bookings',
  plural: 'bookings',
  singular: 'booking',
  id: 'bookingId',
  record: storedBookingRecord,
  item: bookingRecord,
  // Sending back a booking of the list must not store the profile of its member.
  prepare: ({ profile, ...booking }) => booking,
} satisfies Collection

const profileFields = {
  profileFields: textParameter({
    description: `The schema fields to show in each profile, by id and separated by commas. By default ${defaultProfileFields.join(', ')}, or the fields that hold the same, such as a name.`,
    example: 'Full Name,Email',
  }),
}

const referenced: ReferencedLists = {
  events: () => import('./events.ts'),
  members: async () => ({ list: memberList() }),
}

/** Whether the person of a booking came. */
const came: DerivedField = {
  name: 'came',
  decidedBy: decisiveProperties,
  async find(store, terms) {
    const { findWhoCame } = await import('../store/sign-up/attendance-rule.ts')
    const found = await findWhoCame(store, { today: londonDay(Date.now()), ...terms })
    return found.unchanged ? found : { predicate: found.came, state: found.state }
  },
}

const types: ListTypes = {
  record: () => collection.record,
  findRecordType: recordTypesOf(referenced),
  derived: came,
}

export const list: RecordList = {
  name: 'bookings',
  plural: 'bookings',
  id: collection.id,
  types,
  contract: {
    operationId: 'listBookings',
    summary: 'List bookings',
    description: `A page of the organisation's bookings, in order of arrival, each with the current profile of its member. ${propertyFilterNote} \`$filter\` can name \`came\`: whether the person came.`,
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
      () => compileRecord(storedBookingRecord).leaves,
      { ...profileFields, ...expandOption(namedReferences('bookings')) },
    ),
    responses: async () => (await import('./routes/record-contracts.ts')).listResponses(collection),
    otherFormats,
  },
  async page(store, { profileFields, ...query }, known) {
    const found = await readBookings(store, collection, query, types, known)
    if (found.unchanged) return found
    const { bookings, schema, total, next, head, state } = found
    const visibleFields = () => store.policy.visibleProperties('bookings', storedBookingRecord)
    // The dashboard shows bookings without profiles, so it needs no schema.
    const buildLayout = () => buildProfileLayout(requireSchema(schema), profileFields)
    // Items, for JSON, contain the profile of the member; documents, for the other formats, have it in columns.
    const page: ListPage = {
      count: bookings.length,
      items() {
        const layout = buildLayout()
        return bookings.map((booking) => addProfile(booking, layout))
      },
      documents: () => bookings.map(addMemberDocument),
      columns() {
        const visible = visibleFields()
        return [
          ...recordColumns(storedBookingRecord).filter(({ name }) => visible.has(name)),
          ...profileColumns(buildLayout()),
        ]
      },
      headers: checkFilters(query, visibleFields),
      total,
    }
    const shaped = await shapePage(store, page, query, collection, referenced)
    return { ...shaped, next, head, state }
  },
}

const storedResource = recordResource(collection, { isAddition: true })

export const resource: Resource = {
  ...storedResource,
  documentation: {
    ...storedResource.documentation,
    recordDescription: 'The complete booking.',
  },
  related: {
    record: storedBookingRecord,
    schema: 'members',
    withMember: true,
  },
  query: closedQuery(profileFields),
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

/** The members' schema for profiles. Throws 500 without one. */
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
  .get('/', listRoute(list))
  .get('/:bookingId', getRecord(resource))
  .post('/:bookingId/$attendance', lazyRoute(loadAttendance))
  .route('/', writeRoutes(resource))

async function loadAttendance() {
  const { markAttendance } = await import('./routes/attendance.ts')
  return markAttendance(resource)
}
