import type { Question, SurveyForm } from '../../../src/model/forms/survey-form.ts'
import { recordType } from '../../../src/model/properties/record-type.ts'
import { collection } from '../../../src/resources/forms.ts'

/** A question as the service stores it. */
export const newQuestion = (question: Partial<Question>): Question => ({
  questionId: 'q',
  title: 'A question',
  type: 'Text Input',
  section: 0,
  required: false,
  ...{
    order: 0,
    options: [],
    description: '',
    outcome: null,
    validation: {},
    hasConditions: false,
  },
  ...question,
})

/** A form as the service stores it, open to everybody. */
export const newForm = (form: object): SurveyForm =>
  recordType(collection.record).parse({
    formId: 'f',
    name: 'A form',
    type: 'survey',
    managedBy: 'o',
    addPersonPublic: true,
    questions: [newQuestion({})],
    ...form,
  })
