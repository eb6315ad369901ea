import type { Context } from 'hono'
import { limitForms } from '../../auth/limits.ts'
import { toApiError } from '../../http/errors.ts'
import { Hono } from '../../http/hono.ts'
import { ApiError, statuses } from '../../model/api-error.ts'
import type { ValidationError } from '../../model/validation-error.ts'
import { codeOf, describeCode, PublicError } from '../../sign-up/public-error.ts'
import { checkSignUp, listLinks, signUp } from '../../sign-up/sign-up.ts'
import { listUnknownPostcodes } from '../../sign-up/unknown-postcodes.ts'
import { refuseRobots } from '../access/robots.tsx'
import type { PublicEnv } from '../access/site-access.ts'
import { renderSeries } from '../events/series-page.tsx'
import { type FormValues, readFormValues } from '../ui/form-values.ts'
import { controls, countPeople, readSignUp, toFormErrors } from './answers.ts'
import { CheckPage } from './check-page.tsx'
import { ConfirmationPage } from './confirmation-page.tsx'
import { hasDraft, openStep, rememberBrowser, type Step, saveStep } from './draft.ts'
import { addPerson, includeContact, removePerson } from './edit-people.ts'
import { SignUpPage } from './form-page.tsx'
import { type OpenSignUp, openSignUpForm, wouldWait } from './open-form.ts'

/** The page of an event with its sign-up form, below the path of the event. */
export const signUpRoutes = new Hono<PublicEnv>()
  .get('/:eventId', async (c) => {
    const eventId = c.req.param('eventId')
    const step = await openStep(c, eventId)
    const open = await openSignUpForm(c.var.store, eventId, step.page !== '')
    if (!open) return renderSeries(c, eventId)
    rememberBrowser(c)
    const { page } = await renderStep(c, open, step)
    return c.html(page)
  })
  .post('/:eventId', async (c) => {
    const eventId = c.req.param('eventId')
    const values = await readFormValues(c.req)
    const open =
      (await openSignUpForm(c.var.store, eventId)) ??
      // An event that has closed since still shows people what they entered.
      ((await hasDraft(c, eventId, values)) && (await openSignUpForm(c.var.store, eventId, true)))
    if (!open) throw new PublicError('noEvent')
    const { error, ...step } = await takeStep(c, open, values)
    const address = await saveStep(c, eventId, step)
    // The new person is last, also if the contact was added too.
    const added = values.text(controls.step) === 'add' ? `#person-${countPeople(step.values)}` : ''
    if (address) return c.redirect(address + added, 303)
    const { page, isInvalid } = await renderStep(c, open, step)
    if (error) return c.html(page, statuses[error.type], error.headers)
    return c.html(page, isInvalid ? 400 : 200)
  })

/** Does what the button of a form says. `error` is the reason why the sign-up was refused. */
async function takeStep(
  c: Context<PublicEnv>,
  open: OpenSignUp,
  values: FormValues,
): Promise<Step & { error?: ApiError }> {
  const { fields } = open.form
  const [button, person] = values.text(controls.step).split(' ')
  const complete = includeContact(fields, values)
  switch (button) {
    case 'check':
      return { values: complete, page: 'check' }
    case 'send':
      return { values, page: 'check', ...(await send(c, open, values)) }
    case 'add':
      return { values: addPerson(fields, complete), page: 'form' }
    case 'remove':
      return { values: removePerson(values, Number(person)), page: 'form' }
    default:
      return { values: complete, page: 'form' }
  }
}

/** Signs people up. A refusal is for the check page, so that nothing has to be typed again. */
async function send(
  c: Context<PublicEnv>,
  open: OpenSignUp,
  values: FormValues,
): Promise<Pick<Step, 'sent' | 'refusal'> & { error?: ApiError }> {
  try {
    await limitForms(c, `${c.var.site.organisationId} event ${open.event.id}`)
    await refuseRobots(c, values)
    const input = readSignUp(open.form, values)
    const { outcome } = await signUp(c.var.signUpContext, input)
    return { sent: { outcome, isWaiting: wouldWait(open, input) } }
  } catch (thrown) {
    const error = toApiError(thrown)
    if (!error) throw thrown
    c.error = error
    // The check page names the validation errors itself.
    return error.errors.length > 0 ? {} : { refusal: codeOf(error), error }
  }
}

/** Renders the page of a step. It is the form again, and invalid, if answers cannot be checked. */
async function renderStep(
  c: Context<PublicEnv>,
  open: OpenSignUp,
  { values, page, refusal, sent }: Step,
) {
  const { form, event } = open
  const { store, signUpContext } = c.var
  const input = readSignUp(form, values)
  if (sent) {
    const links = sent.outcome === 'unconfirmed' ? [] : await listLinks(store, form, input)
    const { email } = input.contact
    const isSeries = open.dates.length > 0
    const shown = { c, event, isSeries, email, sent, links }
    return { page: <ConfirmationPage {...shown} />, isInvalid: false }
  }
  const errors = page === 'check' ? listErrors(() => checkSignUp(form, input, '')) : []
  if (page !== 'check' || errors.length > 0) {
    const formErrors = toFormErrors(form, values, errors)
    return {
      page: <SignUpPage c={c} open={open} values={values} errors={formErrors} />,
      isInvalid: errors.length > 0,
    }
  }
  const { geography } = signUpContext
  return {
    page: (
      <CheckPage
        c={c}
        open={open}
        values={values}
        refusal={refusal && describeCode(refusal)}
        unknownPostcodes={await listUnknownPostcodes(geography, form, input.attendees)}
      />
    ),
    isInvalid: false,
  }
}

function listErrors(check: () => unknown): readonly ValidationError[] {
  try {
    check()
    return []
  } catch (error) {
    if (error instanceof ApiError) return error.errors
    throw error
  }
}
