import { type Context, Hono } from 'hono'
import * as z from 'zod'
import { readForm } from '../../../http/body.ts'
import { ApiError } from '../../../model/api-error.ts'
import { collectionNames } from '../../../model/collection.ts'
import { fromLondon } from '../../../model/timestamp.ts'
import { toValidationErrors, validate } from '../../../model/validation-error.ts'
import { type AddressRules, validateAddress } from '../../../webhooks/address.ts'
import type { ListedWebhook } from '../../../webhooks/list-webhooks.ts'
import { changeNames } from '../../../webhooks/message.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { Confirm } from '../../ui/button.tsx'
import { checkboxValues, groupErrorsByField } from '../../ui/form.tsx'
import { redirectWithFlash, takeFlash } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { webhooksPath } from '../../ui/paths.ts'
import { type WebhookFormValues, WebhooksPage } from './page.tsx'
import { WebhookPage } from './webhook-page.tsx'

type RejectedForm = { values: WebhookFormValues; errors: Record<string, string> }

/** The settings of webhooks: add, test, pause, resume, rotate and remove; list attempts and resend messages (additions 3). */
export const webhookRoutes = new Hono<DashboardEnv>()
  .get('/', (c) => renderListPage(c))
  .post('/', async (c) => {
    const { webhooks } = c.var
    const values = await readForm(c.req)
    const form = buildWebhookForm(webhooks.addressRules).safeParse(values)
    if (!form.success)
      return renderListPage(c, {
        values,
        errors: groupErrorsByField(toValidationErrors(form.error, values)),
      })
    const { address: url, ...selection } = form.data
    const { secret } = await webhooks.add({ url, ...selection })
    return redirectWithFlash(c, webhooksPath(c), { secret })
  })
  .get('/:id', (c) => renderWebhookPage(c))
  .get('/:id/rotate', async (c) => c.html(<ConfirmRotate c={c} webhook={await findWebhook(c)} />))
  .post('/:id/rotate', async (c) => {
    const rotated = await c.var.webhooks.rotate(c.req.param('id'))
    return rotated
      ? redirectWithFlash(c, webhooksPath(c), { secret: rotated.secret })
      : redirectToWebhooks(c)
  })
  .get('/:id/remove', async (c) => c.html(<ConfirmRemove c={c} webhook={await findWebhook(c)} />))
  .post('/:id/remove', async (c) => {
    await c.var.webhooks.remove(c.req.param('id'))
    return redirectToWebhooks(c)
  })
  .post('/:id/pause', async (c) => {
    await c.var.webhooks.pause(c.req.param('id'))
    return redirectToWebhooks(c)
  })
  .post('/:id/resume', async (c) => {
    await c.var.webhooks.resume(c.req.param('id'))
    return redirectToWebhooks(c)
  })
  .post('/:id/test', async (c) => {
    await c.var.webhooks.test(c.req.param('id'))
    return redirectToWebhooks(c, c.req.param('id'))
  })
  .post('/:id/resend/:message', async (c) => {
    await c.var.webhooks.resend(c.req.param('id'), c.req.param('message'))
    return redirectToWebhooks(c, c.req.param('id'))
  })
  .post('/:id/resend', async (c) => {
    const form = validate(ResendForm, await readForm(c.req))
    if ('errors' in form) return renderWebhookPage(c, groupErrorsByField(form.errors).since)
    await c.var.webhooks.resendSince(c.req.param('id'), form.value.since)
    return redirectToWebhooks(c, c.req.param('id'))
  })

async function renderListPage(c: Context<DashboardEnv>, rejected?: RejectedForm) {
  const webhooks = await c.var.webhooks.list()
  return c.html(
    <WebhooksPage c={c} webhooks={webhooks} flash={takeFlash(c)} {...rejected} />,
    rejected ? 400 : 200,
  )
}

async function renderWebhookPage(c: Context<DashboardEnv, '/:id'>, error?: string) {
  const webhook = await findWebhook(c)
  const attempts = await c.var.webhooks.attempts(webhook.id)
  const page = <WebhookPage c={c} webhook={webhook} attempts={attempts} error={error} />
  return c.html(page, error ? 400 : 200)
}

async function findWebhook(c: Context<DashboardEnv, '/:id/*'>) {
  const webhook = (await c.var.webhooks.list()).find(({ id }) => id === c.req.param('id'))
  if (!webhook) throw new ApiError('NOT_FOUND', 'This webhook does not exist.')
  return webhook
}

// Another window may have completed the action first, so the page shows the current state.
const redirectToWebhooks = (c: Context<DashboardEnv>, id = '') =>
  c.redirect(`${webhooksPath(c)}${id && `/${id}`}`, 303)

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

type Props = { c: Context<DashboardEnv>; webhook: ListedWebhook }

/** Asks for confirmation before a webhook is removed. */
export function ConfirmRemove({ c, webhook: { id, url } }: Props) {
  const listPath = webhooksPath(c)
  return (
    <Page c={c} title="Remove a webhook">
      <Confirm
        action={`${listPath}/${id}/remove`}
        confirmLabel="Remove this webhook for good"
        cancelPath={listPath}
        cancelLabel="Keep webhook"
      >
        <p>
          Remove <strong>{url}</strong> for good, with the record of its attempts? It receives no
          more messages. To stop it temporarily, pause it instead: changes made while it is paused
          are sent when you resume it.
        </p>
      </Confirm>
    </Page>
  )
}

/** Asks for confirmation before a webhook's secret is rotated. */
export function ConfirmRotate({ c, webhook: { id, url } }: Props) {
  const listPath = webhooksPath(c)
  return (
    <Page c={c} title="Rotate a secret">
      <Confirm
        action={`${listPath}/${id}/rotate`}
        confirmLabel="Create new secret"
        cancelPath={listPath}
        cancelLabel="Cancel"
      >
        <p>
          This creates a new secret for <strong>{url}</strong>. Messages are signed with both
          secrets for one day, so that you have time to update the receiver.
        </p>
      </Confirm>
    </Page>
  )
}
