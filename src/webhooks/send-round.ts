import { accessPolicyFor } from '../access/access-policy.ts'
import type {
  Attempt,
  FeedEntry,
  OutboxMessage,
  WebhookMessage,
} from '../store/webhooks/messages.ts'
import type { DeliveryBatch, LeasedWebhook } from '../store/webhooks/next-messages.ts'
import { maxOutboxMessages } from '../store/webhooks/outbox.ts'
import { parseHosts } from './address.ts'
import type { Connections } from './connections.ts'
import { buildMessage } from './message.ts'
import { type AttemptResult, type Environment, type Receiver, send } from './send.ts'
import { openSecret, type WebhookKeys } from './webhook-keys.ts'

/** The bindings that deliveries need. */
export type DeliveryContext = WebhookKeys & {
  DB: D1Database
  OWN_HOSTS?: string
  allowsLocal: boolean
}

/** The next messages of a leased webhook. */
export type LeasedBatch = DeliveryBatch & { webhook: LeasedWebhook }

/** The maximum number of messages in a round and over each connection, and the number of feed entries to read. */
export type Pace = { size: number; perConnection: number; window: number }

/** An attempt of a round, with the receiver's `Retry-After`. */
export type SentMessage = Attempt & AttemptResult

/** The attempts of a round, and the new cursor in the feed. */
export type SentBatch = { attempts: SentMessage[]; cursor: number; entriesRead: number }

// Leaves connections for the organisation's other webhooks.
const maxConnectionsPerWebhook = 4

/** Sends the messages of a round over the open connection and any free ones. */
export async function sendBatch(
  context: DeliveryContext,
  environment: Environment,
  connections: Connections,
  batch: LeasedBatch,
  { size, perConnection, window }: Pace,
): Promise<SentBatch> {
  const { organisationId } = batch.webhook
  const receiver = await buildReceiver(context, batch.webhook, environment.now())
  const connectionLimit = Math.min(size, maxConnectionsPerWebhook)
  const extraConnections = connections.openMore(organisationId, connectionLimit - 1)
  try {
    const maxMessages = Math.min(size, (1 + extraConnections) * perConnection)
    const { messages, cursor, entriesRead } = await chooseMessages(
      batch,
      { size: maxMessages, window },
      environment.now(),
    )
    const attempts = await sendAll(context, environment, receiver, messages, 1 + extraConnections)
    return { attempts, cursor, entriesRead }
  } finally {
    connections.close(organisationId, extraConnections)
  }
}

/** Chooses the messages of a round: those due in the outbox, then new ones from the feed. */
async function chooseMessages(
  { webhook, outbox, entries }: LeasedBatch,
  { size, window }: Pick<Pace, 'size' | 'window'>,
  now: number,
) {
  const policy = accessPolicyFor(webhook.restrictions)
  const follows = (collection: string) =>
    webhook.collections.includes(collection) && policy.allowsCollection(collection)
  const undelivered = new Map(outbox.map((message) => [recordKey(message), message]))
  const isFull = outbox.length >= maxOutboxMessages
  // A round with a lost result may have sent the later change, so an earlier one would be out of order. The feed replaces
  // the message, except while the outbox is full.
  const isNext = ({ due, isSuperseded }: LeasedBatch['outbox'][number]) =>
    Date.parse(due) <= now && (isFull || !isSuperseded)
  const dueMessages = outbox.filter(isNext).slice(0, size)
  const messages = new Map<string, WebhookMessage>(
    dueMessages.map((message) => [recordKey(message), message]),
  )
  let { cursor } = webhook
  let entriesRead = 0
  for (const entry of isFull ? [] : entries) {
    if (messages.size >= size) break
    const isFollowed = entry.isVisible && follows(entry.collection)
    const message = isFollowed
      ? await buildMessage(toSubscription(webhook), entry, undelivered.get(recordKey(entry)))
      : undefined
    // Replaces a waiting message about the same record.
    if (message) messages.set(recordKey(entry), message)
    cursor = entry.version
    entriesRead++
  }
  // Skip the versions of deletions that are no longer stored.
  if (entriesRead === entries.length && entries.length < window && !isFull)
    cursor = Math.max(cursor, webhook.newest)
  const visible = [...messages.values()].map((message) => {
    const { collection, changed } = message
    const schema = webhook.schemas?.[collection]
    return { ...message, changed: policy.visibleChanges(collection, changed, schema) }
  })
  return { messages: visible, cursor, entriesRead }
}

async function sendAll(
  context: DeliveryContext,
  environment: Environment,
  receiver: Receiver,
  messages: readonly WebhookMessage[],
  connections: number,
): Promise<SentMessage[]> {
  const attempts: SentMessage[] = []
  const rules = { ownHosts: parseHosts(context.OWN_HOSTS), allowsLocal: context.allowsLocal }
  const remaining = messages.values()
  const runConnection = async () => {
    for (const message of remaining) {
      const attempted = new Date(environment.now()).toISOString()
      const result = await send(environment, rules, receiver, message)
      attempts.push({ ...message, ...result, attempted, attempt: attemptCount(message) + 1 })
    }
  }
  await Promise.all(Array.from({ length: connections }, runConnection))
  return attempts
}

/** The receiver with two secrets for a day after a rotation, or without secrets if the current one cannot be decrypted. */
async function buildReceiver(
  keys: WebhookKeys,
  webhook: LeasedWebhook,
  now: number,
): Promise<Receiver> {
  const { id, organisationId, url, secret, previousSecret, previousSecretUntil } = webhook
  const isPreviousSecretValid =
    previousSecretUntil !== null && Date.parse(previousSecretUntil) > now
  const current = await openSecret(keys, id, secret)
  // After a key was lost and the secret rotated, nobody can sign with the previous secret any more.
  const previous =
    previousSecret !== null && isPreviousSecretValid && (await openSecret(keys, id, previousSecret))
  const secrets = current === undefined ? [] : [current, ...(previous ? [previous] : [])]
  return { organisationId, url, secrets }
}

const toSubscription = ({ id, notified, changes }: LeasedWebhook) => ({
  webhookId: id,
  notified,
  changes,
})

export const recordKey = ({ collection, recordId }: WebhookMessage | FeedEntry) =>
  `${collection} ${recordId}`

const attemptCount = (message: WebhookMessage | OutboxMessage) =>
  'attempts' in message ? message.attempts : 0
