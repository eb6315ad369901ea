import { Hono } from '../../http/hono.ts'
import { filledKind, type SurveyForm } from '../../model/forms/survey-form.ts'
import { parseStoredSchema } from '../../model/properties/schema.ts'
import { readSite } from '../../public/access/read-site.ts'
import { readEntries } from '../../public/forms/entries.ts'
import { FormPage, FormSentPage } from '../../public/forms/form-page.tsx'
import { maxFormBytes } from '../../public/forms/routes.tsx'
import { type FormView, firstView, nextView, viewWithErrors } from '../../public/forms/steps.ts'
import { FormValues, readFormValues } from '../../public/ui/form-values.ts'
import {
  answerableQuestions,
  shownQuestions,
  validateAnswers,
} from '../../sign-up/forms/answers.ts'
import { readVisibleSchema } from '../../store/read/single.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { formPagePath } from '../ui/paths.ts'
import { type FormContext, loadForm } from './form-record.ts'

const notice = 'This is a preview: nothing is stored.'

/** Shows a form as people see it, without storing answers. */
export const previewRoutes = new Hono<DashboardEnv>()
  .get('/:formId/preview', async (c) => {
    const { form } = await loadForm(c)
    return renderPreview(c, form, firstView(form), new FormValues())
  })
  .post('/:formId/preview', async (c) => {
    const { form } = await loadForm(c)
    const values = await readFormValues(c.req, maxFormBytes)
    const schema = await readFilledSchema(c, form)
    if (values.text('go') !== 'send')
      return renderPreview(c, form, nextView(form, values, schema), values)
    const entries = readEntries(answerableQuestions(form), values)
    const { errors } = validateAnswers(shownQuestions(form, entries), entries, schema)
    if (errors.length > 0) return renderPreview(c, form, viewWithErrors(form, errors), values)
    return c.html(
      <FormSentPage site={await readSite(c.env, c.var.store)} form={form} notice={notice} />,
    )
  })

async function renderPreview(c: FormContext, form: SurveyForm, view: FormView, values: FormValues) {
  return c.html(
    <FormPage
      site={await readSite(c.env, c.var.store)}
      form={form}
      path={`${formPagePath(c, form.formId)}/preview`}
      token=""
      values={values}
      view={view}
      notice={notice}
    />,
  )
}

/** The schema of the fields that the answers fill; undefined unless it is a schema form. */
async function readFilledSchema(c: FormContext, form: SurveyForm) {
  const kind = filledKind(form)
  return kind && parseStoredSchema(await readVisibleSchema(c.var.store, kind))
}
