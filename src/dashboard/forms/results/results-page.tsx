import type { Context } from 'hono'
import type { SurveyForm } from '../../../model/forms/survey-form.ts'
import { formatCount } from '../../../platform/pluralise.ts'
import { countLinkedPeople } from '../../../store/sign-up/form-links.ts'
import { figureOf } from '../../../store/summary/measure-groups.ts'
import { describeCollection } from '../../collection/collection-info.ts'
import { loadRecord } from '../../collection/read.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { PrintButton } from '../../ui/button.tsx'
import { listFormTabs } from '../../ui/form-tabs.ts'
import { Menu } from '../../ui/menu.tsx'
import { Page } from '../../ui/page.tsx'
import { formsPath, responsesPath, surveyPath } from '../../ui/paths.ts'
import { loadResults, type SurveyResults } from './load-results.ts'
import { MonthsChart } from './months-chart.tsx'
import { QuestionItem } from './question-item.tsx'
import { BeforeAndAfter, ByMonth } from './scores.tsx'

/** Renders the results of a form: its responses by month, its scores before and after, and the answers to each question. */
export async function renderResultsPage(c: Context<DashboardEnv, '/:formId/*'>) {
  const { values } = await loadRecord(
    c,
    await describeCollection(c, 'forms'),
    c.req.param('formId'),
  )
  // Validation gives a stored form every property.
  const form = values as SurveyForm
  const [results, linked] = await Promise.all([
    loadResults(c, form),
    countLinkedPeople(c.var.store, form.formId),
  ])
  const total = results && (figureOf(results.summary.total, 'count') ?? 0)
  return c.html(
    <Page
      c={c}
      title={form.name || form.formId}
      crumbs={[{ name: 'Forms', href: formsPath(c) }]}
      tabs={listFormTabs(c, form, 'Results', total)}
      actions={
        <>
          <PrintButton />
          <Menu label="Download">
            <li>
              <a href={`${surveyPath(c, form.formId)}/xlsx`}>
                Answers as Excel, a column per question
              </a>
            </li>
            <li>
              <a href={`${surveyPath(c, form.formId)}/csv`}>Answers as CSV</a>
            </li>
          </Menu>
        </>
      }
    >
      {results ? (
        <Results results={results} linked={linked} responsesPath={responsesPath(c, form.formId)} />
      ) : (
        <p>This form has too many responses to count here.</p>
      )}
    </Page>,
  )
}

type ResultsProps = {
  results: SurveyResults
  /** The people with a personal link, and those of them who have answered. */
  linked: { people: number; answered: number }
  responsesPath: string
}

function Results({ results, linked, responsesPath }: ResultsProps) {
  const { summary, questions, otherQuestions } = results
  const total = figureOf(summary.total, 'count') ?? 0
  if (total === 0) return <p>Nobody has answered this form yet.</p>
  const people = figureOf(summary.total, 'people') ?? 0
  return (
    <>
      <section class="section">
        <h2>
          {formatCount(total, 'response')}
          {people > 0 && <small> from {formatCount(people, 'person', 'different people')}</small>}
        </h2>
        {linked.people > 0 && (
          <p class="quiet">
            {Math.round((100 * linked.answered) / linked.people)}% of the{' '}
            {formatCount(linked.people, 'person', 'people')} with a personal link have answered.
          </p>
        )}
        <MonthsChart months={summary.groups} />
      </section>
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
