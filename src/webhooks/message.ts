import { sha256 } from '../platform/sha256.ts'

/** What happens to a record. */
export const changeNames = ['created', 'updated', 'deleted'] as const

export type ChangeName = (typeof changeNames)[number]

/** A message to a webhook: the last change of a record, and the fields that changed since the message before. */
export type Message = {
  /** The same each time it is sent, so that a receiver can drop repeats. */
  messageId: string
  type: string
  collection: string
  recordId: string
  version: number
  changed: readonly string[]
  /** When the record changed. */
  at: string
}

/** An entry of the feed, after a webhook's cursor. */
export type FeedEntry = {
  version: number
  collection: string
  recordId: string
  at: string
  /** The version it was created at; null when it is gone. */
  firstVersion: number | null
  /** Its fields that changed since all was told, by their ids; of a record that is new since then, those it has. */
  changed: readonly string[]
}

type Subscription = { webhookId: string; told: number; changes: readonly string[] }

export const testMessageType = 'webhook.test'

/** What an entry of the feed is to a webhook, which may have a message about the same record that it has not got; undefined where it does not want to know. */
export async function buildMessage(
  { webhookId, told, changes }: Subscription,
  { firstVersion, ...entry }: FeedEntry,
  undelivered?: Message,
): Promise<Message | undefined> {
  const { version, collection, recordId, at } = entry
  const isNewToWebhook = firstVersion !== null && (firstVersion > told || isCreation(undelivered))
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
    ...{ collection, recordId, version, at },
    changed: change === 'deleted' ? [] : [...changed],
  }
}

/** A message that tells of nothing but that messages arrive. */
export const buildTestMessage = (messageId: string, at: string): Message => ({
  ...{ messageId, at, type: testMessageType, version: 0, changed: [] },
  // No collection has this name, so it is in no record's way.
  collection: '',
  recordId: messageId,
})

/** The body of a message: no value of the record, which the receiver asks the API for. */
export function buildBody(organisationId: string, message: Message): string {
  const { type, at: timestamp, collection, recordId: id, version, changed } = message
  const data =
    type === testMessageType
      ? { organisationId }
      : { organisationId, collection, id, version, changed }
  return JSON.stringify({ type, timestamp, data })
}

/** The types of message about a collection. */
export const messageTypes = (collection: string) =>
  changeNames.map((change) => `${messageNames(collection).singular}.${change}`)

const isCreation = (message: Message | undefined) => message?.type.endsWith('.created') === true

const buildMessageId = async (...parts: (string | number)[]) =>
  `msg_${(await sha256(JSON.stringify(parts))).slice(0, 32)}`

// survey-responses: surveyResponse, of the id responseId.
function messageNames(collection: string) {
  const words = collection.slice(0, -1).split('-')
  const [first = '', ...otherWords] = words
  return {
    singular:
      first + otherWords.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(''),
    id: `${words.at(-1)}Id`,
  }
}
