import type { Context } from 'hono'
import type { SurveyForm } from '../../model/forms/survey-form.ts'
import { findClosures } from '../../sign-up/forms/publishing.ts'
import { describeCollection } from '../collection/collection-info.ts'
import { loadRecords } from '../collection/read.ts'
import { can } from '../session/permissions.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { Notice, takeFlash } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { collectionPath } from '../ui/paths.ts'
import { numberHeadings, Table } from '../ui/table.tsx'
import { describeAccess, formPagePath, formsPath } from './form-record.ts'
import { formTypes } from './settings-draft.ts'

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
          <Table
            label="Forms"
            isStacked
            firstHeading="Form"
            headings={[
              { text: 'Type' },
              ...numberHeadings('Questions'),
              { text: 'Who can answer' },
            ]}
            rows={records.map((record) => {
              // A list has no questions, so their obstacles are on the form's own page.
              const form = record as ListedForm
              return {
                rowHeader: <a href={formPagePath(c, form.formId)}>{form.name || form.formId}</a>,
                cells: [
                  formTypes[form.type] ?? form.type,
                  form.questionCount ?? '–',
                  describeAccess(form, findClosures(form)),
                ],
              }
            })}
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
