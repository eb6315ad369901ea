import { surveyResponseRecord } from '../../src/resources/survey-responses.ts'
import example from '../examples/survey-responses.json'
import { testDocumentCollection } from './documents.ts'

testDocumentCollection({
  path: '/survey-responses',
  plural: 'surveyResponses',
  id: 'responseId',
  record: surveyResponseRecord,
  example,
  differing: { surveyId: 'form-9', funderSurveyId: null, updated: null },
  minimal: { responseId: 'r', managedBy: 'org-1', surveyId: 'form-1' },
  finds: {
    'SurveyId=form-1': ['example'],
    'surveyId=form-9': ['other'],
    'surveyid=form-1': [],
    'SurveyId=form-1&surveyId=form-9': [],
    'funderSurveyId=funder-form-1': ['example'],
    'linkedEntities.memberIds=member-2': ['example', 'other'],
    'responses.question=How%20old%20are%20you%3F': [],
    'responses.response=71': [],
  },
})
