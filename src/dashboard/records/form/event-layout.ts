import { newEventQuestions } from './asked-questions.tsx'
import { choiceQuestion, readProperty } from './choice-question.tsx'
import { eventTime } from './event-time.tsx'
import { priceQuestion } from './price-question.tsx'
import type { LayoutInput, Task } from './question.ts'
import { repetitionInWords, repetitionQuestion } from './repetition-question.tsx'
import { venueQuestion } from './venue-question.tsx'

const audienceName = '$audience'

const audience = choiceQuestion({
  name: audienceName,
  label: 'Who may book',
  options: [
    {
      value: 'anyone',
      label: 'Anyone',
      hint: 'Listed on the public pages.',
      sets: bookable(true, false),
    },
    {
      value: 'invited',
      label: 'Invited people only',
      hint: 'Not listed.',
      sets: bookable(true, true),
    },
    {
      value: 'staff',
      label: 'Staff only',
      hint: 'You add people yourselves.',
      sets: bookable(false, false),
    },
  ],
  read(values) {
    const isBookable = ['bookable', 'bookingDetails.bookable'].every(
      (name) => readProperty(values, name) === true,
    )
    if (!isBookable) return 'staff'
    return readProperty(values, 'bookingDetails.privateEvent') === true ? 'invited' : 'anyone'
  },
})

function bookable(isBookable: boolean, isPrivate: boolean) {
  return {
    bookable: isBookable,
    'bookingDetails.bookable': isBookable,
    'bookingDetails.privateEvent': isPrivate,
  }
}

/** The questions about an event: a new one may repeat. */
export async function layOutEvent({ c, collection, ask, isNew }: LayoutInput): Promise<Task> {
  const venue = isNew
    ? [await venueQuestion(c, collection)]
    : [
        ask('venue.name', { label: 'Name of the venue' }),
        ask('venue.address', { label: 'Address' }),
        ask('venue.postcode', { label: 'Postcode' }),
      ]
  return {
    parts: [
      {
        title: 'Event',
        questions: [
          ask('name'),
          ask('bookingDetails.description', {
            label: 'Description (optional)',
            hint: 'Shown on the public page.',
          }),
        ],
      },
      {
        title: 'When',
        hint: 'UK time',
        questions: [eventTime, isNew ? repetitionQuestion : repetitionInWords],
      },
      { title: 'Where', questions: venue },
      {
        title: 'Places',
        hint: 'Leave the number empty for no limit.',
        isRow: true,
        questions: [
          ask('bookingDetails.capacityTotal', {
            label: isNew ? 'Places on each date' : 'Places',
            isNarrow: true,
          }),
          ask('bookingDetails.volunteerCapacityTotal', {
            label: 'Volunteers needed',
            isNarrow: true,
          }),
        ],
      },
      { title: 'Price', questions: [priceQuestion] },
      ...(isNew
        ? [
            {
              title: 'Questions',
              hint: 'Asked of each person who signs up, such as allergies. The answers appear on the register only.',
              questions: [newEventQuestions],
            },
          ]
        : []),
      {
        title: 'Who may book',
        questions: [
          audience,
          ...(isNew ? [] : [ask('bookingDetails.closed', { label: 'Booking is closed' })]),
        ],
      },
    ],
    defaults: { $price: 'free', [audienceName]: 'anyone' },
  }
}
