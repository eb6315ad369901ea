import { references } from '../references.ts'
import { namesAgree } from './compare-people.ts'
import type { Kind } from './schema.ts'

/*
 * How each structured collection holds data about people: what finds their records, what an export leaves
 * out and what an erasure does. References (references.ts) find records too. A test compares the table with
 * the type of every record, so that each new property gets its place in it.
 */

/** A detail of a person that finds records without a reference. */
export type Detail = 'id' | 'email' | 'phone'

/** The values that properties get when a person is erased. */
type Cleared = Readonly<Record<string, '' | null>>

export type PersonalDataRule = {
  /** The properties that hold a detail. A record with another name only loses its e-mail address and number. */
  details?: Readonly<Record<string, Detail>>
  /** The property with the name of the person whom the details belong to. */
  name?: string
  /** A reference to the record's owner: details find the record only while this is empty. */
  owner?: string
  /** The property with the id of the record that this one is part of: it is about the same person. */
  part?: { path: string; of: string }
  /** What an erasure does to the person's records: it deletes those about nobody else, or clears properties. */
  erasure: 'delete' | Cleared
  /** Properties with somebody else's id, unless it equals that in the other property: an export empties them. */
  othersIds?: Readonly<Record<string, string | null>>
}

/** The properties of a booking that identify a person, without a person. */
export const bookingWithoutPerson = {
  memberId: '',
  user: '',
  userEmail: '',
  userName: '',
  booker: '',
  funderMemberId: null,
  orderId: null,
} as const

export const personalDataRules: Readonly<Record<string, PersonalDataRule>> = {
  // The contact for questions may be a volunteer.
  events: {
    details: { 'bookingDetails.contactEmail': 'email', 'bookingDetails.contactPhone': 'phone' },
    erasure: {},
  },
  // A booking still counts towards its event, so it stays without the person's details.
  bookings: {
    details: { userEmail: 'email' },
    name: 'userName',
    owner: 'memberId',
    erasure: bookingWithoutPerson,
    othersIds: { booker: 'user', funderMemberId: null },
  },
  forms: {
    erasure: {},
  },
  'survey-responses': {
    erasure: 'delete',
  },
  'case-notes': {
    erasure: 'delete',
  },
  funds: {
    details: { 'contact.email': 'email' },
    name: 'contact.name',
    erasure: { 'contact.name': '' },
  },
  // The grant, its fund, dates and amounts stay: the charity has to account for them.
  'grant-applications': {
    details: { granteeId: 'id', 'recipient.email': 'email', 'recipient.phone': 'phone' },
    name: 'recipient.name',
    erasure: {
      title: '',
      description: '',
      summary: '',
      feedback: '',
      granteeId: '',
      'recipient.organisationId': '',
      'recipient.name': '',
      'recipient.email': '',
      'recipient.phone': '',
      'recipient.postcode': '',
      'recipient.registeredId': '',
      'recipient.address': '',
    },
  },
  disbursements: {
    part: { path: 'grantId', of: 'grant-applications' },
    erasure: {
      description: '',
      notes: '',
      'payment.reference': '',
      'bankAccount.accountName': '',
      'bankAccount.bankName': '',
      'bankAccount.accountNumber': '',
      'bankAccount.sortCode': '',
    },
  },
}

/** A property that finds a person's records: the records of `from` with `value` at `path`. */
export type PersonLink = {
  from: string
  path: string
  value: string
  /** Whether it is a reference, one of the person's own details, or the id of a record that it is part of. */
  by: 'reference' | Detail | 'part'
}

/** The links of references to a person. */
export const referenceLinks = (kind: Kind, id: string): PersonLink[] =>
  references
    .filter(({ to }) => to === kind)
    .map(({ from, path }) => ({ from, path, value: id, by: 'reference' }))

/** Whether an erasure empties the property, so that no record with the value is left. */
export const isCleared = ({ by }: PersonLink) => by !== 'id' && by !== 'part'

/**
 * Whether a record that a link found is the person's own, by the name in it. Without a name on both sides
 * it is somebody else's: relatives share a telephone, and different sources give equal ids.
 */
export const isOwnRecord = (
  { from, by }: PersonLink,
  name: unknown,
  names: readonly string[],
): boolean =>
  by === 'reference' ||
  by === 'part' ||
  personalDataRules[from]?.name === undefined ||
  (typeof name === 'string' && name !== '' && names.some((own) => namesAgree(own, name)))
