import type { Context } from 'hono'
import { ApiError } from '../../model/api-error.ts'
import { changeAttendee } from '../../sign-up/booking-link.ts'
import { parseSignUpForm } from '../../sign-up/form.ts'
import { PublicError } from '../../sign-up/public-error.ts'
import { readStoredSignUpForm } from '../../store/sign-up/read-event.ts'
import { texts } from '../../texts/texts.ts'
import type { PublicEnv } from '../access/site-access.ts'
import {
  type AttendeeForm,
  fieldControlName,
  questionControlName,
  readAttendee,
  toFormErrors,
} from '../sign-up/answers.ts'
import { toControlValues } from '../sign-up/field-control.tsx'
import { PersonControls } from '../sign-up/person-controls.tsx'
import { type FormErrors, PublicErrorSummary, PublicForm } from '../ui/form.tsx'
import { FormValues, readFormValues } from '../ui/form-values.ts'
import { PublicPage } from '../ui/page.tsx'
import { bookingPath, type OpenBooking, openBooking } from './open-booking.ts'

type ChangeContext = Context<PublicEnv, '/:secret/change'>

/** Renders the form to change the person who comes. */
export async function renderChangePage(c: ChangeContext) {
  const { open, form } = await openChange(c)
  return c.html(
    <ChangePage c={c} open={open} form={form} values={toFormValues(form, open)} errors={{}} />,
  )
}

/** Changes the person who comes, or renders the form again with the validation errors. */
export async function saveChange(c: ChangeContext) {
  const { open, form } = await openChange(c)
  const values = await readFormValues(c.req)
  try {
    await changeAttendee(
      c.var.signUpContext,
      open.secret,
      readAttendee(form, values, 0),
      open.chosenId,
    )
  } catch (error) {
    if (!(error instanceof ApiError) || error.errors.length === 0) throw error
    const errors = toFormErrors(form, values, error.errors)
    return c.html(<ChangePage c={c} open={open} form={form} values={values} errors={errors} />, 400)
  }
  return c.redirect(bookingPath(c.var.site, open), 303)
}

async function openChange(c: ChangeContext): Promise<{ open: OpenBooking; form: AttendeeForm }> {
  const open = await openBooking(c)
  const form = parseSignUpForm(await readStoredSignUpForm(c.var.store, open.linked.booking.eventId))
  if (!form) throw new PublicError('eventRemoved')
  return { open, form }
}

const toFormValues = ({ fields, questions }: AttendeeForm, { linked }: OpenBooking) =>
  new FormValues(
    new Map([
      ...fields.flatMap((field) =>
        toControlValues(field, linked.values[field.id], fieldControlName(0, field.id)),
      ),
      ...questions.map(({ id }): [string, string[]] => [
        questionControlName(0, id),
        [linked.questionAnswers[id] ?? ''],
      ]),
    ]),
  )

type ChangeProps = {
  c: Context<PublicEnv>
  open: OpenBooking
  form: AttendeeForm
  values: FormValues
  errors: FormErrors
}

function ChangePage({ c, open, form, values, errors }: ChangeProps) {
  return (
    <PublicPage
      site={c.var.site}
      title={texts.booking.change}
      hasErrors={Object.keys(errors).length > 0}
      back={{ path: bookingPath(c.var.site, open), label: texts.booking.back }}
    >
      <PublicErrorSummary errors={errors} />
      <h1>{texts.booking.change}</h1>
      <PublicForm action={bookingPath(c.var.site, open, '/change')}>
        <PersonControls form={form} person={0} values={values} errors={errors} />
        <button class="button primary" type="submit">
          {texts.booking.save}
        </button>
      </PublicForm>
    </PublicPage>
  )
}
