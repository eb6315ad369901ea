import type { Connections } from './connections.ts'
import type { Message } from './message.ts'
import { type Attempt, type Lease, type Settled, settle, take } from './outbox.ts'
import type { Waiting } from './round.ts'
import { mostAttempts, nextAttempt, patience } from './schedule.ts'
import type { Outside } from './send.ts'
import {
  type HeldRound,
  type Pace,
  type Parts,
  recordOf,
  type Sent,
  sendRound,
} from './send-round.ts'

/** How many messages an invocation may still send, whatever it sends them to. */
export type Budget = { left: number }

const mostAtOnce = 32
const widestWindow = 1024

// Times the longest attempt, this is within the time of a lease.
const mostPerConnection = 8

// As long as the longest attempt, so that a prompt receiver may be sent many messages meanwhile.
const turnMilliseconds = 15_000

// A receiver as slow as this is sent one message at a time over each connection.
const slowMilliseconds = 5000

// Nobody knows yet whether the receiver is there.
const slowestPace: Pace = { size: 1, perConnection: mostPerConnection, window: 1 }

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
  connections: Connections,
  webhook: { id: string; organisationId: string },
  budget: Budget,
): Promise<number | undefined> {
  const { id, organisationId } = webhook
  const token = crypto.randomUUID()
  let pace = slowestPace
  const lease = (): Lease => ({ id, organisationId, token, now: world.now(), window: pace.window })

  /** Sends until nothing is left, or until the turn is over and others wait for the connection. */
  async function takeTurn() {
    const end = world.now() + turnMilliseconds
    let isPassedOn = false
    let round = await take(parts.DB, lease())
    while (round.held) {
      const { held } = round
      const current = { ...round, held }
      const begun = world.now()
      const sent = await sendRound(parts, world, connections, current, pace)
      const { attempts } = sent
      budget.left -= attempts.length
      const settled = settledOf(current, attempts, sent.cursor, world)
      pace = nextPace(pace, sent, world.now() - begun)
      isPassedOn = connections.waiting.length > 0 && world.now() >= end
      const ends = settled.ends || budget.left <= 0
      round = await settle(parts.DB, lease(), held, { ...settled, ends: ends || isPassedOn })
      if (ends) isPassedOn = false
    }
    return { round, isPassedOn }
  }

  for (;;) {
    // The lease is taken after this, so that another invocation can send while this one waits.
    await connections.open(organisationId)
    const { round, isPassedOn } = await takeTurn().finally(() => connections.close(organisationId))
    if (isPassedOn) continue
    if (budget.left <= 0) return world.now()
    const [next] = round.waiting
    return next && Date.parse(next.due)
  }
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
function nextPace(pace: Pace, { attempts, entries }: Sent, milliseconds: number): Pace {
  const { size, window } = pace
  if (attempts.some(({ fault }) => fault !== null)) return slowestPace
  if (attempts.length === 0 && entries > 0)
    return { ...pace, window: Math.min(4 * window, widestWindow) }
  const next = Math.min(2 * size, mostAtOnce)
  const perConnection = milliseconds < slowMilliseconds ? mostPerConnection : 1
  return { size: next, perConnection, window: next }
}

const firstAttemptOf = (message: Message | Waiting) =>
  'firstAttempt' in message ? message.firstAttempt : undefined
