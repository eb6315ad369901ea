import { requireCollection } from '../../access/credential.ts'
import { ApiError, invalidField, invalidInput } from '../../model/api-error.ts'
import { notFound } from '../../model/collection.ts'
import { parseStoredSchema, type Schema, type Values } from '../../model/properties/schema.ts'
import { UniqueChecks } from '../../records/changes.ts'
import { parseDocument } from '../../records/person.ts'
import { personRules } from '../../records/person-rules.ts'
import { hiddenError } from '../../records/record-rules.ts'
import { retryWhileChanged } from '../../records/retry.ts'
import {
  type IdempotencyKey,
  identifyRequest,
  parseStoredResponse,
  recoverResponse,
} from '../../records/stored-responses.ts'
import type { WriteParts } from '../../records/write.ts'
import { commitMark, readBeforeMark } from '../../store/sign-up/attendance.ts'
import type { Store } from '../../store/store.ts'
import type { IdempotentRequest } from '../../store/write/idempotency.ts'
import type { NewDocument } from '../../store/write/put.ts'
import { bookingStates } from '../booking.ts'
import { findLikelyMembers, type LikelyMember } from './likely-members.ts'
import { buildMember, memberValues } from './new-member.ts'
import { hasDates, mayTakeRegister, seesMember } from './open-register.ts'

/** A mark on the register. */
type AttendanceMark = {
  /** Whether the person came; null takes the mark back. */
  came: boolean | null
  /** The member who came, or `new` for somebody who is not a member yet. */
  memberId?: string | undefined
}

/** A booking after it was marked. */
export type MarkedBooking = {
  bookingId: string
  /** The event of the register; earlier versions stored responses without it. */
  eventId?: string
  memberId: string
  orgStatus: string
  attending: boolean
  /** The members who may be the person, if nobody has chosen yet: no member is created until then. */
  likelyMembers: Omit<LikelyMember, 'name'>[]
}

/** The properties of a booking that a mark depends on. */
export type BookingValues = Values & {
  eventId: string
  childEventId: string | null
  memberId: string
  userName: string
  userEmail: string
  userStatus: string
  orgStatus: string
  attending: boolean
  bookingType: string
  orderId?: string | null
  created?: string | null
}

const permissions = ['take-registers'] as const

/**
 * Marks a booking on the register of its event. A person who came becomes a member, unless they may be
 * known already. Throws 400 with every validation error, and 404.
 */
export async function recordAttendance(
  destination: WriteParts,
  bookingId: string,
  mark: AttendanceMark,
  key?: IdempotencyKey,
): Promise<MarkedBooking> {
  const request = await identifyRequest(destination.store, key)
  return retryWhileChanged(() => markOnce(destination, bookingId, mark, request))
}

/** Returns undefined if another request changed the booking since it was read. */
async function markOnce(
  destination: WriteParts,
  bookingId: string,
  mark: AttendanceMark,
  request: IdempotentRequest | undefined,
): Promise<MarkedBooking | undefined> {
  const { store } = destination
  const state = await readBeforeMark(store, bookingId, request)
  if (request && state.response)
    return JSON.parse(parseStoredResponse(request, state.response).text ?? '')
  try {
    if (!state.booking || !mayTakeRegister(store, state.event.start))
      throw notFound({ singular: 'booking', id: 'bookingId' })
    if (state.event.isSeries) throw new ApiError('BAD_REQUEST', hasDates)
    const booking: BookingValues = JSON.parse(state.booking.document)
    const schema = parseStoredSchema(state.schema)
    const person = await resolveMember(store, schema, booking, mark, state.answers)
    const memberId = person.member?.id ?? person.linked ?? booking.memberId
    const marked = { ...booking, memberId, ...markStatuses(booking, mark, state.before) }
    const { orgStatus, attending } = marked
    // The response is stored, so it has no names.
    const likelyMembers = person.likelyMembers.map(({ name: _, ...likely }) => likely)
    const eventId = registerEventId(booking)
    const response = { bookingId, eventId, memberId, orgStatus, attending, likelyMembers }
    const { document: member, checks } = await prepareMember(destination, schema, person.member)
    const result = await commitMark(store, {
      booking: {
        id: bookingId,
        document: JSON.stringify(marked),
        version: state.booking.version,
      },
      eventId,
      // Before the first mark, the event keeps the number of its source.
      countsAttendees: !!(markOf(booking) ?? markOf(marked)),
      isRemoved: mark.came === null,
      newMember: member,
      source: state.answers ? { through: 'sign-up' } : {},
      unique: checks?.values ?? [],
      linkedMemberId: person.linked,
      request: request && { digests: request, response: JSON.stringify(response) },
    })
    if (result.isChanged) return undefined
    if (checks && result.taken.length > 0) throw invalidInput(checks.taken(result, 'member'))
    if (result.isMissing)
      throw invalidField('memberId', 'not_found', 'must be the id of one of the members.')
    return response
  } catch (error) {
    const parts = await recoverResponse(store, 'bookings', request, permissions, error)
    return JSON.parse(parts.text ?? '')
  }
}

/** The event whose register has a booking: the occurrence, if the booking is for one. */
export const registerEventId = ({
  childEventId,
  eventId,
}: Pick<BookingValues, 'childEventId' | 'eventId'>) => childEventId || eventId

/** The member that a mark creates or links, or the members who may be the person. */
type ResolvedMember = {
  member?: NewDocument | undefined
  linked?: string
  likelyMembers: LikelyMember[]
}

/** Decides who came. A booking with a member is only marked. Throws 400 if the mark contradicts the booking. */
async function resolveMember(
  store: Store,
  schema: Schema,
  booking: BookingValues,
  { came, memberId }: AttendanceMark,
  signUpAnswers: string | undefined,
): Promise<ResolvedMember> {
  const none = { likelyMembers: [] }
  if (memberId !== undefined) requireMember(store)
  if (memberId !== undefined && came !== true)
    throw invalidField('memberId', 'not_allowed', 'can be given only for a person who came.')
  if (came !== true) return none
  if (booking.memberId !== '') {
    if (memberId === undefined || memberId === 'new' || memberId === booking.memberId) return none
    throw invalidField('memberId', 'conflict', 'The booking has another member already.')
  }
  if (memberId === undefined && isVolunteer(booking)) return none
  requireCollection(store.policy, 'members')
  if (memberId !== undefined && memberId !== 'new') return { ...none, linked: memberId }
  const { userName, userEmail } = booking
  const answers: Values | undefined = signUpAnswers && JSON.parse(signUpAnswers)
  const values = memberValues(schema, { name: userName, email: userEmail, answers })
  const likelyMembers =
    memberId === 'new' ? [] : await findLikelyMembers(store, schema, values, userEmail)
  return { likelyMembers, member: likelyMembers.length === 0 ? buildMember(values) : undefined }
}

/** Throws unless the caller sees the members to choose from: the response would confirm a guessed id. */
function requireMember(store: Store): void {
  if (!store.canRead)
    throw new ApiError('FORBIDDEN', 'Choosing the member who came needs the `read` permission.')
  requireCollection(store.policy, 'members')
  if (!seesMember(store)) throw invalidInput([hiddenError('memberId')])
}

/** Adds areas to a new member, and returns the checks of its unique fields. */
export async function prepareMember(
  { geography }: WriteParts,
  schema: Schema,
  member: NewDocument | undefined,
) {
  if (!member) return { document: undefined, checks: undefined }
  // Without a policy: the values are those of the sign-up, also in fields hidden from the caller.
  const rules = personRules('members', schema)
  const [document = member] = (await rules.addAreas?.(geography, [member])) ?? [member]
  const values = parseDocument(document.document)
  const change = { prefix: '', written: document, values, before: undefined, differs: true }
  return { document, checks: new UniqueChecks(rules.unique, [change]) }
}

const markStatusNames = ['attended', 'absent'] as const

export type MarkStatus = (typeof markStatusNames)[number]

/** The mark of a booking; undefined before its first. */
export const markOf = ({ orgStatus }: Pick<BookingValues, 'orgStatus'>): MarkStatus | undefined =>
  markStatusNames.find((status) => status === orgStatus)

/** Whether a booking is a volunteer's, who is not a member. */
export const isVolunteer = ({ bookingType }: Pick<BookingValues, 'bookingType'>) =>
  bookingType === 'volunteer'

/** The properties of a booking that a mark sets. */
export const attendanceOf = (came: boolean): { orgStatus: MarkStatus; attending: boolean } => ({
  orgStatus: came ? 'attended' : 'absent',
  attending: came,
})

/** The statuses of a marked booking; `before` has those before the first mark, as JSON text. */
function markStatuses(
  { orgStatus, attending, userStatus }: BookingValues,
  { came }: AttendanceMark,
  before: string | undefined,
): { orgStatus: string; attending: boolean } {
  if (came !== null) return attendanceOf(came)
  if (!markOf({ orgStatus })) return { orgStatus, attending }
  if (before !== undefined) return JSON.parse(before)
  return {
    orgStatus: '',
    attending: new Map<string, boolean>(Object.entries(bookingStates)).get(userStatus) ?? true,
  }
}
