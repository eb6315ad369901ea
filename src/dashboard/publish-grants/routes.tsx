import type { Context } from 'hono'
import { organisationPublishing } from '../../admin/organisation/publishing.ts'
import { readFormBody } from '../../http/body.ts'
import { Hono } from '../../http/hono.ts'
import { isErrorOf } from '../../model/api-error.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { readItems } from '../ui/fields.tsx'
import { type FieldErrors, type FieldValues, groupErrorsByField } from '../ui/form-values.ts'
import { redirectWithFlash, takeFlash } from '../ui/notice.tsx'
import { dashboardPath } from '../ui/paths.ts'
import { parseSettings, publishingParts, toValues } from './form.ts'
import { PublishGrantsPage } from './page.tsx'

const path = '/publish-grants'

/** The page on which administrators publish the organisation's grants. */
export const routes = new Hono<DashboardEnv>()
  .get('/', async (c) => {
    const { notice } = takeFlash(c)
    return c.html(await renderPage(c, { notice }))
  })
  .post('/', async (c) => {
    const items = publishingParts([]).flatMap(({ fields }) => fields)
    const values = readItems(items, await readFormBody(c.req))
    try {
      await c.var.administer(organisationPublishing).save(parseSettings(values))
    } catch (error) {
      if (!isErrorOf(error, 'BAD_REQUEST')) throw error
      const errors = groupErrorsByField(error.errors)
      return c.html(await renderPage(c, { values, errors }), 400)
    }
    return redirectWithFlash(c, dashboardPath(c, path), { notice: 'Saved.' })
  })

async function renderPage(
  c: Context<DashboardEnv>,
  {
    notice,
    values,
    errors,
  }: { notice?: string | undefined; values?: FieldValues; errors?: FieldErrors },
) {
  const index = Math.max(0, Math.trunc(Number(c.req.query('grant'))) - 1 || 0)
  const { settings, funds, readiness } = await c.var.administer(organisationPublishing).read(index)
  return (
    <PublishGrantsPage
      c={c}
      path={path}
      isOn={settings.isOn}
      readiness={readiness}
      parts={publishingParts(funds)}
      values={values ?? toValues(settings)}
      errors={errors ?? {}}
      notice={notice}
    />
  )
}
