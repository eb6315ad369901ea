import type { Lookup } from './mapping.ts'

/**
 * The headings that systems for charities use, by canonical name. To recognise another heading,
 * add it after a comma, in lower case and without brackets or punctuation.
 */
export const knownHeadings: Readonly<Record<string, string>> = {
  'Record ID': `
    id, record id, contact id, person id, client id, member id, volunteer id, partner id,
    supporter id, profile id, constituent id, constituent number, lamplight id, response id,
    client number, client ref, client reference, external identifier, external key, urn,
    unique id, leid`,
  'Membership Number': `
    membership number, membership no, member number, member no, membership id`,
  Title: 'title, individual prefix, salutation, contact1 salutation, prefix',
  Email: 'npe01 homeemail, username',
  'Address Line 1': `
    address line 1, address 1, address1, addressline1, street address, street, mailing street,
    home street, home address 1, house and street, address line1, current address line 1`,
  'Address Line 2': `
    address line 2, address 2, address2, addressline2, home address 2, supplemental address 1,
    address line2, current address line 2`,
  'Address Line 3': `
    address line 3, address 3, address3, supplemental address 2, current address line 3`,
  Town: `
    town, city, town city, town or city, post town, postal town, mailing city, home city`,
  County: `
    county, state, state province, mailing state province, home state, home state province,
    region`,
  Country: 'country, mailing country, home country, cc',
  Gender: 'gender, sex, gender identity',
  Ethnicity: 'ethnicity, ethnic origin, ethnic group, ethnic background',
  Joined: `
    joined, date joined, join date, joining date, member since, membership start date,
    membership start, start date of membership, registration date, date registered`,
  Notes: 'notes, note, comments, comment, general notes',
  Tags: 'tags, labels, groups',
  Created: `
    created, created at, created date, date created, date added, added, order date,
    order created date, optin time, start time, timestamp, submitted at`,
  Completed: 'completion time, completed, completed at, date completed',
  Updated: `
    updated, updated at, last changed, last modified, last modified date, modified date,
    date modified, last updated`,
  'Event Name': 'event name, event, event title, name of event',
  'Event ID': 'event id, event number, event series id',
  'Event Start': `
    event start, event start date, event date, event starts, start date, starts, starts at,
    start`,
  'Event Start Time': 'event start time',
  'Event End': 'event end, event end date, event ends, end date, ends, ends at, end',
  'Event End Time': 'event end time',
  Venue: 'venue, venue name, location, event location',
  'Venue Address': 'venue address',
  'Venue Postcode': 'venue postcode, venue postal code',
  Capacity: 'capacity, places, event capacity, total capacity',
  'Order Number': `
    order number, order, order no, order id, order reference, booking reference`,
  'Ticket Number': `
    attendee, attendee number, attendee id, ticket number, ticket id, issued ticket id, barcode,
    booking id, ticket code, attendee no, ticket reference`,
  'Ticket Type': 'ticket type, ticket, ticket name, ticket description, ticket class',
  'Booking Status': 'attendee status, booking status, order status, ticket status',
  'Checked In': 'checked in, attended, attendance, check in, checked in at, came, present',
  'Price Paid': 'total paid, price paid, ticket price, price, ticket total',
  'Amount Requested': `
    amount requested, amount applied for, requested amount, amount applied`,
  'Amount Awarded': 'amount awarded, award amount, grant amount, amount',
  'Date Awarded': 'date awarded, award date, awarded, awarded on',
  'Project Title': 'project title, grant title, application title, project, project name',
  'Organisation Name': `
    organisation name, organization name, organisation, organization, applicant, company,
    account name, recipient, recipient organisation, charity name`,
  'Fund Name': 'fund, fund name, programme, grant programme, fund title',
  'Application ID': `
    application id, application number, application ref, application reference, grant id,
    grant reference, grant number`,
  Status: 'status, stage',
  Description: 'description, summary, details',
}

/** Columns that identify an export, because no second system has all of them. demo/exports/README.md names the sources. */
export const systems: readonly (readonly [system: string, columns: string])[] = [
  ['Mailchimp', 'email address, member rating, leid'],
  ['Eventbrite', 'price tier, attendee status, ticket type'],
  ['Ticket Tailor', 'order id, event id, ticket reference, ticket type'],
  ['Ticket Tailor', 'order id, event id, tickets purchased, order items'],
  ['Microsoft Forms', 'id, start time, completion time, email, name'],
  ['Google Forms', 'timestamp'],
  ['Salesforce NPSP', 'contact1 first name, contact1 last name'],
  ['Salesforce', 'contact id, mailing street, mailing zip postal code'],
  ['CiviCRM', 'contact id, contact type, do not email, external identifier'],
  ['Donorfy', 'block email, refused gift aid'],
  ['Lamplight', 'first name, surname, current address line 1'],
]

/** Property paths by canonical name, for collections without a schema; `by` says how to find a referenced record. */
export const knownTargets: Readonly<
  Record<string, Readonly<Record<string, readonly KnownTarget[]>>>
> = {
  events: {
    'Event ID': [{ path: 'eventId' }],
    'Record ID': [{ path: 'eventId' }],
    'Event Name': [{ path: 'name' }],
    'Full Name': [{ path: 'name' }],
    'Event Start': [{ path: 'start' }],
    'Event Start Time': [{ path: 'start' }],
    'Event End': [{ path: 'end' }],
    'Event End Time': [{ path: 'end' }],
    Venue: [{ path: 'venue.name' }],
    'Venue Address': [{ path: 'venue.address' }],
    'Venue Postcode': [{ path: 'venue.postcode' }],
    Postcode: [{ path: 'venue.postcode' }],
    Capacity: [{ path: 'bookingDetails.capacityTotal' }],
    'Price Paid': [{ path: 'bookingDetails.price' }],
    Description: [{ path: 'bookingDetails.description' }],
    Email: [{ path: 'bookingDetails.contactEmail' }],
    Phone: [{ path: 'bookingDetails.contactPhone' }],
    Tags: [{ path: 'tags' }],
    Created: [{ path: 'created' }],
    Updated: [{ path: 'updated' }],
  },
  bookings: {
    'Ticket Number': [{ path: 'bookingId' }],
    'Event Name': [{ path: 'eventId', by: 'name' }, { path: 'name' }],
    'Event ID': [{ path: 'eventId' }],
    'Record ID': [{ path: 'memberId' }],
    Email: [{ path: 'memberId', by: 'email' }, { path: 'userEmail' }],
    'Full Name': [{ path: 'userName' }],
    'First Name': [{ path: 'userName' }],
    Surname: [{ path: 'userName' }],
    'Order Number': [{ path: 'orderId' }],
    'Ticket Type': [{ path: 'ticketName' }],
    'Booking Status': [{ path: 'userStatus' }],
    Status: [{ path: 'userStatus' }],
    'Checked In': [{ path: 'attending' }],
    'Event Start': [{ path: 'start' }],
    'Event Start Time': [{ path: 'start' }],
    'Event End': [{ path: 'end' }],
    'Event End Time': [{ path: 'end' }],
    'Price Paid': [{ path: 'customPrice' }],
    Created: [{ path: 'created' }],
    Updated: [{ path: 'updated' }],
  },
  funds: {
    'Record ID': [{ path: 'fundId' }],
    'Fund Name': [{ path: 'name' }],
    'Full Name': [{ path: 'name' }],
    Description: [{ path: 'description' }],
    Email: [{ path: 'contact.email' }],
  },
  'grant-applications': {
    'Application ID': [{ path: 'applicationId' }],
    'Record ID': [{ path: 'applicationId' }],
    'Fund Name': [{ path: 'fundId', by: 'name' }],
    'Project Title': [{ path: 'title' }],
    'Organisation Name': [{ path: 'recipient.name' }],
    Email: [{ path: 'recipient.email' }],
    Phone: [{ path: 'recipient.phone' }],
    Postcode: [{ path: 'recipient.postcode' }],
    'Amount Requested': [{ path: 'amountApplied' }],
    'Amount Awarded': [{ path: 'amountAwarded' }],
    'Date Awarded': [{ path: 'dates.awarded' }],
    Status: [{ path: 'status' }],
    Description: [{ path: 'description' }],
  },
  disbursements: {
    'Record ID': [{ path: 'disbursementId' }],
    'Application ID': [{ path: 'grantId' }],
    'Fund Name': [{ path: 'fundId', by: 'name' }],
    'Amount Awarded': [{ path: 'amount' }],
    Status: [{ path: 'status' }],
    Notes: [{ path: 'notes' }],
    Description: [{ path: 'description' }],
  },
  'survey-responses': {
    'Record ID': [{ path: 'responseId' }],
    Completed: [{ path: 'date' }],
    Created: [{ path: 'created' }, { path: 'date' }],
    Updated: [{ path: 'updated' }],
  },
  'case-notes': {
    'Record ID': [{ path: 'linkedEntities.memberIds' }],
    Email: [{ path: 'linkedEntities.memberIds', by: 'email' }],
    'Full Name': [{ path: 'linkedEntities.memberIds', by: 'name' }],
    Notes: [{ path: 'content' }],
    Created: [{ path: 'created' }],
    Updated: [{ path: 'updated' }],
    Tags: [{ path: 'tags' }],
  },
}

type KnownTarget = { path: string; by?: Lookup }

/**
 * Properties with an ambiguous name, and the heading that a file needs besides: without a "user name"
 * column, a "name" column in a list of bookings holds the booker's name.
 */
export const ambiguousNames: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  bookings: { name: 'user name' },
}
