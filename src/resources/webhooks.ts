import type { Env } from '../auth/env.ts'
import { route } from '../auth/route.ts'
import { lazyRoute } from '../http/contract.ts'
import { Hono } from '../http/hono.ts'
import { oneOf, required } from '../http/parameters.ts'
import { closedQuery } from '../http/query.ts'
import { ApiError } from '../model/api-error.ts'
import { collectionNames } from '../model/collection.ts'
import { messages } from '../model/validation-error.ts'
import { type ListedWebhook, listWebhooks } from '../store/webhooks/list-webhooks.ts'
import { readSampleEntry } from '../store/webhooks/sample-entry.ts'
import { removeWebhook } from '../store/webhooks/webhooks.ts'
import { buildBody, buildSampleMessage } from '../webhooks/message.ts'

/*
 * The webhooks of a key, as integrations subscribe to them by themselves ("REST hooks"). A key sees and removes only its
 * own, and they tell only what it may read (`store/webhooks/next-messages.ts`).
 */

const loadResponses = async () => (await import('./webhook-responses.ts')).webhookResponses

const getWebhooks = route(
  {
    operationId: 'listWebhooks',
    summary: 'List the webhooks of the key',
    description:
      'Returns the webhooks that the key has added, oldest first, without their secrets.',
    isAddition: true,
    query: closedQuery(),
    responses: async () => (await loadResponses()).list,
  },
  async (c) => c.json({ webhooks: (await listWebhooks(c.var.store)).map(toWebhook) }),
)

const getSample = route(
  {
    operationId: 'getSampleMessage',
    summary: 'Get a sample of a message',
    description:
      'Returns a message about a record of the collection, as a webhook would receive it, to try an integration before anything changes.',
    isAddition: true,
    query: closedQuery({
      collection: required(
        oneOf(collectionNames, {
          description: 'The collection of the record.',
          example: 'members',
        }),
        messages.oneOf(collectionNames),
      ),
    }),
    responses: async () => (await loadResponses()).sample,
  },
  async (c) => {
    const { store } = c.var
    const { collection } = c.req.valid('query')
    const message = await buildSampleMessage(collection, await readSampleEntry(store, collection))
    return c.body(buildBody(store.organisationId, message), 200, {
      'Content-Type': 'application/json',
    })
  },
)

const deleteWebhook = route(
  {
    operationId: 'deleteWebhook',
    summary: 'Delete a webhook',
    description:
      'Ends a webhook that the key has added: it receives no more messages, not even waiting ones.',
    isAddition: true,
    path: {
      webhookId: {
        description: 'The id of the webhook.',
        example: '0d9c2a5e-6f0b-4f0e-8a55-6e5f1c0f7b21',
      },
    },
    query: closedQuery(),
    responses: async () => (await loadResponses()).remove,
  },
  async (c) => {
    if (await removeWebhook(c.var.store, String(c.req.param('webhookId')))) return c.body(null, 204)
    throw new ApiError('NOT_FOUND', 'There is no webhook of this key with this webhookId.')
  },
)

/** A webhook as responses show it. */
const toWebhook = (webhook: ListedWebhook) => {
  const { id: webhookId, url, collections, changes, state, reason, created, lastSuccess } = webhook
  return { webhookId, url, collections, changes, state, reason, created, lastSuccess }
}

export const routes = new Hono<Env>()
  .get('/', getWebhooks)
  .post(
    '/',
    lazyRoute(async () => (await import('./routes/create-webhook.ts')).createWebhook),
  )
  .delete('/:webhookId', deleteWebhook)

/** Separate, because `DELETE /:webhookId` would match `$sample` too. */
export const sampleRoutes = new Hono<Env>().get('/$sample', getSample)
