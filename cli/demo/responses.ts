import { answerTypes, type Form } from './form.ts'
import { organisation } from './organisation.ts'

export type Response = ReturnType<typeof response>

/**
 * A response (contract 2.9) to `form`, given at `date`. `answers` are by question id, and a question
 * without one has no answer; where the form counts a score, it is the sum of the numbers chosen.
 */
export function response(
  form: Form,
  responseId: string,
  {
    date,
    creator,
    about = {},
    answers,
    tags = [],
    isPrivate = false,
  }: {
    date: string
    creator: string
    about?: { [Ids in 'memberIds' | 'partnerIds' | 'volunteerIds']?: string[] }
    answers: Record<string, unknown>
    tags?: string[]
    isPrivate?: boolean
  },
) {
  const responses = form.questions
    .filter(({ questionId }) => answers[questionId] !== undefined)
    .map(({ questionId, title, outcome, type }) => ({
      questionId,
      question: title,
      outcome: outcome ?? '',
      type: answerTypes[type],
      response: answers[questionId],
    }))
  return {
    responseId,
    surveyId: form.formId,
    funderSurveyId: null,
    managedBy: organisation.id,
    submittedTo: organisation.id,
    creator,
    date,
    created: date,
    updated: null,
    responses,
    linkedEntities: { memberIds: [], partnerIds: [], volunteerIds: [], ...about },
    tags,
    isPrivate,
    surveyScore: form.settings.calculateOverallScore ? sumOfNumbers(Object.values(answers)) : null,
  }
}

const sumOfNumbers = (answers: unknown[]) =>
  answers.reduce<number>((sum, answer) => sum + (typeof answer === 'number' ? answer : 0), 0)
