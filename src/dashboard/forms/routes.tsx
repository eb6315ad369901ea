import type { Context } from 'hono'
import { readFormBody as readFields } from '../../http/body.ts'
import { Hono } from '../../http/hono.ts'
import { ApiError } from '../../model/api-error.ts'
import type { SurveyForm } from '../../model/forms/survey-form.ts'
import {
  type Layout,
  layoutOf,
  moveQuestion,
  moveSection,
  removeQuestion,
  removeSection,
  toParts,
} from '../../sign-up/forms/layout.ts'
import { readSurveyForm } from '../../store/sign-up/form-links.ts'
import { describeCollection } from '../collection/collection-info.ts'
import { requireAction } from '../session/permissions.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { listFormTabs } from '../ui/form-tabs.ts'
import { redirectWithFlash, takeFlash } from '../ui/notice.tsx'
import { formPagePath, formsPath } from '../ui/paths.ts'
import { FormBuilderPage } from './form-page.tsx'
import { countResponses, type FormContext, loadForm, saveForm } from './form-record.ts'
import { renderFormList } from './list-page.tsx'
import { previewRoutes } from './preview.tsx'
import { downloadAnswers } from './results/download.ts'
import { renderResultsPage } from './results/results-page.tsx'
import {
  renderQuestionPage,
  renderSectionPage,
  saveQuestion,
  saveSection,
} from './save-question.tsx'
import { buildSettingsPatch, readSettingsDraft, toSettingsDraft } from './settings-draft.ts'
import { FormSettingsPage } from './settings-form.tsx'

/** The pages that build forms: sections, questions, settings, preview and personal links. */
export const routes = new Hono<DashboardEnv>()
  .get('/', (c) => renderFormList(c))
  .route('/', previewRoutes)
  .get('/:formId/results', (c) => renderResultsPage(c))
  .get('/:formId/results/csv', (c) => downloadAnswers(c, 'csv'))
  .get('/:formId/results/xlsx', (c) => downloadAnswers(c, 'xlsx'))
  .get('/:formId', async (c, next) => (c.req.param('formId') === 'new' ? next() : renderForm(c)))
  .use(requireAction('write', 'Your role allows you to read forms but not to change them.'))
  .get('/new', (c) => renderNewPage(c, { type: 'survey' }))
  .post('/new', (c) => saveNew(c))
  .post('/:formId/change', (c) => changeLayout(c))
  .get('/:formId/question', (c) => renderQuestionPage(c))
  .post('/:formId/question', (c) => saveQuestion(c))
  .get('/:formId/section', (c) => renderSectionPage(c))
  .post('/:formId/section', (c) => saveSection(c))
  .get('/:formId/settings', (c) => renderSettings(c))
  .post('/:formId/settings', (c) => saveSettings(c))
  .get('/:formId/links', async (c) => (await import('./links-page.tsx')).renderLinksPage(c))
  .post('/:formId/links', async (c) => (await import('./links-page.tsx')).makeLinks(c))
  .post('/:formId/links/mail', async (c) => (await import('./mail-links.tsx')).mailLinks(c))
  .post('/:formId/links/file', async (c) => (await import('./links-file.ts')).downloadLinks(c))

async function renderForm(c: FormContext) {
  const { form, etag } = await loadForm(c)
  const { isPublic } = await readSurveyForm(c.var.store, form.formId)
  const responses = await countResponses(c, form.formId)
  const { notice } = takeFlash(c)
  return c.html(
    <FormBuilderPage
      c={c}
      form={form}
      etag={etag}
      isPublic={isPublic}
      responses={responses}
      notice={notice}
    />,
  )
}

/** Moves or removes a question or section, as the pressed button says. */
async function changeLayout(c: FormContext) {
  const fields = await readFields(c.req)
  const { form } = await loadForm(c)
  const [, verb = '', target = ''] = /^(\S+) (.*)$/s.exec(String(fields.action ?? '')) ?? []
  const changed = Object.hasOwn(changes, verb) ? changes[verb]?.(layoutOf(form), target) : undefined
  if (!changed) throw new ApiError('BAD_REQUEST', 'Press one of the buttons of the page.')
  const refusal = await saveForm(c, String(fields.$etag), toParts(changed))
  return redirectWithFlash(c, formPagePath(c, form.formId), {
    notice: refusal?.message ?? 'Saved.',
  })
}

const changes: Readonly<Record<string, (layout: Layout, target: string) => Layout>> = {
  up: (layout, id) => moveQuestion(layout, id, -1),
  down: (layout, id) => moveQuestion(layout, id, 1),
  remove: removeQuestion,
  'section-up': (layout, index) => moveSection(layout, Number(index), -1),
  'section-down': (layout, index) => moveSection(layout, Number(index), 1),
  'section-remove': (layout, index) => removeSection(layout, Number(index)),
}

function renderNewPage(
  c: Context<DashboardEnv>,
  draft: Record<string, string>,
  errors?: Record<string, string>,
) {
  return c.html(
    <FormSettingsPage
      c={c}
      title="New form"
      action={`${formsPath(c)}/new`}
      cancelPath={formsPath(c)}
      draft={draft}
      {...(errors && { errors })}
    />,
    errors ? 400 : 200,
  )
}

async function saveNew(c: Context<DashboardEnv>) {
  const draft = readSettingsDraft(await readFields(c.req))
  const result = buildSettingsPatch(draft, undefined)
  if ('errors' in result) return renderNewPage(c, { ...draft }, result.errors)
  const { resource } = await describeCollection(c, 'forms')
  const records = await c.var.openRecords()
  const id = await records.create(resource, result.patch)
  return redirectWithFlash(c, formPagePath(c, id), { notice: 'Created. Add questions now.' })
}

async function renderSettings(c: FormContext) {
  const { form, etag } = await loadForm(c)
  return c.html(
    <FormSettingsPage
      {...(await openSettingsFrame(c, form))}
      etag={etag}
      draft={toSettingsDraft(form)}
    />,
  )
}

async function saveSettings(c: FormContext) {
  const fields = await readFields(c.req)
  const { form, etag } = await loadForm(c)
  const draft = readSettingsDraft(fields)
  const page = { ...(await openSettingsFrame(c, form)), etag, draft }
  const result = buildSettingsPatch(draft, form)
  if ('errors' in result) return c.html(<FormSettingsPage {...page} errors={result.errors} />, 400)
  const refusal = await saveForm(c, String(fields.$etag), result.patch)
  if (refusal) return c.html(<FormSettingsPage {...page} error={refusal.message} />, refusal.status)
  return redirectWithFlash(c, formPagePath(c, form.formId), { notice: 'Saved.' })
}

async function openSettingsFrame(c: FormContext, form: SurveyForm) {
  const path = formPagePath(c, form.formId)
  return {
    c,
    title: form.name || form.formId,
    action: `${path}/settings`,
    cancelPath: path,
    tabs: listFormTabs(c, form, 'Settings', await countResponses(c, form.formId)),
  }
}
