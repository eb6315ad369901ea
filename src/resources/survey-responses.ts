import type { Env } from '../auth/env.ts'
import { textFilter } from '../http/filters.ts'
import { Hono } from '../http/hono.ts'
import type { Collection } from '../model/collection.ts'
import {
  anything,
  boolean,
  created,
  id,
  linkedEntities,
  listOf,
  managedBy,
  nullableText,
  number,
  record,
  text,
  textList,
  timestamp,
  updated,
} from '../model/properties/types.ts'
import { listRoute } from './routes/list-route.ts'
import { recordList, recordResource } from './routes/record-routes.ts'
import { getRecord } from './routes/single-route.ts'
import { writeRoutes } from './routes/write-routes.ts'

export const surveyResponseRecord = record('SurveyResponse', {
  responseId: id(
    'The id of the response: unique among the organisation’s survey responses.',
    'response-58',
  ),
  surveyId: id('The id of the form.', 'form-feedback'),
  funderSurveyId: nullableText(
    'The id of the funder’s form that this response also answers.',
    'funder-form-2',
  ),
  managedBy: managedBy(),
  submittedTo: text('The id of the organisation that received the answers.', 'oak-trust'),
  creator: text('The id of the account that answered.', 'user-88'),
  date: timestamp('The time of the answers, in UTC.'),
  created: created(),
  updated: updated(),
  responses: listOf(
    {
      questionId: text('The id of the question.', 'question-3'),
      question: text(
        'The text of the question at the time of the answer.',
        'How did you hear about us?',
      ),
      outcome: text(
        'The id of the outcome or measure that the answer supports.',
        'outcome-confidence',
      ),
      type: text('The type of answer, such as `text`, `select`, `number` or `date`.', 'select'),
      response: anything(
        'The answer: a text, a number, a boolean, or a list of texts.',
        'A friend',
      ),
    },
    'The answers, in the order of the questions.',
  ),
  linkedEntities: linkedEntities(),
  tags: textList('The tags of the response.', 'Spring term'),
  isPrivate: boolean('Whether the response is private.', false),
  surveyScore: number('The sum of the answers; null if the form has no score.', 18),
})

export const collection = {
  name: 'survey-responses',
  plural: 'surveyResponses',
  singular: 'surveyResponse',
  id: 'responseId',
  record: surveyResponseRecord,
} satisfies Collection

export const resource = recordResource(collection, { isAddition: true })

export const list = recordList(
  collection,
  {
    SurveyId: textFilter('surveyId', 'Only answers to the form with this id.', 'form-feedback'),
    funderSurveyId: textFilter(
      'funderSurveyId',
      'Only answers to the funder’s form with this id.',
      'funder-form-2',
    ),
  },
  { forms: () => import('./forms.ts') },
)

export const routes = new Hono<Env>()
  .get('/', listRoute(list))
  .get('/:responseId', getRecord(resource))
  .route('/', writeRoutes(resource))
