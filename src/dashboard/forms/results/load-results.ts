import type { Context } from 'hono'
import { answersPrefix } from '../../../access/query-fields.ts'
import { isErrorOf } from '../../../model/api-error.ts'
import { meetsCondition } from '../../../model/forms/conditions.ts'
import { isDisplayed } from '../../../model/forms/question-types.ts'
import { groupQuestions, type SurveyForm } from '../../../model/forms/survey-form.ts'
import { tenYears } from '../../../model/summary/buckets.ts'
import {
  bucketGroup,
  measureOf,
  peopleWithAtLeast,
  plainGroup,
  plainMeasure,
} from '../../../model/summary/parse-summary.ts'
import { londonDay } from '../../../model/timestamp.ts'
import { openBudget } from '../../../store/query/query-reader.ts'
import { cutText } from '../../../store/query/term-ranges.ts'
import { figureOf, type SummaryFigures } from '../../../store/summary/measure-groups.ts'
import { readSummary, type Summary } from '../../../store/summary/read-summary.ts'
import { type CollectionInfo, describeCollection } from '../../collection/collection-info.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { loadQuotations, quotedMeasures } from './load-quotations.ts'
import { type NamedQuestion, resultTypeOf, resultTypes } from './result-types.ts'

export type QuestionResult = NamedQuestion & {
  figures: SummaryFigures
  /** The number of responses that were asked a question with a condition. */
  asked: number | undefined
  quotations: readonly string[]
}

/** A number that months and people are compared by: the score of a response, or the answer on a scale. */
export type Score = { label: string; name: string }

export type SurveyResults = {
  /** All responses, by month. */
  summary: Summary
  scores: readonly Score[]
  questions: readonly QuestionResult[]
  /** The number of questions that are left out. */
  otherQuestions: number
}

const maxQuestions = 100

/** Loads the results of a form. Returns undefined if it has too many responses. */
export async function loadResults(
  c: Context<DashboardEnv>,
  form: SurveyForm,
): Promise<SurveyResults | undefined> {
  const answerable = groupQuestions(form)
    .flatMap(({ questions }) => questions)
    .filter((question) => !isDisplayed(question))
  const questions = answerable.slice(0, maxQuestions).map((question) => ({
    question,
    resultType: resultTypeOf(question),
    name: answersPrefix + question.questionId,
  }))
  const scores = [
    { label: 'Score', name: 'surveyScore' },
    ...questions
      .filter(({ resultType }) => resultType === 'scale')
      .map(({ question, name }) => ({ label: question.title, name })),
  ]
  const responses = await describeCollection(c, 'survey-responses')
  const summary = await summariseResponses(c, responses, form, { questions, scores })
  if (!summary) return undefined
  const quotations = await loadQuotations(c, responses, summary, questions)
  return {
    summary,
    scores: scores.filter(({ name }) => figureOf(summary.total, `average(${name})`) !== undefined),
    questions: questions.flatMap((question, index) => {
      const figures = summary.others[index]
      if (!figures) return []
      const asked = countAsked(summary, question)
      return { ...question, figures, asked, quotations: quotations(question) }
    }),
    otherQuestions: answerable.length - questions.length,
  }
}

/** Counts the responses with the answers that a question's condition names. Answers to hidden questions are not stored. */
function countAsked({ columnOf, total }: Summary, { question }: NamedQuestion): number | undefined {
  const { $showIf } = question
  if (!$showIf) return undefined
  const column = columnOf(measureOf('distinct', answersPrefix + $showIf.questionId))
  const answers = $showIf.answers.map((it) => (typeof it === 'string' ? cutText(it) : it))
  const responses = [...Array(figureOf(total, 'count') ?? 0).keys()]
  return responses.filter((response) => {
    const values = column.codesOf(response).map((code) => column.values[code])
    return meetsCondition({ ...$showIf, answers }, values)
  }).length
}

/** Summarises the responses by month and by the answers to each question, and reads them once. */
async function summariseResponses(
  c: Context<DashboardEnv>,
  { list }: CollectionInfo,
  { formId }: SurveyForm,
  { questions, scores }: { questions: readonly NamedQuestion[]; scores: readonly Score[] },
): Promise<Summary | undefined> {
  const { store } = c.var
  const sources = new Set(questions.map(({ question }) => question.$showIf?.questionId))
  const query = {
    filters: [{ field: 'surveyId', values: [formId] }],
    by: [bucketGroup('month', 'date')],
    measures: [
      ...(['count', 'people'] as const).map(plainMeasure),
      peopleWithAtLeast(2),
      ...quotedMeasures,
      ...scores.flatMap(({ name }) =>
        (['average', 'averageFirst', 'averageLast'] as const).map((it) => measureOf(it, name)),
      ),
    ],
    others: questions.map(({ question, resultType, name }) => ({
      by: resultTypes[resultType].isGrouped ? [plainGroup(name)] : [],
      measures: (
        [
          'known',
          ...(sources.has(question.questionId) ? (['distinct'] as const) : []),
          ...resultTypes[resultType].measures,
        ] as const
      )
        .map((it) => measureOf(it, name))
        .concat(plainMeasure('count')),
    })),
    ages: { today: londonDay(Date.now()), bands: tenYears },
    protectsPeople: false,
    budget: openBudget(store, ''),
  }
  try {
    return await readSummary<never>(store, list.name, query, list.types)
  } catch (error) {
    if (isErrorOf(error, 'BAD_REQUEST')) return undefined
    throw error
  }
}
