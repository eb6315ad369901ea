import { type Handler, Hono } from 'hono'
import * as z from 'zod'
import type { Env } from '../auth/env.ts'
import { endpoint, type Valid } from '../http/contract.ts'
import { booleanFilter, dateFilter, listQuery, textFilter } from '../http/query.ts'
import { ApiError } from '../model/api-error.ts'
import type { Collection } from '../model/collection.ts'
import { boolean, date, id, nullableText, number, text, timestamp } from '../model/properties.ts'
import { FieldObject } from '../people/contracts.ts'
import { fieldColumns, fieldObjects, type Layout, layoutOf, only } from '../people/layout.ts'
import { type Column, columnsOf } from '../representations/csv.ts'
import { listType } from '../representations/json.ts'
import { answerList, tables } from '../representations/list.ts'

const defaultProfileFields = ['Full Name', 'Postcode', 'Email', 'Phone']

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
  id: 'bookingId',
  record: KeptBooking,
  item: Booking,
  prepare: ({ profile, ...booking }) => booking,
} satisfies Collection

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
    {
      profileFields: z
        .string()
        .optional()
        .meta({
          description: `The schema fields to show in each profile, by id and separated by commas; ${defaultProfileFields.join(', ')} if not given.`,
        }),
    },
  ),
  answers: { 200: listType('bookings', Booking) },
  tables,
}

const handler: Handler<Env, '/', Valid<typeof contract>> = (c) => {
  const { profileFields, ...asked } = c.req.valid('query')
  return answerList(c, asked, {
    name: 'bookings',
    plural: 'bookings',
    async page(query) {
      const { bookings, schema, total, next } = await c.var.store.bookings(query)
      if (schema === undefined) {
        throw new ApiError(
          'INTERNAL_ERROR',
          'The organisation has no member schema to draw profiles by.',
        )
      }
      const shown = only(layoutOf(schema), profileFields?.split(',') ?? defaultProfileFields)
      return {
        count: bookings.length,
        items: () => bookings.map((booking) => withProfile(booking, shown)),
        documents: () => bookings.map(withMember),
        columns: () => [...columnsOf(KeptBooking), ...profileColumns(shown)],
        total,
        next,
      }
    },
  })
}

type KeptForList = { document: string; memberId: string; member?: string }

const withMember = ({ document, member = '{}' }: KeptForList) =>
  `${document.slice(0, -1)},"profile":${member}}`

const profileColumns = (layout: Layout): Column[] =>
  fieldColumns(layout).map(({ path, name, label }) => ({
    path: ['profile', ...path],
    name: `profile.${name}`,
    label: `profile.${label}`,
  }))

function withProfile({ document, memberId, member }: KeptForList, layout: Layout): string {
  const id = JSON.stringify(memberId)
  const fields = [
    `{"key":"profileId","label":"Profile ID","value":${id},"type":"string"}`,
    ...(member === undefined ? [] : fieldObjects(layout, member)),
  ]
  return `${document.slice(0, -1)},"profile":{"memberId":${id},"fields":[${fields.join(',')}]}}`
}

export const routes = new Hono<Env>().get('/', endpoint(contract), handler)
