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
export type News = {
  version: number
  collection: string
  recordId: string
  at: string
  /** The version it was created at; null when it is gone. */
  firstVersion: number | null
  /** Its fields that changed since all was told, by their ids; of a record that is new since then, those it has. */
  changed: readonly string[]
}

type Wanted = { webhookId: string; told: number; changes: readonly string[] }

export const testType = 'webhook.test'

/** What an entry of the feed is to a webhook, which may have a message about the same record that it has not got; undefined where it does not want to know. */
export async function messageOf(
  { webhookId, told, changes }: Wanted,
  { firstVersion, ...news }: News,
  undelivered?: Message,
): Promise<Message | undefined> {
  const { version, collection, recordId, at } = news
  const isUntold = firstVersion !== null && (firstVersion > told || isCreation(undelivered))
  const happened: ChangeName[] =
    firstVersion === null
      ? ['deleted']
      : [
          ...(isUntold ? ['created' as const] : []),
          ...(version > firstVersion ? ['updated' as const] : []),
        ]
  const change = happened.find((name) => changes.includes(name))
  if (!change) return undefined
  const { singular, id } = namesOf(collection)
  const changed = new Set([...(undelivered?.changed ?? []), ...news.changed])
  changed.delete(id)
  return {
    messageId: await messageIdOf(webhookId, collection, recordId, version, at),
    type: `${singular}.${change}`,
    ...{ collection, recordId, version, at },
    changed: change === 'deleted' ? [] : [...changed],
  }
}

/** A message that tells of nothing but that messages arrive. */
export const testMessage = (messageId: string, at: string): Message => ({
  ...{ messageId, at, type: testType, version: 0, changed: [] },
  // No collection has this name, so it is in no record's way.
  collection: '',
  recordId: messageId,
})

/** The body of a message: no value of the record, which the receiver asks the API for. */
export function bodyOf(organisationId: string, message: Message): string {
  const { type, at: timestamp, collection, recordId: id, version, changed } = message
  const data =
    type === testType ? { organisationId } : { organisationId, collection, id, version, changed }
  return JSON.stringify({ type, timestamp, data })
}

/** The types of message about a collection. */
export const typesOf = (collection: string) =>
  changeNames.map((change) => `${namesOf(collection).singular}.${change}`)

const isCreation = (message: Message | undefined) => message?.type.endsWith('.created') === true

const messageIdOf = async (...parts: (string | number)[]) =>
  `msg_${(await sha256(JSON.stringify(parts))).slice(0, 32)}`

// survey-responses: surveyResponse, of the id responseId.
function namesOf(collection: string) {
  const words = collection.slice(0, -1).split('-')
  const [first = '', ...others] = words
  return {
    singular: first + others.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(''),
    id: `${words.at(-1)}Id`,
  }
}
