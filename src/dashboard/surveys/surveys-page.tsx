import type { Context } from 'hono'
import { formatNumber } from '../../platform/format-number.ts'
import { readTermCounts } from '../../store/read/term-counts.ts'
import { loadTitlesOf } from '../records/list/linked-titles.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { Page } from '../ui/page.tsx'
import { surveyPath } from '../ui/paths.ts'
import { DataTable } from '../ui/table.tsx'

const maxForms = 250

/** Renders the forms that people have answered, most answered first. */
export async function renderSurveysPage(c: Context<DashboardEnv>) {
  const terms = await readTermCounts(c.var.store, 'survey-responses', ['surveyId'])
  const forms = (terms?.fields.get('surveyId') ?? [])
    .map(({ value, count }) => ({ id: String(value), count }))
    .toSorted((one, other) => other.count - one.count)
    .slice(0, maxForms)
  const titles = await loadTitlesOf(
    c,
    'forms',
    forms.map(({ id }) => id),
  )
  return c.html(
    <Page c={c} title="Surveys" lead="The results of the forms that people have answered.">
      {forms.length === 0 ? (
        <p>
          {terms ? 'Nobody has answered a form yet.' : 'There are too many forms to list here.'}
        </p>
      ) : (
        <DataTable
          label="Forms with responses"
          columns={[
            {
              heading: 'Form',
              cell: ({ id }: (typeof forms)[number]) => (
                <a href={surveyPath(c, id)}>{titles.get(id) ?? id}</a>
              ),
            },
            {
              heading: 'Responses',
              isRightAligned: true,
              cell: ({ count }) => formatNumber(count),
            },
          ]}
          rows={forms}
        />
      )}
    </Page>,
  )
}
