import { hostsIn } from './address.ts'
import { type Message, messageOf, type News } from './message.ts'
import { type Attempt, type Lease, mostWaiting, type Settled, settle, take } from './outbox.ts'
import type { Held, Round, Waiting } from './round.ts'
import { mostAttempts, nextAttempt, patience } from './schedule.ts'
import { opened } from './secret.ts'
import { type Outside, type Receiver, send } from './send.ts'

/** What sending needs: the records, the key of the secrets, and what the service is called. */
export type Parts = { DB: D1Database; WEBHOOK_KEY?: string; OWN_HOSTS?: string; local: boolean }

/** A round of a webhook that is held. */
type HeldRound = Round & { held: Held }

/** How many messages to send in a round, and how many entries of the feed to read for them. */
type Pace = { size: number; window: number }

/** How many messages an invocation may still send, whatever it sends them to. */
export type Budget = { left: number }

// An invocation has six connections: a webhook that hangs must not hold them all.
const connections = 4
const mostAtOnce = 32
const widestWindow = 1024

// A receiver that takes nothing is asked no more than this before it is left to the schedule.
const mostFailures = 3

// Whatever failed before a receiver was away for so long is sent as soon as it is back.
const awayMilliseconds = 60_000

/**
 * Sends a webhook what there is to send, in the order of the feed, unless another does already. Each record
 * is in the feed once, so many can be sent at once without one overtaking itself. Gives when there is something
 * to send again, in milliseconds, if that is known.
 */
export async function pump(
  parts: Parts,
  world: Outside,
  { id, organisationId }: { id: string; organisationId: string },
  budget: Budget,
): Promise<number | undefined> {
  const token = crypto.randomUUID()
  // It begins slowly, and does again after a failure: nobody knows yet whether the receiver is there.
  let pace: Pace = { size: 1, window: 1 }
  const lease = (): Lease => ({ id, organisationId, token, now: world.now(), window: pace.window })
  let round = await take(parts.DB, lease())
  while (round.held) {
    const { held } = round
    const current = { ...round, held }
    const receiver = await receiverOf(parts, held, world.now())
    const { messages, cursor, entries } = await chosen(current, pace, world.now())
    const attempts = await sentAll(parts, world, receiver, messages)
    budget.left -= attempts.length
    const settled = settledOf(current, attempts, cursor, world)
    const ends = settled.ends || budget.left <= 0
    pace = nextPace(pace, attempts, entries)
    round = await settle(parts.DB, lease(), held, { ...settled, ends })
  }
  if (budget.left <= 0) return world.now()
  const [next] = round.waiting
  return next && Date.parse(next.due)
}

/** What to send in a round: what waits and is due, and what is new; and up to where the feed then was sent. */
async function chosen({ held, waiting, news }: HeldRound, { size, window }: Pace, now: number) {
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

/** What came of a round's attempts. */
function settledOf(
  { held, waiting: before }: HeldRound,
  attempts: readonly Attempt[],
  cursor: number,
  world: Outside,
): Settled {
  const now = new Date(world.now()).toISOString()
  const failed = attempts.filter(({ fault }) => fault !== null)
  const delivered = attempts.length - failed.length
  const isGone = failed.some(({ status }) => status === 410)
  const rest = Math.max(...failed.map(({ restUntil }) => restUntil ?? 0), 0)
  const since = held.failingSince
  const failingSince = delivered > 0 ? null : (since ?? (failed.length > 0 ? now : null))
  const lastSuccess = delivered > 0 ? now : held.lastSuccess
  const failures = delivered > 0 ? 0 : held.failures + failed.length
  const isGivenUpOn =
    failed.length > 0 &&
    failingSince !== null &&
    world.now() - Date.parse(failingSince) >= patience.withWebhook
  const waiting = failed
    .map((attempt) => waitingOf(attempt, world, rest))
    .filter((it) => !isRefused(it, lastSuccess, world.now()))
  const sent = new Set(attempts.map(recordOf))
  const again = new Set(waiting.map(recordOf))
  return {
    attempts,
    settled: before.filter((it) => sent.has(recordOf(it)) && !again.has(recordOf(it))),
    waiting,
    cursor,
    isBack: delivered > 0 && since !== null && world.now() - Date.parse(since) >= awayMilliseconds,
    disabled: isGone
      ? 'The receiver answered 410: it wants no more.'
      : isGivenUpOn
        ? 'Nothing was delivered for five days.'
        : null,
    ...{ failures, failingSince, lastSuccess },
    restUntil: rest > 0 ? new Date(rest).toISOString() : null,
    ends: rest > 0 || (failed.length > 0 && delivered === 0 && failures >= mostFailures),
  }
}

function waitingOf(attempt: Attempt, world: Outside, rest: number): Waiting {
  const { messageId, type, collection, recordId, version, changed, at } = attempt
  const due = nextAttempt(attempt.attempt, world.now(), world.random(), rest)
  return {
    ...{ messageId, type, collection, recordId, version, changed, at },
    attempts: attempt.attempt,
    firstAttempt: firstAttemptOf(attempt) ?? attempt.tried,
    due: new Date(due).toISOString(),
  }
}

/** Whether a receiver that takes other messages has refused this one often enough, and for long enough. */
const isRefused = ({ attempts, firstAttempt }: Waiting, lastSuccess: string | null, now: number) =>
  attempts >= mostAttempts &&
  now - Date.parse(firstAttempt) >= patience.withMessage &&
  lastSuccess !== null &&
  lastSuccess > firstAttempt

/** More at once as long as all is well; and further ahead where nothing of the feed is wanted. */
function nextPace({ size, window }: Pace, attempts: readonly Attempt[], entries: number): Pace {
  if (attempts.some(({ fault }) => fault !== null)) return { size: 1, window: 1 }
  if (attempts.length === 0 && entries > 0)
    return { size, window: Math.min(4 * window, widestWindow) }
  const next = Math.min(2 * size, mostAtOnce)
  return { size: next, window: next }
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

const recordOf = ({ collection, recordId }: Message | News) => `${collection} ${recordId}`

const attemptsOf = (message: Message | Waiting) => ('attempts' in message ? message.attempts : 0)

const firstAttemptOf = (message: Message | Waiting) =>
  'firstAttempt' in message ? message.firstAttempt : undefined
