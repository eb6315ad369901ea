import { newOrganisation } from '../../organisation.ts'

const types = {
  Ward: 'text',
  Born: 'date',
  PhotoConsent: 'boolean',
  Fee: 'number',
  Interests: 'multipleSelect',
  Gender: 'text',
}

const fields = Object.entries(types).map(([id, type], order) => ({
  id,
  name: id,
  label: id === 'PhotoConsent' ? 'Photo consent' : id,
  type,
  order,
}))

const primes = [2654435761, 2246822519, 3266489917, 668265263, 374761393, 2971215073]

/** A number below `below`, scattered over the records as if by chance. */
export const scatter = (record: number, salt: number, below: number) =>
  (Math.imul(record + 1, primes[salt] ?? 1) >>> 9) % below

const day = (start: number, days: number) =>
  new Date(Date.UTC(start, 0, 1 + days)).toISOString().slice(0, 10)

/** A year. Half of the people are young. */
const bornAfter = (record: number) =>
  record % 2 === 0 ? 1998 + scatter(record, 3, 14) : 1930 + scatter(record, 3, 90)

/** A member, of whom a few lack each field. */
const memberOf = (record: number) => ({
  memberId: `sampled-member-${record}`,
  ...(scatter(record, 0, 9) > 0 && { Ward: `Ward ${scatter(record, 1, 4)}` }),
  ...(scatter(record, 2, 9) > 0 && { Born: day(bornAfter(record), 7 * record) }),
  ...(scatter(record, 4, 3) > 0 && { PhotoConsent: scatter(record, 5, 2) === 1 }),
  ...(scatter(record, 1, 5) > 0 && { Fee: scatter(record, 2, 40) / 10 }),
  Gender: ['Woman', 'Man', 'Another'][scatter(record, 5, 3)],
  Interests: ['Food', 'Music', 'Art'].filter((_, index) => scatter(record, index, 2) === 1),
})

const eventOf = (record: number) => ({
  eventId: `event-${record}`,
  name: `Event ${record % 3}`,
  tags: ['Food', 'Music', 'Outdoors'].filter((_, index) => scatter(record, index + 1, 2) === 1),
  start: `${day(2025, 40 * record)}T${record % 2 === 0 ? '10' : '23'}:30:00.000Z`,
  attendees: 3 + scatter(record, 3, 20),
  bookingDetails: { price: record / 4, free: record % 2 === 0 },
})

/** The statuses of a booking. Nobody took the register of every third event. */
const statuses = (event: number) => ['approved', event % 3 === 0 ? 'approved' : 'attended', '']

/** A booking. Some are for nobody, for a member or an event without a record, or of the year before. */
const bookingOf = (record: number, people: number, events: number) => ({
  bookingId: `booking-${record}`,
  eventId: `event-${scatter(record, 1, events + 1)}`,
  memberId: scatter(record, 2, 12) === 0 ? '' : `sampled-member-${scatter(record, 3, people + 2)}`,
  date: day(2024 + scatter(record, 4, 2), scatter(record, 5, 365)),
  orgStatus: statuses(scatter(record, 1, events + 1))[scatter(record, 0, 3)],
  attending: scatter(record, 4, 3) > 0,
  duration: 15 * scatter(record, 0, 8),
  customPrice: scatter(record, 5, 4) === 0 ? null : scatter(record, 3, 70) / 10,
})

const list = <Item>(length: number, itemOf: (index: number) => Item) =>
  Array.from({ length }, (_, index) => itemOf(index))

type Sizes = { people: number; events: number; bookings: number }

/** Creates an organisation with members, events, bookings and case notes. */
export async function newSampleOrganisation({ people, events, bookings }: Sizes) {
  const organisation = await newOrganisation(fields)
  const put = async (collection: string, idName: string, documents: object[]) => {
    for (let start = 0; start < documents.length; start += 2000)
      await organisation.put(
        collection,
        documents.slice(start, start + 2000).map((document) => ({
          id: String(Object.entries(document).find(([name]) => name === idName)?.[1]),
          document,
        })),
      )
  }
  await put('members', 'memberId', list(people, memberOf))
  await put('events', 'eventId', list(events, eventOf))
  await put(
    'bookings',
    'bookingId',
    list(bookings, (record) => bookingOf(record, people, events)),
  )
  await put('case-notes', 'noteId', list(Math.min(people, 30), noteOf))
  return organisation
}

/** A case note that concerns up to two members and a volunteer. */
const noteOf = (record: number) => ({
  noteId: `note-${record}`,
  date: `${day(2025, 9 * record)}T09:00:00.000Z`,
  isPrivate: record % 4 === 0,
  tags: ['Visit', 'Call'].filter((_, index) => scatter(record, index, 2) === 1),
  linkedEntities: {
    memberIds: list(record % 3, (index) => `sampled-member-${scatter(record, index, 9)}`),
    volunteerIds: record % 5 === 0 ? ['sampled-member-1'] : [],
    partnerIds: [],
  },
})
