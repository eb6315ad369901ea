import { daysAfter, dayWithin, officeTime } from './calendar.ts'
import type { Form } from './form.ts'
import { type Member, userOf } from './members.ts'
import { present, staffIds } from './organisation.ts'
import type { Partner } from './partners.ts'
import { aboutYou, feedback, partnerReview, sessionPlan, wellbeing } from './people-forms.ts'
import { type Response, response } from './responses.ts'
import { type Seeded, seeded } from './seeded.ts'
import type { Volunteer } from './volunteers.ts'

/** What members, volunteers and partners answered. What members said about themselves is what their records say. */
export function peopleResponses(
  members: Member[],
  volunteers: Volunteer[],
  partners: Partner[],
): Response[] {
  const random = seeded('responses of people')
  const numbered = (form: Form, index: number) =>
    `response-${form.formId.slice('form-'.length)}-${String(index + 1).padStart(3, '0')}`
  return [
    ...random.some(members, 110).map((member, index) =>
      response(aboutYou, numbered(aboutYou, index), {
        date: officeTime(random, member.Joined),
        creator: userOf(member),
        about: { memberIds: [member.memberId] },
        answers: member,
      }),
    ),
    ...random.some(members, 100).map((member, index) =>
      response(wellbeing, numbered(wellbeing, index), {
        date: officeTime(random, dayWithin(random, member.Joined, present)),
        creator: userOf(member),
        about: { memberIds: [member.memberId] },
        answers: { ...scores(random, wellbeing), 'wellbeing-word': random.pick(words) },
        isPrivate: true,
      }),
    ),
    ...Array.from({ length: 76 }, (_, index) =>
      response(feedback, numbered(feedback, index), {
        date: officeTime(random, dayWithin(random, '2025-01-18', present)),
        creator: '',
        answers: {
          ...scores(random, feedback),
          ...(random.chance(0.5) && { 'feedback-comment': random.pick(comments) }),
        },
        tags: ['Feedback'],
      }),
    ),
    ...random.some(volunteers, 20).map((volunteer, index) =>
      response(sessionPlan, numbered(sessionPlan, index), {
        date: officeTime(random, dayWithin(random, volunteer.Started, present)),
        creator: `user-${volunteer.volunteerId}`,
        about: { volunteerIds: [volunteer.volunteerId] },
        answers: {
          'plan-aim': random.pick(aims),
          'plan-room': random.pick(['Circle', 'Tables', 'Open floor']),
          'plan-risks': random.chance(0.9),
        },
      }),
    ),
    ...partners.map(({ partnerId, Services }, index) =>
      response(partnerReview, numbered(partnerReview, index), {
        date: officeTime(random, daysAfter('2025-01-06', index)),
        creator: random.pick(staffIds),
        about: { partnerIds: [partnerId] },
        answers: { ...scores(random, partnerReview), 'review-next': Services },
      }),
    ),
  ]
}

/** A place on every scale of the form by question id; most people are content. */
export const scores = (random: Seeded, form: Form) =>
  Object.fromEntries(
    form.questions
      .filter(({ type }) => type === 'Likert Scale')
      .map(({ questionId }) => [questionId, random.pick([1, 2, 3, 3, 4, 4, 4, 5, 5])]),
  )

const words = ['Hopeful', 'Tired', 'Fine', 'Busy', 'Lonely', 'Better', 'Worried', 'Glad']
const comments = [
  'More chairs with arms, please.',
  'Start half an hour later so that the bus is in time.',
  'Nothing. The soup was very good.',
  'It was too loud by the door.',
  'Please hold it in the evening as well.',
]
const aims = [
  'Read a bus timetable and ask for a ticket.',
  'Cook a lentil soup from the cupboard.',
  'Write the first page of a CV.',
  'Meet the others and find two things in common.',
]
