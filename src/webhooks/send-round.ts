import { parseHosts } from './address.ts'
import type { Connections } from './connections.ts'
import { buildMessage, type FeedEntry, type Message } from './message.ts'
import type { DeliveryBatch, LeasedWebhook, OutboxMessage } from './next-messages.ts'
import { type Attempt, maxOutboxMessages } from './outbox.ts'
import { decryptSecret } from './secret.ts'
import { type Environment, type Receiver, send } from './send.ts'

/** What sending needs: the records, the key of the secrets, and what the service is called. */
export type DeliveryContext = {
  DB: D1Database
  WEBHOOK_KEY?: string
  OWN_HOSTS?: string
  allowsLocal: boolean
}

/** A round of a webhook that is held. */
export type LeasedBatch = DeliveryBatch & { webhook: LeasedWebhook }

/** The messages of a round, at most and over each connection, and how many entries of the feed to read for them. */
export type Pace = { size: number; perConnection: number; window: number }

/** What a round sent: its attempts, and the place in the feed up to which `entries` were read. */
export type SentBatch = { attempts: Attempt[]; cursor: number; entriesRead: number }

// Of the connections of an organisation, one webhook leaves some to the others.
const maxConnectionsPerWebhook = 4

/** Sends the messages of a round over the connection that is open, and over more where those are free. */
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

/** What to send in a round: what waits and is due, and what is new; and up to where the feed then was sent. */
async function chooseMessages(
  { webhook, outbox, entries }: LeasedBatch,
  { size, window }: Pick<Pace, 'size' | 'window'>,
  now: number,
) {
  const undelivered = new Map(outbox.map((message) => [recordKey(message), message]))
  const dueMessages = outbox.filter((message) => Date.parse(message.due) <= now).slice(0, size)
  const messages = new Map<string, Message>(
    dueMessages.map((message) => [recordKey(message), message]),
  )
  let { cursor } = webhook
  let entriesRead = 0
  for (const entry of outbox.length < maxOutboxMessages ? entries : []) {
    if (messages.size >= size) break
    const message = webhook.collections.includes(entry.collection)
      ? await buildMessage(toSubscription(webhook), entry, undelivered.get(recordKey(entry)))
      : undefined
    // It takes the place of one that waits about the same record.
    if (message) messages.set(recordKey(entry), message)
    cursor = entry.version
    entriesRead++
  }
  // Nothing is after the last entry, though a version may be: that of a deletion which is forgotten.
  if (
    entriesRead === entries.length &&
    entries.length < window &&
    outbox.length < maxOutboxMessages
  )
    cursor = Math.max(cursor, webhook.newest)
  return { messages: [...messages.values()], cursor, entriesRead }
}

/** Sends messages over a few connections at once. */
async function sendAll(
  context: DeliveryContext,
  environment: Environment,
  receiver: Receiver,
  messages: readonly Message[],
  connections: number,
): Promise<Attempt[]> {
  const attempts: Attempt[] = []
  const rules = { ownHosts: parseHosts(context.OWN_HOSTS), allowsLocal: context.allowsLocal }
  const remaining = messages.values()
  const runConnection = async () => {
    for (const message of remaining) {
      const tried = new Date(environment.now()).toISOString()
      const result = await send(environment, rules, receiver, message)
      attempts.push({ ...message, ...result, tried, attempt: attemptCount(message) + 1 })
    }
  }
  await Promise.all(Array.from({ length: connections }, runConnection))
  return attempts
}

/** The secrets a message is signed with: for a day after a rotation both; none where they cannot be read. */
async function buildReceiver(
  { WEBHOOK_KEY }: DeliveryContext,
  webhook: LeasedWebhook,
  now: number,
): Promise<Receiver> {
  const { id, organisationId, url, secret, oldSecret, oldSecretUntil } = webhook
  const isOldSecretValid = oldSecretUntil !== null && Date.parse(oldSecretUntil) > now
  const encryptedSecrets = [secret, ...(oldSecret !== null && isOldSecretValid ? [oldSecret] : [])]
  const secrets = Promise.all(
    encryptedSecrets.map((encrypted) => decryptSecret(WEBHOOK_KEY ?? '', id, encrypted)),
  )
  return { organisationId, url, secrets: await secrets.catch(() => []) }
}

const toSubscription = ({ id, told, changes }: LeasedWebhook) => ({ webhookId: id, told, changes })

/** A name of the record that a message is about. */
export const recordKey = ({ collection, recordId }: Message | FeedEntry) =>
  `${collection} ${recordId}`

const attemptCount = (message: Message | OutboxMessage) =>
  'attempts' in message ? message.attempts : 0
