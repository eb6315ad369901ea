/** A message to a webhook: the last change of a record and the fields that changed since the previous message. */
export type WebhookMessage = {
  /** The same on every retry, so that receivers can drop duplicates. */
  messageId: string
  type: string
  collection: string
  recordId: string
  version: number
  changed: readonly string[]
  /** The time of the change. */
  at: string
}

/** An entry of the change feed after a webhook's cursor. */
export type FeedEntry = {
  version: number
  collection: string
  recordId: string
  at: string
  /** The version of the record's creation; null for a deleted record. */
  firstVersion: number | null
  /** The ids of the fields that changed since the webhook last caught up; for a new record, all fields with a value. */
  changed: readonly string[]
  /** Whether the webhook's key may see the entry. */
  isVisible: boolean
}

/** A message in the outbox. */
export type OutboxMessage = WebhookMessage & { attempts: number; firstAttempt: string; due: string }

/** An attempt to deliver a message, with its result. */
export type Attempt = WebhookMessage & {
  attempted: string
  /** The number of the attempt, from 1. */
  attempt: number
  status: number | null
  /** The reason for a failure. */
  failure: string | null
  durationMs: number
  /** The first 1 KiB of the response. */
  response: string
}
