import type { Context } from 'hono'
import { formatRecordCount } from '../../model/collection.ts'
import type { SurveyForm } from '../../model/forms/survey-form.ts'
import { formatCount } from '../../platform/pluralise.ts'
import { figureOf } from '../../store/summary/read-summary.ts'
import { describeCollection } from '../collection/collection-info.ts'
import { loadRecord } from '../collection/read.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { Page } from '../ui/page.tsx'
import { collectionPath, dashboardPath, surveysPath } from '../ui/paths.ts'
import { loadResults, type SurveyResults } from './load-results.ts'
import { QuestionItem } from './question-item.tsx'
import { BeforeAndAfter, ByMonth } from './scores.tsx'

/** Renders the results of a form: its scores before and after, the answers to each question, and its scores by month. */
export async function renderResultsPage(c: Context<DashboardEnv, '/:formId'>) {
  const { values } = await loadRecord(
    c,
    await describeCollection(c, 'forms'),
    c.req.param('formId'),
  )
  // Validation gives a stored form every property.
  const form = values as SurveyForm
  const results = await loadResults(c, form)
  const query = new URLSearchParams({ surveyId: form.formId })
  const responsesPath = `${collectionPath(c, 'survey-responses')}?${query}`
  return c.html(
    <Page
      c={c}
      title={`Results of ${form.name || form.formId}`}
      crumbs={[{ name: 'Surveys', href: surveysPath(c) }]}
      lead={results && describeResponses(results)}
      actions={
        <>
          <button type="button" class="button" data-print hidden>
            Print
          </button>
          <a class="button" href={dashboardPath(c, `/forms/${encodeURIComponent(form.formId)}`)}>
            Questions
          </a>
          <a class="button" href={responsesPath}>
            All responses
          </a>
        </>
      }
    >
      {results ? (
        <Results results={results} responsesPath={responsesPath} />
      ) : (
        <p>This form has too many responses to count here.</p>
      )}
    </Page>,
  )
}

/** "86 survey responses of 45 different people". */
function describeResponses({ summary: { total } }: SurveyResults): string {
  const count = figureOf(total, 'count') ?? 0
  if (count === 0) return 'Nobody has answered this form yet.'
  const people = figureOf(total, 'people') ?? 0
  const ofPeople = people > 0 ? ` of ${formatCount(people, 'person', 'different people')}` : ''
  return `${formatRecordCount(count, 'survey-responses')}${ofPeople}`
}

type ResultsProps = { results: SurveyResults; responsesPath: string }

function Results({ results, responsesPath }: ResultsProps) {
  const { summary, questions, otherQuestions } = results
  const total = figureOf(summary.total, 'count') ?? 0
  if (total === 0) return null
  return (
    <>
      <BeforeAndAfter results={results} />
      <section class="section">
        <h2>Questions</h2>
        <ol class="stack results">
          {questions.map((result) => (
            <QuestionItem result={result} total={total} responsesPath={responsesPath} />
          ))}
        </ol>
        {otherQuestions > 0 && (
          <p class="quiet after">
            Not counted here: {formatCount(otherQuestions, 'more question')} of this form.
          </p>
        )}
      </section>
      <ByMonth results={results} />
    </>
  )
}
