import { hostsIn } from './address.ts'
import type { Connections } from './connections.ts'
import { type Message, messageOf, type News } from './message.ts'
import { type Attempt, mostWaiting } from './outbox.ts'
import type { Held, Round, Waiting } from './round.ts'
import { opened } from './secret.ts'
import { type Outside, type Receiver, send } from './send.ts'

/** What sending needs: the records, the key of the secrets, and what the service is called. */
export type Parts = { DB: D1Database; WEBHOOK_KEY?: string; OWN_HOSTS?: string; local: boolean }

/** A round of a webhook that is held. */
export type HeldRound = Round & { held: Held }

/** The messages of a round, at most and over each connection, and how many entries of the feed to read for them. */
export type Pace = { size: number; perConnection: number; window: number }

/** What a round sent: its attempts, and the place in the feed up to which `entries` were read. */
export type Sent = { attempts: Attempt[]; cursor: number; entries: number }

// Of the connections of an organisation, one webhook leaves some to the others.
const maxConnectionsPerWebhook = 4

/** Sends the messages of a round over the connection that is open, and over more where those are free. */
export async function sendRound(
  parts: Parts,
  world: Outside,
  connections: Connections,
  round: HeldRound,
  { size, perConnection, window }: Pace,
): Promise<Sent> {
  const { organisationId } = round.held
  const receiver = await receiverOf(parts, round.held, world.now())
  const wanted = Math.min(size, maxConnectionsPerWebhook)
  const more = connections.openMore(organisationId, wanted - 1)
  try {
    const max = Math.min(size, (1 + more) * perConnection)
    const { messages, cursor, entries } = await chosen(round, { size: max, window }, world.now())
    const attempts = await sentAll(parts, world, receiver, messages, 1 + more)
    return { attempts, cursor, entries }
  } finally {
    connections.close(organisationId, more)
  }
}

/** What to send in a round: what waits and is due, and what is new; and up to where the feed then was sent. */
async function chosen(
  { held, waiting, news }: HeldRound,
  { size, window }: Pick<Pace, 'size' | 'window'>,
  now: number,
) {
  const undelivered = new Map(waiting.map((it) => [recordOf(it), it]))
  const due = waiting.filter((it) => Date.parse(it.due) <= now).slice(0, size)
  const messages = new Map<string, Message>(due.map((it) => [recordOf(it), it]))
  let { cursor } = held
  let entries = 0
  for (const entry of waiting.length < mostWaiting ? news : []) {
    if (messages.size >= size) break
    const message = held.collections.includes(entry.collection)
      ? await messageOf(wantedBy(held), entry, undelivered.get(recordOf(entry)))
      : undefined
    // It takes the place of one that waits about the same record.
    if (message) messages.set(recordOf(entry), message)
    cursor = entry.version
    entries++
  }
  // Nothing is after the last entry, though a version may be: that of a deletion which is forgotten.
  if (entries === news.length && news.length < window && waiting.length < mostWaiting)
    cursor = Math.max(cursor, held.newest)
  return { messages: [...messages.values()], cursor, entries }
}

/** Sends messages over a few connections at once. */
async function sentAll(
  parts: Parts,
  world: Outside,
  receiver: Receiver,
  messages: readonly Message[],
  connections: number,
): Promise<Attempt[]> {
  const attempts: Attempt[] = []
  const surroundings = { own: hostsIn(parts.OWN_HOSTS), local: parts.local }
  const left = messages.values()
  const connection = async () => {
    for (const message of left) {
      const tried = new Date(world.now()).toISOString()
      const outcome = await send(world, surroundings, receiver, message)
      attempts.push({ ...message, ...outcome, tried, attempt: attemptsOf(message) + 1 })
    }
  }
  await Promise.all(Array.from({ length: connections }, connection))
  return attempts
}

/** The secrets a message is signed with: for a day after a rotation both; none where they cannot be read. */
async function receiverOf({ WEBHOOK_KEY }: Parts, held: Held, now: number): Promise<Receiver> {
  const { id, organisationId, url, secret, oldSecret, oldSecretUntil } = held
  const isOldGood = oldSecretUntil !== null && Date.parse(oldSecretUntil) > now
  const kept = [secret, ...(oldSecret !== null && isOldGood ? [oldSecret] : [])]
  const secrets = Promise.all(kept.map((it) => opened(WEBHOOK_KEY ?? '', id, it)))
  return { organisationId, url, secrets: await secrets.catch(() => []) }
}

const wantedBy = ({ id, told, changes }: Held) => ({ webhookId: id, told, changes })

/** A name of the record that a message is about. */
export const recordOf = ({ collection, recordId }: Message | News) => `${collection} ${recordId}`

const attemptsOf = (message: Message | Waiting) => ('attempts' in message ? message.attempts : 0)
