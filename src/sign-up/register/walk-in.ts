import { invalidInput } from '../../model/api-error.ts'
import { isPostcodeField } from '../../model/properties/area-fields.ts'
import { nameFields } from '../../model/properties/person-name.ts'
import { typeHolds } from '../../model/properties/recognise.ts'
import { parseStoredSchema, type Schema } from '../../model/properties/schema.ts'
import { sha256 } from '../../platform/sha256.ts'
import {
  type IdempotencyKey,
  identifyRequest,
  recoverResponse,
} from '../../records/stored-responses.ts'
import type { WriteParts } from '../../records/write.ts'
import { commitMark } from '../../store/sign-up/attendance.ts'
import { readStoredSignUpForm, type StoredSignUpForm } from '../../store/sign-up/read-event.ts'
import { type Attendee, type AttendeeInput, checkAttendees } from '../attendees.ts'
import { newBooking, personOf, stateOf } from '../booking.ts'
import { nextDeletion } from '../deletion-days.ts'
import { parseSignUpForm, type SignUpField, type SignUpForm } from '../form.ts'
import { askableFields } from '../public-pages.ts'
import { prepareMember } from './attendance.ts'
import { findLikelyMembers } from './likely-members.ts'
import { buildMember, memberValues } from './new-member.ts'
import { openRegister } from './open-register.ts'

const permissions = ['take-registers'] as const

/**
 * Adds somebody who came without a booking, as a booking with a mark, and as a member unless they may
 * be known already. Returns the id of the booking. Throws 400 with every validation error, and 404.
 */
export async function addWalkIn(
  destination: WriteParts,
  eventId: string,
  values: AttendeeInput['values'],
  key: IdempotencyKey,
): Promise<string> {
  const { store } = destination
  const request = await identifyRequest(store, key)
  const stored = await readStoredSignUpForm(store, eventId, permissions)
  const form = openRegister(store, stored)
  const schema = parseStoredSchema(stored.schema)
  const attendee = checkWalkIn(form, walkInFields(stored), values)
  const bookingId = crypto.randomUUID()
  const { booking, member, signUp } = await buildWalkIn(destination, schema, {
    form,
    attendee,
    bookingId,
  })
  try {
    const { document, checks } = await prepareMember(destination, schema, member)
    const result = await commitMark(store, {
      booking: { id: bookingId, document: JSON.stringify(booking), version: null },
      eventId,
      countsAttendees: true,
      newMember: document,
      source: { through: 'walk-in' },
      signUp,
      unique: checks?.values ?? [],
      request: request && { digests: request, response: JSON.stringify({ bookingId }) },
    })
    if (checks && result.taken.length > 0) throw invalidInput(checks.taken(result, 'member'))
    return bookingId
  } catch (error) {
    return (await recoverResponse(store, 'bookings', request, permissions, error)).id
  }
}

/**
 * The fields of a walk-in: those of the sign-up form, or a name and contact details. At the
 * door, only the name is required.
 */
export function walkInFields(stored: StoredSignUpForm): SignUpField[] {
  const fields = askableFields(parseStoredSchema(stored.schema))
  const names = nameFields(fields)
  const [nameField] = names
  const chosen = parseSignUpForm(stored)?.fields ?? []
  const details = (['email', 'phone'] as const).map((detail) =>
    fields.find((field) => typeHolds(detail, field)),
  )
  const usual = [...names, ...details, fields.find(isPostcodeField)]
  return (chosen.length > 0 ? chosen : usual).flatMap((field) =>
    field ? [{ ...field, required: field.id === nameField?.id }] : [],
  )
}

function checkWalkIn(
  form: SignUpForm,
  fields: SignUpField[],
  values: AttendeeInput['values'],
): Attendee {
  const { attendees, errors } = checkAttendees({ ...form, fields, questions: [] }, [{ values }])
  const [attendee] = attendees
  const path = 'attendees.0'
  if (attendee && errors.length === 0) return attendee
  throw invalidInput(
    errors.map(({ field, ...error }) => ({ ...error, field: field.slice(path.length + 1) })),
  )
}

/** Builds the booking of a walk-in with its member, or with the answers until staff choose the member. */
async function buildWalkIn(
  { store }: WriteParts,
  schema: Schema,
  { form, attendee, bookingId }: { form: SignUpForm; attendee: Attendee; bookingId: string },
) {
  const { name, email, values: answers } = attendee
  const contact = { name: '', email: '' }
  const values = memberValues(schema, { name, email, answers })
  const likely = await findLikelyMembers(store, schema, values, email)
  const member = likely.length === 0 ? buildMember(values) : undefined
  const { event } = form
  return {
    member,
    booking: {
      ...newBooking(store.organisationId, event, {
        bookingId,
        orderId: bookingId,
        isVolunteer: false,
      }),
      ...personOf(attendee, contact),
      ...stateOf('confirmed'),
      memberId: member?.id ?? '',
      orgStatus: 'attended',
    },
    signUp: member
      ? undefined
      : {
          personHash: await sha256(bookingId),
          contact: JSON.stringify({ ...contact, origin: '' }),
          answers: JSON.stringify(answers),
          deleteAfter: nextDeletion(event, []),
        },
  }
}
