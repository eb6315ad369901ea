import { logWarning } from '../platform/log.ts'
import {
  type DeliveryResult,
  type DueWebhook,
  type Lease,
  saveResult,
  takeLease,
} from '../store/webhooks/leases.ts'
import type { OutboxMessage, WebhookMessage } from '../store/webhooks/messages.ts'
import type { Connections } from './connections.ts'
import { giveUpAfterMs, maxAttempts, nextAttemptTime } from './retry-schedule.ts'
import type { Environment } from './send.ts'
import {
  type DeliveryContext,
  type LeasedBatch,
  type Pace,
  recordKey,
  type SentBatch,
  type SentMessage,
  sendBatch,
} from './send-round.ts'

/** The number of messages that an invocation may still send. */
export type Budget = { remaining: number }

const maxBatchSize = 32
const maxWindow = 1024

// Eight attempts of 15 seconds, one after the other, take less time than the lease.
const maxPerConnection = 8

// As long as the longest attempt, so that a fast receiver gets many messages in a turn.
const turnMs = 15_000

// After a slower round, each connection sends one message per round.
const slowMs = 5000

// The first message checks that the receiver responds.
const slowestPace: Pace = { size: 1, perConnection: maxPerConnection, window: 1 }

// After this many failures, the retry schedule takes over.
const maxFailures = 3

// After an outage of this length, failed messages are sent as soon as the receiver recovers.
const minOutageMs = 60_000

/**
 * Sends a webhook's messages in feed order, unless another Worker has the lease, and returns the
 * time of the next retry in milliseconds, if any. The feed has each record once, so parallel
 * messages cannot overtake each other.
 */
export async function runDeliveries(
  context: DeliveryContext,
  environment: Environment,
  connections: Connections,
  webhook: DueWebhook,
  budget: Budget,
): Promise<number | undefined> {
  const { id, organisationId, restrictions } = webhook
  const token = crypto.randomUUID()
  let pace = slowestPace
  const currentLease = (): Lease => ({
    id,
    organisationId,
    restrictions,
    token,
    now: environment.now(),
    window: pace.window,
  })

  /** Sends until the outbox is empty, or the turn is over and other organisations wait. */
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
      if (result.disabledReason !== null)
        logWarning('webhook-disabled', {
          organisation: organisationId,
          webhook: id,
          reason: result.disabledReason,
        })
      if (releasesLease) yieldsConnection = false
    }
    return { batch, yieldsConnection }
  }

  for (;;) {
    // Wait before taking the lease, so that another invocation can send in the meantime.
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

/** The result of a round's attempts. */
function buildResult(
  { webhook, outbox }: LeasedBatch,
  attempts: readonly SentMessage[],
  cursor: number,
  environment: Environment,
): DeliveryResult {
  const now = new Date(environment.now()).toISOString()
  const failedAttempts = attempts.filter(({ failure }) => failure !== null)
  const deliveredCount = attempts.length - failedAttempts.length
  const isGone = failedAttempts.some(({ status }) => status === 410)
  const retryAfterMs = Math.max(...failedAttempts.map(({ retryAfterMs }) => retryAfterMs ?? 0), 0)
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
    .map((attempt) => toOutboxMessage(attempt, environment, retryAfterMs))
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
      ? 'The receiver answered 410 Gone.'
      : hasGivenUp
        ? 'Nothing was delivered for five days.'
        : null,
    failures,
    failingSince,
    lastSuccess,
    retryAfter: retryAfterMs > 0 ? new Date(retryAfterMs).toISOString() : null,
    releasesLease:
      retryAfterMs > 0 ||
      (failedAttempts.length > 0 && deliveredCount === 0 && failures >= maxFailures),
  }
}

function toOutboxMessage(
  attempt: SentMessage,
  environment: Environment,
  retryAfterMs: number,
): OutboxMessage {
  const { messageId, type, collection, recordId, version, changed, at } = attempt
  const due = nextAttemptTime(
    attempt.attempt,
    environment.now(),
    environment.random(),
    retryAfterMs,
  )
  return {
    messageId,
    type,
    collection,
    recordId,
    version,
    changed,
    at,
    attempts: attempt.attempt,
    firstAttempt: firstAttemptOf(attempt) ?? attempt.attempted,
    due: new Date(due).toISOString(),
  }
}

/** Whether to drop a message that the receiver keeps rejecting while it accepts others. */
const isRefused = (
  { attempts, firstAttempt }: OutboxMessage,
  lastSuccess: string | null,
  now: number,
) =>
  attempts >= maxAttempts &&
  now - Date.parse(firstAttempt) >= giveUpAfterMs.message &&
  lastSuccess !== null &&
  lastSuccess > firstAttempt

/** Grows the batch after successes, and the window if the webhook does not follow any of the entries. */
function nextPace(pace: Pace, { attempts, entriesRead }: SentBatch, milliseconds: number): Pace {
  const { size, window } = pace
  if (attempts.some(({ failure }) => failure !== null)) return slowestPace
  if (attempts.length === 0 && entriesRead > 0)
    return { ...pace, window: Math.min(4 * window, maxWindow) }
  const next = Math.min(2 * size, maxBatchSize)
  const perConnection = milliseconds < slowMs ? maxPerConnection : 1
  return { size: next, perConnection, window: next }
}

const firstAttemptOf = (message: WebhookMessage | OutboxMessage) =>
  'firstAttempt' in message ? message.firstAttempt : undefined
