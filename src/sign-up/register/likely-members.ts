import { isSameDetail } from '../../model/properties/compare-people.ts'
import { personName } from '../../model/properties/person-name.ts'
import { holds } from '../../model/properties/recognise.ts'
import {
  type Field,
  parseStoredSchema,
  type Schema,
  type Values,
} from '../../model/properties/schema.ts'
import { parseDocument } from '../../records/person.ts'
import { searchPeople } from '../../records/search/search-people.ts'
import { readBeforeMark } from '../../store/sign-up/attendance.ts'
import type { Store } from '../../store/store.ts'
import { firstText } from './entry-details.ts'
import { memberValues } from './new-member.ts'

/** The details that are compared. */
export const comparedDetails = ['name', 'email', 'phone'] as const

/** A member who may be the person of a booking, with the details that are the same. */
export type LikelyMember = {
  memberId: string
  name: string
  same: (typeof comparedDetails)[number][]
}

/** The details of a person, '' if unknown. */
type Details = Record<(typeof comparedDetails)[number], string>

const maxCandidates = 20
const maxLikely = 5

/**
 * Finds members with the same name, email address or telephone number as a new person, the most
 * similar first. `email` is the address of a person whose values have none. Requires
 * `take-registers`.
 */
export async function findLikelyMembers(
  store: Store,
  { fields }: Schema,
  person: Values,
  email: string,
): Promise<LikelyMember[]> {
  const values = readDetails(fields, person)
  const details = { ...values, email: values.email || email }
  const candidates = await Promise.all(
    Object.values(details).map(async (text) => {
      const options = { permissions: ['take-registers'], looksUpBeginnings: true } as const
      const people = await searchPeople(store, { kind: 'members', fields }, text, options)
      return people.read(0, maxCandidates)
    }),
  )
  const members = new Map(candidates.flat().map(({ id, document }) => [id, document]))
  return [...members]
    .map(([memberId, document]) => {
      const known = readDetails(fields, parseDocument(document))
      const same = comparedDetails.filter((name) => isSameDetail(name, known[name], details[name]))
      return { memberId, name: known.name, same }
    })
    .filter(({ same }) => same.length > 0)
    .toSorted((one, other) => other.same.length - one.same.length)
    .slice(0, maxLikely)
}

/** Finds the members who may be the person of a booking. Requires `take-registers`. */
export async function findMembersOfBooking(
  store: Store,
  bookingId: string,
): Promise<LikelyMember[]> {
  const { booking, schema: stored, answers } = await readBeforeMark(store, bookingId)
  if (!booking) return []
  const { userName: name, userEmail: email }: Record<'userName' | 'userEmail', string> = JSON.parse(
    booking.document,
  )
  const schema = parseStoredSchema(stored)
  const values = memberValues(schema, { name, email, answers: answers && JSON.parse(answers) })
  return findLikelyMembers(store, schema, values, email)
}

const readDetails = (fields: readonly Field[], values: Values): Details => ({
  name: personName(fields, values),
  email: firstText(
    [values],
    fields.filter((field) => holds('email', field)),
  ),
  phone: firstText(
    [values],
    fields.filter((field) => holds('phone', field)),
  ),
})
