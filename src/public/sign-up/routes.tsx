import { type Context, Hono } from 'hono'
import { limitForms } from '../../auth/limits.ts'
import { ApiError, isErrorOf, statuses } from '../../model/api-error.ts'
import { maxAttendees } from '../../sign-up/attendees.ts'
import { describeError, PublicError } from '../../sign-up/public-error.ts'
import { checkSignUp, signUp } from '../../sign-up/sign-up.ts'
import { refuseRobots } from '../access/robots.tsx'
import type { PublicEnv } from '../access/site-access.ts'
import { renderSeries } from '../events/series-page.tsx'
import { FormValues, readFormValues } from '../ui/form-values.ts'
import { controls, countPeople, readSignUp, removePerson, toFormErrors } from './answers.ts'
import { CheckPage } from './check-page.tsx'
import { ConfirmationPage } from './confirmation-page.tsx'
import { SignUpPage } from './form-page.tsx'
import { type OpenSignUp, openSignUpForm } from './open-form.ts'

/** The page of an event with its sign-up form, below the path of the event. */
export const signUpRoutes = new Hono<PublicEnv>()
  .get('/:eventId', async (c) => {
    const eventId = c.req.param('eventId')
    const open = await openSignUpForm(c.var.store, eventId)
    if (!open) return renderSeries(c, eventId)
    return c.html(<SignUpPage c={c} open={open} values={new FormValues()} />)
  })
  .post('/:eventId', async (c) => {
    const eventId = c.req.param('eventId')
    const values = await readFormValues(c.req)
    const open = await openSignUpForm(c.var.store, eventId)
    if (!open) throw new PublicError('noEvent')
    const [step, person] = values.text(controls.step).split(' ')
    switch (step) {
      case 'check':
        return renderCheck(c, open, values)
      case 'send':
        return send(c, open, values)
      case 'add':
        return renderForm(c, open, addPerson(values))
      case 'remove':
        return renderForm(c, open, removePerson(values, Number(person)))
      default:
        return renderForm(c, open, values)
    }
  })

const addPerson = (values: FormValues) =>
  values.with(controls.people, String(Math.min(countPeople(values) + 1, maxAttendees)))

const renderForm = (c: Context<PublicEnv>, open: OpenSignUp, values: FormValues) =>
  c.html(<SignUpPage c={c} open={open} values={values} />)

async function renderCheck(c: Context<PublicEnv>, open: OpenSignUp, values: FormValues) {
  return withFormErrors(c, open, values, () => {
    checkSignUp(open.form, readSignUp(open.form, values), c.var.signUpContext.origin)
    return c.html(<CheckPage c={c} open={open} values={values} />)
  })
}

async function send(c: Context<PublicEnv>, open: OpenSignUp, values: FormValues) {
  return withFormErrors(c, open, values, async () => {
    await limitForms(c, `${c.var.site.organisationId} event ${open.event.id}`)
    await refuseRobots(c, values)
    const input = readSignUp(open.form, values)
    const result = await signUp(c.var.signUpContext, input)
    return c.html(<ConfirmationPage c={c} open={open} input={input} result={result} />)
  })
}

/**
 * Runs the last step of a form. Renders the form again with the validation errors, or the check page with
 * any other refusal, so that nothing has to be typed again.
 */
async function withFormErrors(
  c: Context<PublicEnv>,
  open: OpenSignUp,
  values: FormValues,
  operation: () => Response | Promise<Response>,
): Promise<Response> {
  try {
    return await operation()
  } catch (error) {
    if (!(error instanceof ApiError) || isErrorOf(error, 'NOT_FOUND')) throw error
    if (error.errors.length > 0) {
      const errors = toFormErrors(open.form, values, error.errors)
      return c.html(<SignUpPage c={c} open={open} values={values} errors={errors} />, 400)
    }
    const page = <CheckPage c={c} open={open} values={values} refusal={describeError(error)} />
    return c.html(page, statuses[error.type], error.headers)
  }
}
