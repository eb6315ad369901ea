import type { Context } from 'hono'
import type { DashboardEnv } from '../../auth/signed-in.ts'
import { answerError } from '../../http/errors.ts'
import { Interrupted, Unreadable } from '../../import/read.ts'
import { isKind } from '../../model/schema.ts'
import { may } from '../may.ts'
import { type Answer, answered, type Progress } from './answer.ts'
import { FilePage } from './file-page.tsx'
import { type Form, formOf } from './form.ts'
import { Acts, Frame } from './frame.tsx'
import { type Opened, open } from './opened.ts'
import { check, keep, what, where } from './steps.tsx'

type C = Context<DashboardEnv>

/** Asks for a file. */
export const filePage = (c: C) => c.html(<FilePage c={c} />)

/** Takes a step of the conversation, with the file and what was chosen so far, and answers with the next. */
export async function takeStep(c: C): Promise<Response> {
  let form: Form
  try {
    form = await formOf(c.req, c.var.store.organisationId)
  } catch (error) {
    return answered(c, () => refused(c, error))
  }
  return answered(c, async (progress) => {
    try {
      return await stepOf(c, form, progress)
    } catch (error) {
      return await refused(c, error, form)
    } finally {
      form.letGo()
    }
  })
}

async function stepOf(c: C, form: Form, progress: Progress): Promise<Answer> {
  const { step } = form
  if (step === 'file') return { page: String(<FilePage c={c} form={form} />), status: 200 }
  if (!form.source) {
    const fault = form.has('mapping')
      ? 'Choose the file once more.'
      : 'Choose a file, or paste rows.'
    return { page: String(<FilePage c={c} form={form} fault={fault} />), status: 400 }
  }
  const opened = await open(c, form, form.source, progress)
  const { collection, schemas } = opened
  if (collection === undefined) {
    return what(opened, step === 'what' ? undefined : 'Choose what its rows are.')
  }
  if (isKind(collection) && !schemas[collection] && !may(c, 'administer')) {
    return what(
      opened,
      `There is no schema of ${collection} yet: ask an administrator to import the first file.`,
    )
  }
  try {
    return await answerTo(step, opened)
  } catch (error) {
    // Which form it is that the rows answer is chosen where it is said what they are.
    if (error instanceof Unreadable && opened.forms.length > 0) return what(opened)
    throw error
  }
}

function answerTo(step: string, opened: Opened): Promise<Answer> {
  switch (step) {
    case 'where':
      return where(opened)
    case 'check':
      return check(opened)
    case 'good':
    case 'all':
      return keep(opened, step === 'all')
    default:
      return what(opened)
  }
}

/** Says what came in the way, at the file if it is the file; the choices stay. */
async function refused(c: C, error: unknown, form?: Form): Promise<Answer> {
  if (error instanceof Unreadable) {
    const fault = error.line > 0 ? `Line ${error.line} ${error.message}` : `It ${error.message}`
    return { page: String(<FilePage c={c} {...(form && { form })} fault={fault} />), status: 400 }
  }
  const cause = error instanceof Interrupted && error.cause ? error.cause : error
  if (!(cause instanceof Error)) throw cause
  const answer = answerError(cause, c)
  const { message } = await answer.json<{ message: string }>()
  const kept = error instanceof Interrupted ? `${error.message} ` : ''
  return {
    page: String(<Problem c={c} form={form} fault={`${kept}${message}`} />),
    status: answer.status as Answer['status'],
  }
}

function Problem({ c, form, fault }: { c: C; form: Form | undefined; fault: string }) {
  return (
    <Frame c={c} step="file" title="That did not work" form={form} fault={fault}>
      <Acts back="file" />
    </Frame>
  )
}
