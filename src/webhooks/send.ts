import { addressFault, type Surroundings } from './address.ts'
import { bodyOf, type Message } from './message.ts'
import { retryAfter } from './schedule.ts'
import { signatures } from './secret.ts'

/** The world that messages are sent into; tests have their own. */
export type Outside = {
  fetch(address: string, init: RequestInit): Promise<Response>
  /** Milliseconds since 1970. */
  now(): number
  /** From 0 to 1. */
  random(): number
  /** A signal that is aborted when an attempt has taken too long, and what ends the wait for that. */
  deadline(): { signal: AbortSignal; met(): void }
}

const seconds = 15
const mostBytes = 1024

export const outside: Outside = {
  fetch: (address, init) => fetch(address, init),
  now: () => Date.now(),
  random: () => Math.random(),
  deadline() {
    const controller = new AbortController()
    const timer = setTimeout(() => controller.abort(), seconds * 1000)
    return { signal: controller.signal, met: () => clearTimeout(timer) }
  },
}

/** Where a message goes, and what it is signed with; no secret where none could be read. */
export type Receiver = { organisationId: string; url: string; secrets: readonly string[] }

/** What came of an attempt: `fault` says why it failed. */
export type Outcome = {
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
  world: Outside,
  surroundings: Surroundings,
  { organisationId, url, secrets }: Receiver,
  message: Message,
): Promise<Outcome> {
  const begun = world.now()
  const failed = (fault: string): Outcome => ({
    ...{ status: null, fault, answer: '', restUntil: undefined },
    milliseconds: world.now() - begun,
  })
  const addressed = addressFault(url, surroundings)
  if (addressed) return failed(`Not sent: the address ${addressed}`)
  if (secrets.length === 0)
    return failed('Not sent: the secret cannot be read with this WEBHOOK_KEY. Rotate it.')
  const body = bodyOf(organisationId, message)
  const at = Math.floor(begun / 1000)
  const signature = await signatures(secrets, { id: message.messageId, seconds: at, body })
  const { signal, met } = world.deadline()
  try {
    const response = await world.fetch(url, {
      method: 'POST',
      redirect: 'manual',
      signal,
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': 'organisation-data-platform-api',
        'webhook-id': message.messageId,
        'webhook-timestamp': String(at),
        'webhook-signature': signature,
      },
      body,
    })
    const { status, headers } = response
    const answer = await beginning(response.body)
    return {
      ...{ status, answer, fault: faultOf(status) },
      milliseconds: world.now() - begun,
      restUntil: retryAfter(
        status === 429 || status === 503 ? headers.get('Retry-After') : null,
        world.now(),
      ),
    }
  } catch {
    // What it says may hold the address.
    return failed(
      signal.aborted ? `No answer within ${seconds} seconds.` : 'Nobody could be reached there.',
    )
  } finally {
    met()
  }
}

function faultOf(status: number): string | null {
  if (status >= 200 && status < 300) return null
  if (status === 410) return 'The receiver wants no more.'
  return status >= 300 && status < 400
    ? 'A redirect, which is not followed.'
    : 'The receiver did not take it.'
}

/** The first 1 KiB as text; what comes after is not waited for, and an answer that breaks off ends there. */
async function beginning(body: ReadableStream<Uint8Array> | null): Promise<string> {
  if (!body) return ''
  const reader = body.getReader()
  const bytes = new Uint8Array(mostBytes)
  let length = 0
  try {
    while (length < mostBytes) {
      const { done, value } = await reader.read()
      if (done) break
      const part = value.subarray(0, mostBytes - length)
      bytes.set(part, length)
      length += part.length
    }
  } catch {
    // The status tells whether the message was taken.
  }
  // An answer without end is left: to cancel it may fail in its turn, and nobody waits for that.
  reader.cancel().catch(() => {})
  return new TextDecoder().decode(bytes.subarray(0, length))
}
