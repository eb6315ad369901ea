import type { Context } from 'hono'
import type { SurveyForm } from '../../model/forms/survey-form.ts'
import { findClosures } from '../../sign-up/forms/publishing.ts'
import { describeCollection } from '../collection/collection-info.ts'
import { loadRecords } from '../collection/read.ts'
import { can } from '../session/permissions.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { Notice, takeFlash } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { collectionPath, formPagePath, formsPath } from '../ui/paths.ts'
import { DataTable } from '../ui/table.tsx'
import { describeFormAccess } from './form-record.ts'
import { formTypes } from './settings-fields.ts'

const maxForms = '250'

type ListedForm = Omit<SurveyForm, 'questions'> & { questionCount: number | null }

/** Renders the organisation's forms with who can answer them. */
export async function renderFormList(c: Context<DashboardEnv>) {
  const collection = await describeCollection(c, 'forms')
  const { records, total = 0 } = await loadRecords(
    c,
    collection,
    new URLSearchParams({ limit: maxForms }),
  )
  const { notice } = takeFlash(c)
  return c.html(
    <Page
      c={c}
      title="Forms"
      actions={
        can(c, 'write') && (
          <a class="button primary" href={`${formsPath(c)}/new`}>
            New form
          </a>
        )
      }
    >
      <Notice message={notice} />
      <section>
        {records.length === 0 ? (
          <p>There are no forms yet.</p>
        ) : (
          <DataTable
            label="Forms"
            isStacked
            columns={[
              {
                heading: 'Form',
                cell: ({ formId, name }) => <a href={formPagePath(c, formId)}>{name || formId}</a>,
              },
              { heading: 'Type', cell: ({ type }) => formTypes[type] ?? type },
              {
                heading: 'Questions',
                isRightAligned: true,
                cell: ({ questionCount }) => questionCount ?? '–',
              },
              {
                heading: 'Who can answer',
                cell: (form) => describeFormAccess(form, findClosures(form)),
              },
            ]}
            // A list has no questions, so their obstacles are on the form's own page.
            rows={records.map((record) => record as ListedForm)}
          />
        )}
        {total > records.length && (
          <p>
            <a href={collectionPath(c, 'forms')}>All forms</a>
          </p>
        )}
      </section>
    </Page>,
  )
}
