import { sha256 } from '../platform/sha256.ts'
import type { FeedEntry, WebhookMessage } from '../store/webhooks/messages.ts'

/** The kinds of change that a webhook can follow. */
export const changeNames = ['created', 'updated', 'deleted'] as const

type ChangeName = (typeof changeNames)[number]

type Subscription = { webhookId: string; notified: number; changes: readonly string[] }

export const testMessageType = 'webhook.test'

/** The message for a feed entry, or undefined if the webhook does not follow the change. `undelivered` is a waiting message about the same record. */
export async function buildMessage(
  { webhookId, notified, changes }: Subscription,
  { firstVersion, ...entry }: FeedEntry,
  undelivered?: WebhookMessage,
): Promise<WebhookMessage | undefined> {
  const { version, collection, recordId, at } = entry
  const isNewToWebhook =
    firstVersion !== null && (firstVersion > notified || isCreation(undelivered))
  const candidates: ChangeName[] =
    firstVersion === null
      ? ['deleted']
      : [
          ...(isNewToWebhook ? ['created' as const] : []),
          ...(version > firstVersion ? ['updated' as const] : []),
        ]
  const change = candidates.find((name) => changes.includes(name))
  if (!change) return undefined
  const { singular, id } = messageNames(collection)
  const changed = new Set([...(undelivered?.changed ?? []), ...entry.changed])
  changed.delete(id)
  return {
    messageId: await buildMessageId(webhookId, collection, recordId, version, at),
    type: `${singular}.${change}`,
    collection,
    recordId,
    version,
    at,
    changed: change === 'deleted' ? [] : [...changed],
  }
}

/** A message about a record as if it had just been created; without one, about an invented record. */
export async function buildSampleMessage(
  collection: string,
  entry: FeedEntry | undefined,
): Promise<WebhookMessage> {
  const invented: FeedEntry = {
    collection,
    recordId: 'example',
    version: 1,
    firstVersion: 1,
    at: new Date().toISOString(),
    changed: [],
    isVisible: true,
  }
  const subscription = { webhookId: 'sample', notified: 0, changes: changeNames }
  const message = await buildMessage(subscription, entry ?? invented)
  if (!message) throw new Error('A webhook that follows every change has a message for each.')
  return message
}

export const buildTestMessage = (messageId: string, at: string): WebhookMessage => ({
  messageId,
  at,
  type: testMessageType,
  version: 0,
  changed: [],
  // No collection has this name, so it replaces no record's message.
  collection: '',
  recordId: messageId,
})

/** The body of a message, without values: the receiver reads them from the API. */
export function buildBody(organisationId: string, message: WebhookMessage): string {
  const { type, at: timestamp, collection, recordId: id, version, changed } = message
  const data =
    type === testMessageType
      ? { organisationId }
      : { organisationId, collection, id, version, changed }
  return JSON.stringify({ type, timestamp, data })
}

export const messageTypes = (collection: string) =>
  changeNames.map((change) => `${messageNames(collection).singular}.${change}`)

const isCreation = (message: WebhookMessage | undefined) =>
  message?.type.endsWith('.created') === true

const buildMessageId = async (...parts: (string | number)[]) =>
  `msg_${(await sha256(JSON.stringify(parts))).slice(0, 32)}`

// For example surveyResponse and responseId for survey-responses.
function messageNames(collection: string) {
  const words = collection.slice(0, -1).split('-')
  const [first = '', ...otherWords] = words
  return {
    singular:
      first + otherWords.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(''),
    id: `${words.at(-1)}Id`,
  }
}
