import * as z from 'zod'
import { requireCollection } from '../../access/credential.ts'
import { webhookPermissions } from '../../access/permissions.ts'
import { route } from '../../auth/route.ts'
import { ErrorBody } from '../../http/error-bodies.ts'
import { closedQuery } from '../../http/query.ts'
import { invalidField } from '../../model/api-error.ts'
import { collectionNames } from '../../model/collection.ts'
import { addressRulesOf, validateAddress } from '../../webhooks/address.ts'
import { changeNames } from '../../webhooks/message.ts'
import { addWebhook } from '../../webhooks/new-secret.ts'

const namesOf = <const Names extends readonly string[]>(names: Names) =>
  z
    .array(
      z.enum(names, `must be one of ${names.join(', ')}.`),
      `must be a list of names from ${names.join(', ')}.`,
    )
    .min(1, `must have at least one of ${names.join(', ')}.`)
    .max(names.length, `must have each of ${names.join(', ')} at most once.`)

const WebhookInput = z.strictObject({
  url: z.string('must be a web address.').meta({
    description: 'The address that receives the messages: https, on a public name.',
    examples: ['https://hooks.example.org/changes'],
  }),
  collections: namesOf(collectionNames).meta({
    description: 'The collections to follow. The key must be able to read each.',
    examples: [['members', 'bookings']],
  }),
  changes: namesOf(changeNames).meta({
    description: 'The changes to follow.',
    examples: [['created', 'updated']],
  }),
})

const NewWebhook = z
  .strictObject({
    webhookId: z.string().meta({
      description: 'The id of the webhook.',
      examples: ['0d9c2a5e-6f0b-4f0e-8a55-6e5f1c0f7b21'],
    }),
    secret: z.string().meta({
      description: 'The secret that signs its messages. It is never shown again.',
      examples: ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'],
    }),
  })
  .meta({ description: 'The webhook that was added.' })

/** `POST /webhooks`: adds a webhook of the key. Its secret is in this response only. */
export const createWebhook = route(
  {
    operationId: 'createWebhook',
    summary: 'Add a webhook',
    description:
      'Adds a webhook for future changes, and returns the secret that verifies its messages, once. Needs the `read` and `manage-webhooks` permissions. Messages tell only what the key may read when they are sent. The webhook ends when the key is revoked or expires; a replacement of the key takes it over.',
    isAddition: true,
    query: closedQuery(),
    body: WebhookInput,
    responses: () => ({
      201: z.strictObject({ webhook: NewWebhook }),
      403: ErrorBody,
      409: ErrorBody,
      413: ErrorBody,
      415: ErrorBody,
    }),
  },
  async (c) => {
    const { store } = c.var
    const { url, collections, changes } = c.req.valid('json')
    await store.verify({ permissions: webhookPermissions })
    for (const collection of collections) requireCollection(store.policy, collection)
    const error = validateAddress(url, addressRulesOf(c.env, new URL(c.req.url).host))
    if (error) throw invalidField('url', 'not_allowed', error)
    const settings = { url, collections: [...new Set(collections)], changes: [...new Set(changes)] }
    const { id: webhookId, secret } = await addWebhook(c.env, store, settings)
    return c.json({ webhook: { webhookId, secret } }, 201)
  },
)
