import { agreement, form } from './form.ts'

export const application = form({
  id: 'form-application',
  name: 'Grant application',
  type: 'application',
  description: 'For every fund; tell us in your own words.',
  more: { assessmentFormId: 'form-scorecard' },
  settings: { coverPage: true },
  sections: [
    {
      title: 'Before you begin',
      questions: [
        { id: 'application-heading', title: 'Have your figures to hand', type: 'Heading' },
        {
          id: 'application-title',
          title: 'What shall we call it?',
          type: 'Text Input',
          required: true,
        },
      ],
    },
    {
      title: 'The plan',
      questions: [
        {
          id: 'application-summary',
          title: 'What will you do?',
          type: 'Paragraph Text Input',
          required: true,
          validation: { wordCount: 200 },
        },
        {
          id: 'application-amount',
          title: 'How many pounds do you ask for?',
          type: 'number',
          required: true,
          validation: { minAllowed: 1 },
        },
        {
          id: 'application-months',
          title: 'For how many months?',
          type: 'number',
          validation: { minAllowed: 1, maxAllowed: 12 },
        },
      ],
    },
  ],
})

export const scorecard = form({
  id: 'form-scorecard',
  name: 'Assessment',
  type: 'scorecard',
  description: 'One for each application, by an assessor.',
  settings: { calculateOverallScore: true },
  sections: [
    {
      title: 'The application',
      questions: [
        {
          id: 'scorecard-need',
          title: 'The need is plain.',
          type: 'Likert Scale',
          options: agreement,
        },
        {
          id: 'scorecard-plan',
          title: 'The plan can be carried out.',
          type: 'Likert Scale',
          options: agreement,
        },
        {
          id: 'scorecard-budget',
          title: 'The budget is fair.',
          type: 'Likert Scale',
          options: agreement,
        },
      ],
    },
  ],
})

export const progressReport = form({
  id: 'form-progress-report',
  name: 'Progress report',
  type: 'progress-report',
  description: 'What the grant has done so far.',
  sections: [
    {
      title: 'So far',
      questions: [
        {
          id: 'progress-people',
          title: 'How many people took part?',
          type: 'number',
          required: true,
          validation: { minAllowed: 0 },
        },
        {
          id: 'progress-story',
          title: 'What has changed for them?',
          type: 'Paragraph Text Input',
          required: true,
        },
        {
          id: 'progress-on-track',
          title: 'Is it going to plan?',
          type: 'Dropdown',
          options: ['Yes', 'Somewhat', 'No'],
          hasConditions: true,
        },
      ],
    },
  ],
})
