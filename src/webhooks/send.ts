import type { Attempt, WebhookMessage } from '../store/webhooks/messages.ts'
import { type AddressRules, validateAddress } from './address.ts'
import { buildBody } from './message.ts'
import { parseRetryAfter } from './retry-schedule.ts'
import { signMessage } from './secret.ts'

/** Network, clock and randomness; tests replace them. */
export type Environment = {
  fetch(address: string, init: RequestInit): Promise<Response>
  /** Milliseconds since 1970. */
  now(): number
  /** From 0 to 1. */
  random(): number
  /** A signal that aborts a slow attempt, and a function that clears the timer. */
  startTimeout(): { signal: AbortSignal; clear(): void }
}

const timeoutSeconds = 15
const maxResponseBytes = 1024

export const defaultEnvironment: Environment = {
  fetch: (address, init) => fetch(address, init),
  now: () => Date.now(),
  random: () => Math.random(),
  startTimeout() {
    const controller = new AbortController()
    const timer = setTimeout(() => controller.abort(), timeoutSeconds * 1000)
    return { signal: controller.signal, clear: () => clearTimeout(timer) }
  },
}

/** A receiver. `secrets` is empty if they cannot be decrypted. */
export type Receiver = { organisationId: string; url: string; secrets: readonly string[] }

/** The result of an attempt. */
export type AttemptResult = Pick<Attempt, 'status' | 'failure' | 'durationMs' | 'response'> & {
  /** The time in `Retry-After`, in milliseconds. */
  retryAfterMs: number | undefined
}

/** Sends a message once. Never throws: the result holds the failure. */
export async function send(
  environment: Environment,
  rules: AddressRules,
  { organisationId, url, secrets }: Receiver,
  message: WebhookMessage,
): Promise<AttemptResult> {
  const start = environment.now()
  const buildFailure = (failure: string): AttemptResult => ({
    status: null,
    failure,
    response: '',
    retryAfterMs: undefined,
    durationMs: environment.now() - start,
  })
  const addressError = validateAddress(url, rules)
  if (addressError) return buildFailure(`Not sent: the address ${addressError}`)
  if (secrets.length === 0)
    return buildFailure(
      'Not sent: the secret cannot be decrypted with this WEBHOOK_KEY. Rotate it.',
    )
  const body = buildBody(organisationId, message)
  const timestamp = Math.floor(start / 1000)
  const signature = await signMessage(secrets, { id: message.messageId, seconds: timestamp, body })
  const { signal, clear } = environment.startTimeout()
  try {
    const response = await environment.fetch(url, {
      method: 'POST',
      redirect: 'manual',
      signal,
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': 'organisation-data-platform-api',
        'webhook-id': message.messageId,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signature,
      },
      body,
    })
    const { status, headers } = response
    return {
      status,
      response: await readStart(response.body),
      failure: describeFailure(status),
      durationMs: environment.now() - start,
      retryAfterMs: parseRetryAfter(
        status === 429 || status === 503 ? headers.get('Retry-After') : null,
        environment.now(),
      ),
    }
  } catch {
    // The error's message may contain the address.
    return buildFailure(
      signal.aborted ? `No response within ${timeoutSeconds} seconds.` : 'The connection failed.',
    )
  } finally {
    clear()
  }
}

function describeFailure(status: number): string | null {
  if (status >= 200 && status < 300) return null
  if (status === 410) return 'The receiver answered 410 Gone.'
  return status >= 300 && status < 400
    ? 'Redirects are not followed.'
    : 'The receiver rejected the message.'
}

/** The first 1 KiB of a body as text, less if it breaks off. */
async function readStart(body: ReadableStream<Uint8Array> | null): Promise<string> {
  if (!body) return ''
  const reader = body.getReader()
  const bytes = new Uint8Array(maxResponseBytes)
  let length = 0
  try {
    while (length < maxResponseBytes) {
      const { done, value } = await reader.read()
      if (done) break
      const chunk = value.subarray(0, maxResponseBytes - length)
      bytes.set(chunk, length)
      length += chunk.length
    }
  } catch {
    // The status decides about success, so an incomplete body is fine.
  }
  // Don't await cancel(): an endless body may never reject.
  reader.cancel().catch(() => {})
  return new TextDecoder().decode(bytes.subarray(0, length))
}
