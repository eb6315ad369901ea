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
import { boolean, date, id, nullableText, number, text, timestamp } from '../model/properties.ts'
import { FieldObject } from '../people/contracts.ts'
import { fieldColumns, fieldObjects, type Layout, layoutOf, only } from '../people/layout.ts'
import { defaultProfileFields } from '../people/profile.ts'
import { columnsOf } from '../representations/csv.ts'
import { listType, times } from '../representations/json.ts'
import { answerList, tables } from '../representations/list.ts'
import type { Column } from '../representations/list-page.ts'
import { records } from '../routes/record-routes.ts'
import { single } from '../routes/single-route.ts'
import type { Subject } from '../routes/subject.ts'
import { writes } from '../routes/write-routes.ts'

/** Contract 2.7, less the profile, which is the member's and not the booking's. */
const KeptBooking = z.strictObject({
  bookingId: id(),
  managedBy: id(),
  eventId: text(),
  memberId: text(),
  date: date(),
  funderMemberId: nullableText(),
  slotId: nullableText(),
  ticketId: nullableText(),
  ticketName: nullableText(),
  ticketSeries: nullableText(),
  funderProgrammeId: nullableText(),
  orderId: nullableText(),
  childEventId: nullableText(),
  name: text(),
  type: text(),
  user: text(),
  userEmail: text(),
  userName: text(),
  userStatus: text(),
  orgStatus: text(),
  attending: boolean(),
  bookingType: text(),
  booker: text(),
  created: timestamp(),
  updated: timestamp(),
  start: timestamp(),
  end: timestamp(),
  duration: number(),
  customPrice: number(),
})

const Booking = KeptBooking.extend({
  profile: z.strictObject({ memberId: z.string(), fields: z.array(FieldObject) }),
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
    }),
}

const contract = {
  summary: 'List bookings',
  description:
    "A page of the organisation's bookings, in the order in which they arrived, each with the profile of its member as it is now.",
  query: listQuery(
    {
      eventId: textFilter('eventId'),
      memberId: textFilter('memberId'),
      userStatus: textFilter('userStatus'),
      orgStatus: textFilter('orgStatus'),
      bookingType: textFilter('bookingType'),
      date: dateFilter('date'),
      attending: booleanFilter('attending'),
    },
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
  answer: z.strictObject({ booking: Booking }),
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

/** The layout of the fields that a profile shows: those chosen, or the schema's own defaults. */
export function profileLayout(schema: string | undefined, profileFields?: string): Layout {
  const layout = layoutOf(schema)
  return only(layout, profileFields?.split(',') ?? layout.defaults)
}

type KeptForList = {
  document: string
  memberId: string
  member?: string | undefined
  times?: string
}

const withMember = ({ document, member = '{}', times = '' }: KeptForList) =>
  `${document.slice(0, -1)},"profile":${member}${times}}`

const profileColumns = (layout: Layout): Column[] =>
  fieldColumns(layout).map(({ path, name, label }) => ({
    path: ['profile', ...path],
    name: `profile.${name}`,
    label: `profile.${label}`,
  }))

/** A booking with the profile of its member, and what comes behind it. */
export function withProfile(
  { document, memberId, member, times = '' }: KeptForList,
  layout: Layout,
): string {
  const id = JSON.stringify(memberId)
  const fields = [
    `{"key":"profileId","label":"Profile ID","value":${id},"type":"string"}`,
    ...(member === undefined ? [] : fieldObjects(layout, member)),
  ]
  return `${document.slice(0, -1)},"profile":{"memberId":${id},"fields":[${fields.join(',')}]}${times}}`
}

export const routes = new Hono<Env>()
  .get('/', endpoint(contract), handler)
  .get('/:bookingId', ...single(subject))
  .route('/', writes(subject))
