import { type Context, Hono } from 'hono'
import type { DashboardEnv } from '../auth/signed-in.ts'
import { formFields } from '../http/body.ts'
import { ApiError } from '../model/api-error.ts'
import { faultsOf } from '../model/checked.ts'
import { ConfirmRemove, ConfirmRotation } from './confirm-webhook.tsx'
import { flashOf, redirectTelling } from './flash.ts'
import { faultsByField } from './form-faults.ts'
import { pathOfWebhooks } from './page.tsx'
import { WebhookPage } from './webhook.tsx'
import { ResendForm, webhookForm } from './webhook-forms.ts'
import { type Typed, Webhooks } from './webhooks.tsx'

type Refused = { typed: Typed; faults: Record<string, string> }

/** Settings, Webhooks: add, test, pause, resume, rotate, remove, what was sent, and sending it again (additions 3). */
export const webhookPages = new Hono<DashboardEnv>()
  .get('/', (c) => listPage(c))
  .post('/', async (c) => {
    const { webhooks } = c.var
    const typed = await formFields(c.req)
    const form = webhookForm(webhooks.surroundings).safeParse(typed)
    if (!form.success) return listPage(c, { typed, faults: faultsByField(faultsOf(form.error)) })
    const { address: url, ...wanted } = form.data
    const { secret } = await webhooks.add({ url, ...wanted })
    return redirectTelling(c, pathOfWebhooks(c), { secret })
  })
  .get('/:id', (c) => onePage(c))
  .get('/:id/rotate', async (c) => c.html(<ConfirmRotation c={c} webhook={await webhookOf(c)} />))
  .post('/:id/rotate', async (c) => {
    const made = await c.var.webhooks.rotate(c.req.param('id'))
    return made ? redirectTelling(c, pathOfWebhooks(c), { secret: made.secret }) : back(c)
  })
  .get('/:id/remove', async (c) => c.html(<ConfirmRemove c={c} webhook={await webhookOf(c)} />))
  .post('/:id/remove', async (c) => {
    await c.var.webhooks.remove(c.req.param('id'))
    return back(c)
  })
  .post('/:id/pause', async (c) => {
    await c.var.webhooks.pause(c.req.param('id'))
    return back(c)
  })
  .post('/:id/resume', async (c) => {
    await c.var.webhooks.resume(c.req.param('id'))
    return back(c)
  })
  .post('/:id/test', async (c) => {
    await c.var.webhooks.test(c.req.param('id'))
    return back(c, c.req.param('id'))
  })
  .post('/:id/resend/:message', async (c) => {
    await c.var.webhooks.resend(c.req.param('id'), c.req.param('message'))
    return back(c, c.req.param('id'))
  })
  .post('/:id/resend', async (c) => {
    const form = ResendForm.safeParse(await formFields(c.req))
    if (!form.success) return onePage(c, faultsByField(faultsOf(form.error)).since)
    await c.var.webhooks.resendSince(c.req.param('id'), form.data.since)
    return back(c, c.req.param('id'))
  })

async function listPage(c: Context<DashboardEnv>, refused?: Refused) {
  const webhooks = await c.var.webhooks.list()
  return c.html(
    <Webhooks c={c} webhooks={webhooks} told={flashOf(c)} {...refused} />,
    refused ? 400 : 200,
  )
}

async function onePage(c: Context<DashboardEnv, '/:id'>, fault?: string) {
  const webhook = await webhookOf(c)
  const attempts = await c.var.webhooks.attempts(webhook.id)
  const page = <WebhookPage c={c} webhook={webhook} attempts={attempts} fault={fault} />
  return c.html(page, fault ? 400 : 200)
}

async function webhookOf(c: Context<DashboardEnv, '/:id/*'>) {
  const webhook = (await c.var.webhooks.list()).find(({ id }) => id === c.req.param('id'))
  if (!webhook) throw new ApiError('NOT_FOUND', 'There is no such webhook.')
  return webhook
}

// The act may have been done from another window already; the page then says so.
const back = (c: Context<DashboardEnv>, id = '') =>
  c.redirect(`${pathOfWebhooks(c)}${id && `/${id}`}`, 303)
