import { outcomes } from './activity.ts'
import { agreement, form } from './form.ts'
import { interests, languages, services, sources } from './schemas.ts'

/** Its questions are fields of the members' schema: the answers are kept with the member too. */
export const aboutYou = form({
  id: 'form-about-you',
  name: 'About you',
  type: 'survey',
  description: 'What we ask everybody who joins.',
  more: { formFor: 'Members', schemaForm: true },
  sections: [
    {
      title: 'You and your household',
      questions: [
        {
          id: 'Main Language',
          title: 'Which language do you speak most at home?',
          type: 'Dropdown with custom input',
          options: languages,
        },
        {
          id: 'Household Size',
          title: 'How many people live with you, yourself included?',
          type: 'number',
          validation: { minAllowed: 1, maxAllowed: 20 },
        },
      ],
    },
    {
      title: 'Taking part',
      questions: [
        {
          id: 'Interests',
          title: 'What would you like to do here?',
          type: 'Dropdown: Multiple choice',
          required: true,
          options: interests,
        },
        {
          id: 'Heard About Us',
          title: 'How did you hear about us?',
          type: 'Dropdown with custom input',
          options: sources,
        },
        { id: 'Photo Consent', title: 'May we take photographs of you?', type: 'Checkbox' },
      ],
    },
  ],
})

export const wellbeing = form({
  id: 'form-wellbeing',
  name: 'Wellbeing check-in',
  type: 'survey',
  description: 'Five statements and a word, every few months.',
  more: { formFor: 'Members' },
  settings: { calculateOverallScore: true },
  sections: [
    {
      title: 'The last two weeks',
      questions: [
        statement('wellbeing-company', 'I had enough company.', outcomes.connection),
        statement('wellbeing-days', 'I looked forward to most days.', outcomes.wellbeing),
        statement('wellbeing-learning', 'I learned something new.', outcomes.skills),
        statement('wellbeing-money', 'I could pay for what we needed.', outcomes.security),
        statement('wellbeing-asking', 'I knew whom to ask for help.', outcomes.security),
        { id: 'wellbeing-word', title: 'In a word, how are you?', type: 'Text Input' },
      ],
    },
  ],
})

export const feedback = form({
  id: 'form-event-feedback',
  name: 'Event feedback',
  type: 'anonymous',
  description: 'Nobody will know who said what.',
  sections: [
    {
      title: 'Today',
      questions: [
        statement('feedback-welcome', 'I felt welcome.', outcomes.connection),
        statement('feedback-again', 'I would come again.', outcomes.connection),
        {
          id: 'feedback-comment',
          title: 'What should we change?',
          type: 'Paragraph Text Input',
          validation: { wordCount: 150 },
        },
      ],
    },
  ],
})

export const sessionPlan = form({
  id: 'form-session-plan',
  name: 'Session plan',
  type: 'session-plan',
  description: 'For whoever leads a session.',
  more: { formFor: 'Volunteers' },
  sections: [
    {
      title: 'The session',
      questions: [
        { id: 'plan-aim', title: 'What is it for?', type: 'Text Input', required: true },
        {
          id: 'plan-room',
          title: 'How is the room set out?',
          type: 'Multiple Choice',
          options: ['Circle', 'Tables', 'Open floor'],
        },
        { id: 'plan-risks', title: 'The risks have been looked at', type: 'Checkbox' },
      ],
    },
  ],
})

export const partnerReview = form({
  id: 'form-partner-review',
  name: 'Partner review 2024',
  type: 'survey',
  description: 'How the year together went.',
  more: { formFor: 'Partners', deadline: '2025-01-31T17:00:00.000Z' },
  settings: { isArchived: true },
  sections: [
    {
      title: 'The year',
      questions: [
        statement('review-referrals', 'Referrals between us worked well.', outcomes.security),
        {
          id: 'review-next',
          title: 'What should we do together next?',
          type: 'Dropdown: Multiple choice',
          options: services,
        },
      ],
    },
  ],
})

function statement(id: string, title: string, outcome: string) {
  return { id, title, type: 'Likert Scale', options: agreement, required: true, outcome } as const
}
