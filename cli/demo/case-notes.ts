import { daysAfter, dayWithin, earliestFirst, minutesAfter, officeTime } from './calendar.ts'
import type { Member } from './members.ts'
import { organisation, present, staffIds } from './organisation.ts'
import type { Partner } from './partners.ts'
import { seeded } from './seeded.ts'
import type { Volunteer } from './volunteers.ts'

/** What a case is about, told by its notes from the first to the last. */
const stories = [
  {
    tags: ['Housing'],
    isPrivate: true,
    notes: [
      'Came to the advice day about damp in the bedroom. The landlord has not answered two letters.',
      'Wrote to the landlord together, with photographs, and kept a copy.',
      'The landlord has agreed to an inspection. Explained what to ask for on the day.',
      'Repairs have started. Will ring again in a fortnight.',
      'The flat is dry. Closed with thanks.',
    ],
  },
  {
    tags: ['Employment'],
    isPrivate: false,
    notes: [
      'Wants to work in a kitchen again after four years of caring. Has a food hygiene certificate that ran out.',
      'Booked the hygiene course and a place at the job club.',
      'Passed the course. Rewrote the CV with the caring years in it.',
      'Two interviews this month; practised questions in pairs.',
      'Starts on Monday, 20 hours a week. Closed.',
    ],
  },
  {
    tags: ['Loneliness', 'Befriending'],
    isPrivate: false,
    notes: [
      'Moved here in the spring and knows nobody. Would like company on a walk, not a phone call.',
      'Introduced to a volunteer befriender over tea. They will walk on Wednesdays.',
      'Four walks so far. Has come to the community lunch as well.',
      'The befriender reports that spirits are better. Fewer visits from now on.',
    ],
  },
  {
    tags: ['Money'],
    isPrivate: true,
    notes: [
      'Behind with the gas bill since the hours at work were cut. No heating in one room.',
      'Went through income and outgoings. Applied for the warm home payment.',
      'Referred to a partner for debt advice; consent given.',
      'A payment plan is in place. Voucher for the meter given out.',
      'Three payments made on time. Closed.',
    ],
  },
]

/** A case of each of 42 members, told in two to five notes, in the order in which they were written. */
export function caseNotes(members: Member[], volunteers: Volunteer[], partners: Partner[]) {
  const random = seeded('case notes')
  return random
    .some(members, 42)
    .flatMap(({ memberId, Joined }, index) => {
      const story = random.pick(stories)
      const keeper = random.pick(staffIds)
      const opened = dayWithin(random, Joined, daysAfter(present, -70))
      const befriender = story.tags.includes('Befriending')
        ? [random.pick(volunteers.filter(({ Started }) => Started <= opened))]
        : []
      const adviser = story.tags.includes('Money') ? [random.pick(partners)] : []
      const documentIds = random.chance(0.3) ? [`document-${index + 1}`] : []
      const isPinned = random.chance(0.25)
      return story.notes.slice(0, random.integer(2, 5)).map((content, step) => {
        const date = officeTime(random, daysAfter(opened, step * 15))
        const written = minutesAfter(date, random.integer(5, 90))
        return {
          noteId: '',
          managedBy: organisation.id,
          caseId: `case-${String(index + 1).padStart(3, '0')}`,
          creator: keeper,
          updatedBy: keeper,
          date,
          created: written,
          updated: written,
          content,
          linkedEntities: {
            memberIds: [memberId],
            partnerIds: step >= 2 ? adviser.map(({ partnerId }) => partnerId) : [],
            volunteerIds: step >= 1 ? befriender.map(({ volunteerId }) => volunteerId) : [],
          },
          tags: story.tags,
          isPrivate: story.isPrivate,
          isPinned: isPinned && step === 0,
          documentIds: step === 1 ? documentIds : [],
        }
      })
    })
    .toSorted((one, other) => earliestFirst(one.created, other.created))
    .map((note, index) => ({ ...note, noteId: `note-${String(index + 1).padStart(3, '0')}` }))
}
