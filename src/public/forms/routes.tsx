import type { Context } from 'hono'
import { limitForms } from '../../auth/limits.ts'
import { Hono } from '../../http/hono.ts'
import { ApiError, isErrorOf, statuses } from '../../model/api-error.ts'
import { answerableQuestions } from '../../sign-up/forms/answers.ts'
import { formPath } from '../../sign-up/forms/form-links.ts'
import { alreadyAnswered, type OpenForm, openForm } from '../../sign-up/forms/open-form.ts'
import { saveDraft } from '../../sign-up/forms/save-draft.ts'
import { describeError, PublicError } from '../../sign-up/public-error.ts'
import { refuseRobots } from '../access/robots.tsx'
import type { PublicEnv } from '../access/site-access.ts'
import { FormValues, readFormValues } from '../ui/form-values.ts'
import { answerValues, readEntries } from './entries.ts'
import { FormPage, FormSavedPage, FormSentPage } from './form-page.tsx'
import { renderRefusal } from './refusal-page.tsx'
import {
  checkView,
  type FormView,
  firstView,
  nextView,
  viewOfPage,
  viewWithErrors,
} from './steps.ts'

/** The maximum size of a form: answers travel from page to page in it. */
export const maxFormBytes = 512 << 10

type FormContext = Context<PublicEnv, '/:formId/:secret?'>

/** The forms of the public pages; a personal link has a secret in its path. */
export const formRoutes = new Hono<PublicEnv>()
  .onError((error, c) => renderRefusal(c, error))
  .get('/:formId/:secret?', (c) => showForm(c))
  .post('/:formId/:secret?', (c) => continueForm(c))

async function showForm(c: FormContext) {
  const open = await openForm(c.var.store, ...parameters(c))
  const { form, link, isAnswered } = open
  if (isAnswered) throw alreadyAnswered(form)
  if (!link?.draft) return c.html(renderForm(c, open, firstView(form), new FormValues()))
  const { page, values } = link.draft
  return c.html(renderForm(c, open, viewOfPage(form, page), FormValues.of(values)))
}

async function continueForm(c: FormContext) {
  const [formId, secret] = parameters(c)
  const open = await openForm(c.var.store, formId, secret)
  const { form, schema } = open
  const values = await readFormValues(c.req, maxFormBytes)
  if (values.text('go') === 'save') return saveForLater(c, open, values)
  if (values.text('go') !== 'send') {
    if (open.isAnswered) throw alreadyAnswered(open.form)
    const view = nextView(form, values, schema)
    return c.html(renderForm(c, open, view, values), hasErrors(view) ? 400 : 200)
  }
  const token = values.text('token')
  if (!tokenPattern.test(token)) throw new PublicError('formIncomplete')
  try {
    await limitForms(c, `${c.var.site.organisationId} form ${formId}`)
    await refuseRobots(c, values)
    const entries = readEntries(answerableQuestions(form), values)
    await c.var.submitForm({ formId, secret, token, entries })
  } catch (error) {
    return showAgain(c, open, values, error)
  }
  return c.html(<FormSentPage site={c.var.site} form={form} />)
}

/** Saves the answers so far, and says how to come back. */
async function saveForLater(c: FormContext, open: OpenForm, values: FormValues) {
  const { form, link } = open
  await limitForms(c, `${c.var.site.organisationId} form ${form.formId}`)
  await saveDraft(c.var.store, open, { page: values.text('page'), values: answerValues(values) })
  return c.html(<FormSavedPage site={c.var.site} form={form} expires={link?.expires ?? ''} />)
}

/** Shows a refused form again, so that nothing has to be typed twice. Throws what another attempt cannot change. */
function showAgain(c: FormContext, open: OpenForm, values: FormValues, error: unknown) {
  if (!(error instanceof ApiError) || isErrorOf(error, 'NOT_FOUND', 'GONE')) throw error
  c.error = error
  if (error.errors.length > 0)
    return c.html(renderForm(c, open, viewWithErrors(open.form, error.errors), values), 400)
  const page = renderForm(c, open, checkView, values, describeError(error))
  return c.html(page, statuses[error.type], error.headers)
}

const parameters = (c: FormContext) => [c.req.param('formId'), c.req.param('secret')] as const

const tokenPattern = /^[\w-]{36}$/

const hasErrors = ({ errors }: FormView) => Object.keys(errors).length > 0

function renderForm(
  c: FormContext,
  { form, link }: OpenForm,
  view: FormView,
  values: FormValues,
  refusal?: string,
) {
  const { site } = c.var
  const embed = site.isEmbedded ? '?embed=1' : ''
  return (
    <FormPage
      site={site}
      form={form}
      path={formPath(site.organisationId, ...parameters(c)) + embed}
      token={values.text('token') || crypto.randomUUID()}
      values={values}
      view={view}
      refusal={refusal}
      canSave={link !== undefined}
      request={c}
    />
  )
}
