import type { Connections } from './connections.ts'
import type { Message } from './message.ts'
import type { OutboxMessage } from './next-messages.ts'
import { type Attempt, type DeliveryResult, type Lease, saveResult, takeLease } from './outbox.ts'
import { giveUpAfterMs, maxAttempts, nextAttemptTime } from './retry-schedule.ts'
import type { Environment } from './send.ts'
import {
  type DeliveryContext,
  type LeasedBatch,
  type Pace,
  recordKey,
  type SentBatch,
  sendBatch,
} from './send-round.ts'

/** How many messages an invocation may still send, whatever it sends them to. */
export type Budget = { remaining: number }

const maxBatchSize = 32
const maxWindow = 1024

// Times the longest attempt, this is within the time of a lease.
const maxPerConnection = 8

// As long as the longest attempt, so that a prompt receiver may be sent many messages meanwhile.
const turnMs = 15_000

// A receiver as slow as this is sent one message at a time over each connection.
const slowMs = 5000

// Nobody knows yet whether the receiver is there.
const slowestPace: Pace = { size: 1, perConnection: maxPerConnection, window: 1 }

// A receiver that takes nothing is asked no more than this before it is left to the schedule.
const maxFailures = 3

// Whatever failed before a receiver was away for so long is sent as soon as it is back.
const minOutageMs = 60_000

/**
 * Sends a webhook what there is to send, in the order of the feed, unless another does already. Each record
 * is in the feed once, so many can be sent at once without one overtaking itself. Gives when there is something
 * to send again, in milliseconds, if that is known.
 */
export async function runDeliveries(
  context: DeliveryContext,
  environment: Environment,
  connections: Connections,
  webhook: { id: string; organisationId: string },
  budget: Budget,
): Promise<number | undefined> {
  const { id, organisationId } = webhook
  const token = crypto.randomUUID()
  let pace = slowestPace
  const currentLease = (): Lease => ({
    id,
    organisationId,
    token,
    now: environment.now(),
    window: pace.window,
  })

  /** Sends until nothing is left, or until the turn is over and others wait for the connection. */
  async function takeTurn() {
    const end = environment.now() + turnMs
    let yieldsConnection = false
    let batch = await takeLease(context.DB, currentLease())
    while (batch.webhook) {
      const { webhook } = batch
      const leasedBatch = { ...batch, webhook }
      const start = environment.now()
      const sentBatch = await sendBatch(context, environment, connections, leasedBatch, pace)
      const { attempts } = sentBatch
      budget.remaining -= attempts.length
      const result = buildResult(leasedBatch, attempts, sentBatch.cursor, environment)
      pace = nextPace(pace, sentBatch, environment.now() - start)
      yieldsConnection = connections.waitingOrganisations.length > 0 && environment.now() >= end
      const releasesLease = result.releasesLease || budget.remaining <= 0
      batch = await saveResult(context.DB, currentLease(), webhook, {
        ...result,
        releasesLease: releasesLease || yieldsConnection,
      })
      if (releasesLease) yieldsConnection = false
    }
    return { batch, yieldsConnection }
  }

  for (;;) {
    // The lease is taken after this, so that another invocation can send while this one waits.
    await connections.open(organisationId)
    const { batch, yieldsConnection } = await takeTurn().finally(() =>
      connections.close(organisationId),
    )
    if (yieldsConnection) continue
    if (budget.remaining <= 0) return environment.now()
    const [next] = batch.outbox
    return next && Date.parse(next.due)
  }
}

/** What came of a round's attempts. */
function buildResult(
  { webhook, outbox }: LeasedBatch,
  attempts: readonly Attempt[],
  cursor: number,
  environment: Environment,
): DeliveryResult {
  const now = new Date(environment.now()).toISOString()
  const failedAttempts = attempts.filter(({ fault }) => fault !== null)
  const deliveredCount = attempts.length - failedAttempts.length
  const isGone = failedAttempts.some(({ status }) => status === 410)
  const restUntilMs = Math.max(...failedAttempts.map(({ restUntil }) => restUntil ?? 0), 0)
  const since = webhook.failingSince
  const failingSince =
    deliveredCount > 0 ? null : (since ?? (failedAttempts.length > 0 ? now : null))
  const lastSuccess = deliveredCount > 0 ? now : webhook.lastSuccess
  const failures = deliveredCount > 0 ? 0 : webhook.failures + failedAttempts.length
  const hasGivenUp =
    failedAttempts.length > 0 &&
    failingSince !== null &&
    environment.now() - Date.parse(failingSince) >= giveUpAfterMs.webhook
  const retries = failedAttempts
    .map((attempt) => toOutboxMessage(attempt, environment, restUntilMs))
    .filter((message) => !isRefused(message, lastSuccess, environment.now()))
  const attemptedRecords = new Set(attempts.map(recordKey))
  const retriedRecords = new Set(retries.map(recordKey))
  return {
    attempts,
    removed: outbox.filter(
      (message) =>
        attemptedRecords.has(recordKey(message)) && !retriedRecords.has(recordKey(message)),
    ),
    retries,
    cursor,
    isReceiverBack:
      deliveredCount > 0 && since !== null && environment.now() - Date.parse(since) >= minOutageMs,
    disabledReason: isGone
      ? 'The receiver answered 410: it wants no more.'
      : hasGivenUp
        ? 'Nothing was delivered for five days.'
        : null,
    ...{ failures, failingSince, lastSuccess },
    restUntil: restUntilMs > 0 ? new Date(restUntilMs).toISOString() : null,
    releasesLease:
      restUntilMs > 0 ||
      (failedAttempts.length > 0 && deliveredCount === 0 && failures >= maxFailures),
  }
}

function toOutboxMessage(
  attempt: Attempt,
  environment: Environment,
  restUntilMs: number,
): OutboxMessage {
  const { messageId, type, collection, recordId, version, changed, at } = attempt
  const due = nextAttemptTime(attempt.attempt, environment.now(), environment.random(), restUntilMs)
  return {
    ...{ messageId, type, collection, recordId, version, changed, at },
    attempts: attempt.attempt,
    firstAttempt: firstAttemptOf(attempt) ?? attempt.tried,
    due: new Date(due).toISOString(),
  }
}

/** Whether a receiver that takes other messages has refused this one often enough, and for long enough. */
const isRefused = (
  { attempts, firstAttempt }: OutboxMessage,
  lastSuccess: string | null,
  now: number,
) =>
  attempts >= maxAttempts &&
  now - Date.parse(firstAttempt) >= giveUpAfterMs.message &&
  lastSuccess !== null &&
  lastSuccess > firstAttempt

/** More at once as long as all is well; and further ahead where nothing of the feed is wanted. */
function nextPace(pace: Pace, { attempts, entriesRead }: SentBatch, milliseconds: number): Pace {
  const { size, window } = pace
  if (attempts.some(({ fault }) => fault !== null)) return slowestPace
  if (attempts.length === 0 && entriesRead > 0)
    return { ...pace, window: Math.min(4 * window, maxWindow) }
  const next = Math.min(2 * size, maxBatchSize)
  const perConnection = milliseconds < slowMs ? maxPerConnection : 1
  return { size: next, perConnection, window: next }
}

const firstAttemptOf = (message: Message | OutboxMessage) =>
  'firstAttempt' in message ? message.firstAttempt : undefined
