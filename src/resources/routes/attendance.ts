import { route } from '../../auth/route.ts'
import { ErrorBody } from '../../http/error-bodies.ts'
import { idempotencyHeaders, parseIdempotencyKey } from '../../http/idempotency-key.ts'
import { closedQuery } from '../../http/query.ts'
import { idText } from '../../model/properties/types.ts'
import { londonDay } from '../../model/timestamp.ts'
import { messages } from '../../model/validation-error.ts'
import * as z from '../../model/zod.ts'
import { type MarkedBooking, recordAttendance } from '../../sign-up/register/attendance.ts'
import { comparedDetails } from '../../sign-up/register/likely-members.ts'
import { seesMember } from '../../sign-up/register/open-register.ts'
import { countNotMarked } from '../../sign-up/who-came.ts'
import type { Store } from '../../store/store.ts'
import { notMarkedType } from './not-marked.ts'
import { pathParameters, type Resource } from './resource.ts'

const idMeta = (description: string) => ({ description, examples: ['member-0001'] })

/** `POST /:bookingId/$attendance`: marks a booking on the register of its event. */
export function markAttendance(resource: Resource) {
  return route(
    {
      operationId: 'markAttendance',
      summary: 'Mark a booking on the register',
      description:
        'Records whether the person of a booking came, and counts the `attendees` of the event. Somebody who came becomes a member with the answers of their sign-up, in the same transaction, unless the booking has a member, is a volunteer’s, or some members have the same name, email address or telephone number: these are then in `likelyMembers`, and the next request chooses with `memberId`, which needs the `read` permission and a visible `memberId`. Taking a mark back keeps the member. `notMarked` needs `read`, and a key without restrictions. Needs the `write` permission, or the role `steward` for events that started in the last week or are still to come.',
      isAddition: true,
      path: pathParameters(resource),
      query: closedQuery(),
      headers: idempotencyHeaders,
      body: z.strictObject({
        came: z
          .boolean(`${messages.boolean.slice(0, -1)}, or null.`)
          .nullable()
          .meta({
            description: 'Whether the person came; null takes the mark back.',
            examples: [true],
          }),
        memberId: idText(z)
          .optional()
          .meta(
            idMeta(
              'The id of the member who came, or `new` for somebody who is not a member yet, even if a member looks alike.',
            ),
          ),
      }),
      responses: () => ({
        200: z.strictObject({
          booking: z
            .strictObject({
              bookingId: z
                .string()
                .meta({ description: 'The id of the booking.', examples: ['booking-1042'] }),
              memberId: z
                .string()
                .optional()
                .meta(
                  idMeta('The id of the member, empty without one. Needs the `read` permission.'),
                ),
              orgStatus: z
                .string()
                .meta({ description: '`attended` or `absent`.', examples: ['attended'] }),
              attending: z
                .boolean()
                .meta({ description: 'Whether the person attended.', examples: [true] }),
            })
            .meta({ description: 'The booking after the mark.' }),
          notMarked: notMarkedType(z).optional(),
          likelyMembers: z
            .array(
              z.strictObject({
                memberId: z.string().meta(idMeta('The id of the member.')),
                same: z
                  .array(z.enum(comparedDetails))
                  .meta({ description: 'The details that are the same.', examples: [['email']] }),
              }),
            )
            .optional()
            .meta({
              description:
                'The members who may be the person, the most similar first, if a choice is needed. Needs the `read` permission, and a key without restrictions.',
            }),
        }),
        403: ErrorBody,
        404: ErrorBody,
        413: ErrorBody,
        415: ErrorBody,
        422: ErrorBody,
      }),
    },
    async (c) => {
      const { destination } = await c.var.openRecords()
      const marked = await recordAttendance(
        destination,
        String(c.req.param(resource.id)),
        c.req.valid('json'),
        await parseIdempotencyKey(c.req, c.req.valid('header')['Idempotency-Key']),
      )
      const { store } = c.var
      const { eventId } = marked
      const notMarked =
        store.seesEverything && eventId !== undefined
          ? (await countNotMarked(store, [eventId], londonDay(Date.now()))).get(eventId)
          : undefined
      return c.json({ ...redactMarked(store, marked), notMarked })
    },
  )
}

/** Withholds members from callers who may not see them. */
function redactMarked(
  store: Store,
  { memberId, likelyMembers, eventId: _, ...booking }: MarkedBooking,
) {
  const { canRead, policy } = store
  return {
    booking: { ...booking, ...(seesMember(store) && { memberId }) },
    ...(canRead && !policy.isRestricted && likelyMembers.length > 0 && { likelyMembers }),
  }
}
