import type { Context } from 'hono'
import { loadExampleData } from '../../admin/example-data.ts'
import {
  createFirstOrganisation,
  type FirstOrganisationInput,
} from '../../admin/first-organisation.ts'
import { isSetUpPerson } from '../../auth/one-time-codes.ts'
import { readFormBody } from '../../http/body.ts'
import { Hono } from '../../http/hono.ts'
import { openMail } from '../../mail/mail.ts'
import { isErrorOf } from '../../model/api-error.ts'
import { isTrial } from '../../platform/trial.ts'
import { usualColour } from '../../public/ui/colours.ts'
import { administeredStore } from '../../store/trusted-store.ts'
import type { DatabaseEnv } from '../session/signed-in.ts'
import { listTasks } from '../settings/set-up/tasks.tsx'
import { readItems } from '../ui/fields.tsx'
import {
  type FieldErrors,
  type FieldValues,
  groupErrorsByField,
  textOf,
} from '../ui/form-values.ts'
import { redirectWithFlash } from '../ui/notice.tsx'
import { organisationPath } from '../ui/paths.ts'
import { parts, SetUpPage, startingPoints } from './set-up-page.tsx'

const initialValues: FieldValues = { colour: usualColour }

/** The page that creates the organisation of a new installation, for the session of its setup code. */
export const setUpRoutes = new Hono<DatabaseEnv>()
  .use(async (c, next) => {
    const { session } = c.var
    if (!session || !isSetUpPerson(session.person)) return c.redirect('/dashboard', 303)
    await next()
  })
  .get('/', (c) => {
    const start = isTrial(c.env) ? 'example' : 'file'
    return c.html(renderPage(c, { ...initialValues, start }))
  })
  .post('/', async (c) => {
    const values = readItems(
      parts.flatMap(({ fields }) => fields),
      await readFormBody(c.req),
    )
    try {
      const { id, email } = await createFirstOrganisation(c.env.DB, toInput(values))
      const path = organisationPath(id)
      if (textOf(values, 'start') !== 'example') return c.redirect(path + startPath(values), 303)
      const importId = await loadExampleData(c.env, administeredStore(c.env.DB, id, email))
      return redirectWithFlash(c, path + startPath(values), {
        notice: 'The example data is loaded. Undo removes it.',
        undo: `${path}/import/done/${importId}/undo`,
      })
    } catch (error) {
      if (!isErrorOf(error, 'BAD_REQUEST')) throw error
      const errors = groupErrorsByField(error.errors)
      return c.html(renderPage(c, values, errors), 400)
    }
  })

function renderPage(c: Context<DatabaseEnv>, values: FieldValues, errors: FieldErrors = {}) {
  const hasMail = openMail(c.env) !== undefined
  const tasks = listTasks({ env: c.env, url: c.req.url, hasMail, marked: [] })
  return <SetUpPage env={c.env} tasks={tasks} values={values} errors={errors} />
}

function toInput(values: FieldValues): FirstOrganisationInput {
  const colour = textOf(values, 'colour')
  return {
    name: textOf(values, 'name'),
    email: textOf(values, 'email'),
    hasPublicPages: textOf(values, 'publicPages') === 'on',
    colour: colour === usualColour ? undefined : colour,
    privacyNotice: textOf(values, 'privacyNotice').trim() || undefined,
  }
}

/** The path, below the organisation's, of the page that follows. */
const startPath = (values: FieldValues): string =>
  startingPoints.find(({ id }) => id === textOf(values, 'start'))?.path ?? '/home'
