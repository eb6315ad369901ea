import { type AddressRules, validateAddress } from './address.ts'
import { buildBody, type Message } from './message.ts'
import { parseRetryAfter } from './retry-schedule.ts'
import { signMessage } from './secret.ts'

/** The world that messages are sent into; tests have their own. */
export type Environment = {
  fetch(address: string, init: RequestInit): Promise<Response>
  /** Milliseconds since 1970. */
  now(): number
  /** From 0 to 1. */
  random(): number
  /** A signal that is aborted when an attempt has taken too long, and what ends the wait for that. */
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

/** Where a message goes, and what it is signed with; no secret where none could be read. */
export type Receiver = { organisationId: string; url: string; secrets: readonly string[] }

/** What came of an attempt: `fault` says why it failed. */
export type AttemptResult = {
  status: number | null
  fault: string | null
  milliseconds: number
  /** The first 1 KiB of what was answered. */
  answer: string
  /** Until when the receiver wants to be left alone, in milliseconds. */
  restUntil: number | undefined
}

/** Sends a message once (additions 3). Throws nothing: whatever goes wrong is its outcome. */
export async function send(
  environment: Environment,
  rules: AddressRules,
  { organisationId, url, secrets }: Receiver,
  message: Message,
): Promise<AttemptResult> {
  const start = environment.now()
  const buildFailure = (fault: string): AttemptResult => ({
    ...{ status: null, fault, answer: '', restUntil: undefined },
    milliseconds: environment.now() - start,
  })
  const addressError = validateAddress(url, rules)
  if (addressError) return buildFailure(`Not sent: the address ${addressError}`)
  if (secrets.length === 0)
    return buildFailure('Not sent: the secret cannot be read with this WEBHOOK_KEY. Rotate it.')
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
    const answer = await readStart(response.body)
    return {
      ...{ status, answer, fault: describeFailure(status) },
      milliseconds: environment.now() - start,
      restUntil: parseRetryAfter(
        status === 429 || status === 503 ? headers.get('Retry-After') : null,
        environment.now(),
      ),
    }
  } catch {
    // What it says may hold the address.
    return buildFailure(
      signal.aborted
        ? `No answer within ${timeoutSeconds} seconds.`
        : 'Nobody could be reached there.',
    )
  } finally {
    clear()
  }
}

function describeFailure(status: number): string | null {
  if (status >= 200 && status < 300) return null
  if (status === 410) return 'The receiver wants no more.'
  return status >= 300 && status < 400
    ? 'A redirect, which is not followed.'
    : 'The receiver did not take it.'
}

/** The first 1 KiB as text; what comes after is not waited for, and an answer that breaks off ends there. */
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
    // The status tells whether the message was taken.
  }
  // An answer without end is left: to cancel it may fail in its turn, and nobody waits for that.
  reader.cancel().catch(() => {})
  return new TextDecoder().decode(bytes.subarray(0, length))
}
