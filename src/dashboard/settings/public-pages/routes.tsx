import type { Context } from 'hono'
import * as z from 'zod'
import { organisationPublicPages } from '../../../admin/organisation/public-pages.ts'
import { readFormBody } from '../../../http/body.ts'
import { Hono } from '../../../http/hono.ts'
import { isErrorOf } from '../../../model/api-error.ts'
import type { Field } from '../../../model/properties/schema.ts'
import { usualColour } from '../../../public/ui/colours.ts'
import type { Site } from '../../../sign-up/public-pages.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { type FieldErrors, groupErrorsByField } from '../../ui/form-values.ts'
import { redirectWithFlash, takeFlash } from '../../ui/notice.tsx'
import { dashboardPath } from '../../ui/paths.ts'
import { PublicPagesPage, signUpFieldName } from './page.tsx'

const text = z.string().trim().catch('')

const Form = z.object({
  enabled: text,
  privacyNotice: text,
  consentText: text,
  contactEmail: text,
  contactPhone: text,
  colour: text,
  frameAncestors: text,
  offerHours: text,
  remindsDayBefore: text,
  hasExitLink: text,
  publishesSessions: text,
  removeLogo: text,
  logo: z.instanceof(File).optional().catch(undefined),
})

/** The settings of the public pages. */
export const routes = new Hono<DashboardEnv>()
  .get('/', async (c) => {
    return c.html(await renderPage(c, await c.var.administer(organisationPublicPages).read()))
  })
  .post('/', async (c) => {
    const [form, { site, fields }] = await Promise.all([
      readFormBody(c.req),
      c.var.administer(organisationPublicPages).read(),
    ])
    const { enabled, settings, logo, publishesSessions } = await parseForm(form, fields)
    try {
      await c.var.administer(organisationPublicPages).save({
        enabled,
        settings,
        publishesSessions,
        ...(logo !== undefined && { logo }),
      })
    } catch (error) {
      if (!isErrorOf(error, 'BAD_REQUEST')) throw error
      const errors = groupErrorsByField(error.errors)
      const submitted = { ...site, enabled, settings: { ...site.settings, ...settings } }
      return c.html(
        await renderPage(c, { site: submitted, fields, publishesSessions, errors }),
        400,
      )
    }
    return redirectWithFlash(c, dashboardPath(c, '/settings/public-pages'), { notice: 'Saved.' })
  })

async function renderPage(
  c: Context<DashboardEnv>,
  page: {
    site: Site
    fields: readonly Field[]
    publishesSessions: boolean
    errors?: FieldErrors
  },
) {
  const { notice } = takeFlash(c)
  return <PublicPagesPage c={c} notice={notice} {...page} />
}

/** The settings of a submitted form; an empty text means none. */
async function parseForm(form: Record<string, unknown>, fields: readonly Field[]) {
  const { enabled, publishesSessions, removeLogo, logo, ...values } = Form.parse(form)
  const { frameAncestors, offerHours, remindsDayBefore, hasExitLink, ...texts } = values
  const file = logo && logo.size > 0 ? new Uint8Array(await logo.arrayBuffer()) : undefined
  return {
    enabled: enabled === 'on',
    publishesSessions: publishesSessions === 'on',
    logo: removeLogo === 'yes' ? null : file,
    settings: {
      ...Object.fromEntries(
        Object.entries(texts).map(([name, value]) => [name, value === '' ? undefined : value]),
      ),
      ...(texts.colour === usualColour && { colour: undefined }),
      frameAncestors: frameAncestors.split(/\s+/).filter(Boolean),
      remindsDayBefore: remindsDayBefore === 'on' || undefined,
      hasExitLink: hasExitLink === 'on' || undefined,
      ...(offerHours !== '' && { offerHours: Number(offerHours) }),
      signUpFields: fields.flatMap(({ id }, index) => {
        const choice = form[signUpFieldName(index)]
        return choice === 'required' || choice === 'optional'
          ? [{ id, required: choice === 'required' }]
          : []
      }),
    },
  }
}
