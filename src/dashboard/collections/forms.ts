import type { CollectionPages } from './collection-pages.ts'
import { dayOf, textAt } from './words.ts'

export const forms: CollectionPages = {
  choice: { detail: textAt('type') },
  linkParameter: 'form',
  columns: ['name', 'type', 'formFor', 'questionCount', 'updated'],
  searched: ['name'],
  filters: ['type'],
  labels: {
    questionCount: 'Questions',
    formFor: 'Fills fields of',
    schemaForm: 'Answers fill fields',
    addPersonPublic: 'Anyone can answer',
    'settings.individualMode': 'One question a page',
    'settings.requiresLogin': 'Only with a personal link',
  },
  report: { by: 'type', date: 'created' },
}

export const surveyResponses: CollectionPages = {
  title: ({ surveyId, date }, findLinked) => [
    findLinked?.('forms', String(surveyId))?.title,
    dayOf(date),
  ],
  columns: ['surveyId', 'linkedEntities.memberIds', 'date', 'surveyScore', 'tags'],
  newestBy: 'date',
  searched: ['form.name'],
  filters: ['date', 'surveyId', 'tags'],
  pastDates: ['date'],
  labels: { surveyId: 'Form', surveyScore: 'Score', date: 'Answered' },
  report: { by: 'form.name', date: 'date' },
}
