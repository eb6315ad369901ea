import type { Context } from 'hono'
import * as z from 'zod'
import { organisationWebhooks } from '../../../admin/organisation/webhooks.ts'
import { readFormBody } from '../../../http/body.ts'
import { Hono } from '../../../http/hono.ts'
import { ApiError } from '../../../model/api-error.ts'
import { collectionNames } from '../../../model/collection.ts'
import { fromLondon } from '../../../model/timestamp.ts'
import { listAttempts, listWebhooks } from '../../../store/webhooks/list-webhooks.ts'
import { type AddressRules, validateAddress } from '../../../webhooks/address.ts'
import { changeNames } from '../../../webhooks/message.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { actionRoutes } from '../../ui/actions.tsx'
import { checkboxValues } from '../../ui/checkbox-values.ts'
import { readItems } from '../../ui/fields.tsx'
import { type FieldErrors, hasErrors, validateForm } from '../../ui/form-values.ts'
import { redirectWithFlash, takeFlash } from '../../ui/notice.tsx'
import { webhooksPath } from '../../ui/paths.ts'
import { webhookActions } from './actions.tsx'
import { WebhooksPage, webhookFields } from './page.tsx'
import { WebhookPage } from './webhook-page.tsx'

/** The settings of webhooks: add, test, pause, resume, rotate and remove; list attempts and resend messages. */
export const routes = new Hono<DashboardEnv>()
  .get('/', (c) => renderListPage(c))
  .post('/', async (c) => {
    const webhooks = c.var.administer(organisationWebhooks)
    const values = readItems(webhookFields, await readFormBody(c.req))
    const form = validateForm(buildWebhookForm(webhooks.addressRules), values)
    if ('errors' in form) return renderListPage(c, { values, errors: form.errors })
    const { address: url, ...selection } = form.value
    const { secret } = await webhooks.add({ url, ...selection })
    return redirectWithFlash(c, webhooksPath(c), { secret })
  })
  .get('/:id', (c) => renderWebhookPage(c))
  .route('/', actionRoutes({ actions: webhookActions, find: findWebhook, listPath: webhooksPath }))
  .post('/:id/resend/:message', async (c) => {
    await c.var.administer(organisationWebhooks).resend(c.req.param('id'), c.req.param('message'))
    return redirectToWebhook(c)
  })
  .post('/:id/resend', async (c) => {
    const form = validateForm(ResendForm, await readFormBody(c.req))
    if ('errors' in form) return renderWebhookPage(c, form.errors)
    await c.var.administer(organisationWebhooks).resendSince(c.req.param('id'), form.value.since)
    return redirectToWebhook(c)
  })

async function renderListPage(
  c: Context<DashboardEnv>,
  rejected?: Parameters<typeof WebhooksPage>[0]['rejected'],
) {
  const webhooks = await listWebhooks(c.var.store)
  return c.html(
    <WebhooksPage c={c} webhooks={webhooks} flash={takeFlash(c)} rejected={rejected} />,
    rejected ? 400 : 200,
  )
}

async function renderWebhookPage(c: Context<DashboardEnv, '/:id'>, errors: FieldErrors = {}) {
  const webhook = await findWebhook(c, c.req.param('id'))
  const attempts = await listAttempts(c.var.store, webhook.id)
  const page = <WebhookPage c={c} webhook={webhook} attempts={attempts} errors={errors} />
  return c.html(page, hasErrors(errors) ? 400 : 200)
}

async function findWebhook(c: Context<DashboardEnv>, id: string) {
  const webhook = (await listWebhooks(c.var.store)).find((listed) => listed.id === id)
  if (!webhook) throw new ApiError('NOT_FOUND', 'This webhook does not exist.')
  return webhook
}

const redirectToWebhook = (c: Context<DashboardEnv, '/:id/*'>) =>
  c.redirect(`${webhooksPath(c)}/${c.req.param('id')}`, 303)

/** Returns the parser for a new webhook's form, with the address rules of this installation. */
const buildWebhookForm = (surroundings: AddressRules) =>
  z.object({
    address: z
      .string('must be given.')
      .trim()
      .superRefine((address, ctx) => {
        const error = validateAddress(address, surroundings)
        if (error) ctx.addIssue(error)
      }),
    collections: atLeastOneOf(collectionNames),
    changes: atLeastOneOf(changeNames),
  })

/** The parser of the form that resends every change since a UK time. */
export const ResendForm = z.object({
  since: z
    .string('must be given.')
    .transform(fromLondon)
    .pipe(z.string('must be a valid date and time.')),
})

const atLeastOneOf = (names: readonly string[]) =>
  checkboxValues.refine(
    (values) => values.length > 0 && values.every((name) => names.includes(name)),
    `must be at least one of ${names.join(', ')}.`,
  )
