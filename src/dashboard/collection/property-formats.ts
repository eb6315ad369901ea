import { nameMayHold } from '../../model/properties/recognise.ts'
import type { Format } from '../ui/format-value.ts'

/** The labels of properties that people call by another name than the contract, by collection. */
const labels: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  events: {
    start: 'Starts',
    end: 'Ends',
    concluded: 'Completed',
    attendees: 'Attended',
    bookable: 'Open for booking',
    parentEventId: 'Series',
    'recurrence.type': 'Repeats',
    'recurrence.recurring': 'Repeating',
    'recurrence.rrule': 'Repetition',
    'bookingDetails.capacityTotal': 'Places',
    'bookingDetails.volunteerCapacityTotal': 'Places for volunteers',
    'bookingDetails.price': 'Price',
    'bookingDetails.privateEvent': 'Invitation only',
    'bookingDetails.bookable': 'Places can be booked',
    'bookingDetails.bookVolunteers': 'Volunteers can book',
    'bookingDetails.contactEmail': 'E-mail for questions',
    'bookingDetails.contactPhone': 'Phone for questions',
    'venue.name': 'Venue',
  },
  bookings: {
    eventId: 'Event',
    childEventId: 'Occurrence',
    memberId: 'Member',
    name: 'Event at booking',
    userName: 'Name',
    userEmail: 'E-mail',
    userStatus: 'Status',
    orgStatus: 'Our status',
    bookingType: 'Kind of person',
    type: 'Kind of booking',
    ticketName: 'Ticket',
    customPrice: 'Price',
    start: 'Starts',
    end: 'Ends',
    duration: 'Minutes',
  },
  forms: { questionCount: 'Questions', formFor: 'Fills fields of' },
  'survey-responses': { surveyId: 'Form', surveyScore: 'Score', date: 'Answered' },
  'case-notes': { content: 'Note', isPrivate: 'Private', isPinned: 'Pinned' },
  funds: {
    'financials.totalAmount': 'Amount',
    'financials.amountAwarded': 'Awarded',
    'financials.amountDisbursed': 'Paid',
    'financials.maxGrantSize': 'Largest grant',
    'dates.start': 'Starts',
    'dates.end': 'Ends',
    isOpenCall: 'Open call',
  },
  'grant-applications': {
    fundId: 'Fund',
    'recipient.name': 'Recipient',
    amountApplied: 'Applied for',
    amountAwarded: 'Awarded',
    amountDisbursed: 'Paid',
    durationMonths: 'Months',
  },
  disbursements: {
    fundId: 'Fund',
    grantId: 'Application',
    identifier: 'Reference',
    'dates.scheduled': 'Due',
    'dates.processed': 'Paid on',
    'payment.reference': 'Bank reference',
  },
}

/** Labels of properties that every collection has. */
const sharedLabels: Readonly<Record<string, string>> = {
  created: 'Created',
  updated: 'Last changed',
  'linkedEntities.memberIds': 'Members',
  'linkedEntities.partnerIds': 'Partners',
  'linkedEntities.volunteerIds': 'Volunteers',
}

/** Returns the label of a property; undefined if its name is its label. */
export const findLabel = (collection: string, name: string): string | undefined =>
  labels[collection]?.[name] ?? sharedLabels[name]

const money =
  /^(?:bookingDetails\.price|customPrice|amount\w*|financials\.(?:total|max|amount)\w*)$/
const codes =
  /^(?:userStatus|orgStatus|bookingType|type|status|formFor|currency|payment\.method|recurrence\.type|recipient\.type|dataSource)$/

/** Returns how pages show a property of a structured record. */
export function findFormat(name: string): Format | undefined {
  if (money.test(name)) return 'money'
  if (name === 'colour') return 'colour'
  if (name === 'recurrence.rrule') return 'repetition'
  return codes.test(name) ? 'code' : undefined
}

const technical =
  /(?:^|\.)(?:\w*Ids?|managedBy|user|booker|creator|submittedTo|\w+By|dataSource|id|source)$/

/** Returns whether a property means something to a system only, such as the id of an account. */
export const isTechnical = (name: string): boolean => technical.test(name)

/** Returns whether a property holds dates of birth, which filters and reports also take as ages. */
export const isBirthDate = ({ type, label, name }: NamedProperty): boolean =>
  type === 'date' && [label, name].some((text) => nameMayHold('date of birth', text))

type NamedProperty = { type: string; label: string; name: string }
