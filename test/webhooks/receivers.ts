import { env } from 'cloudflare:workers'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { collectionNames } from '../../src/model/collection.ts'
import type { Bindings } from '../../src/platform/bindings.ts'
import { administeredStore } from '../../src/store/trusted-store.ts'
import { listAttempts, listWebhooks } from '../../src/store/webhooks/list-webhooks.ts'
import { deliver } from '../../src/webhooks/deliver.ts'
import { changeNames } from '../../src/webhooks/message.ts'
import { addWebhook } from '../../src/webhooks/new-secret.ts'
import type { Environment } from '../../src/webhooks/send.ts'
import { requestWith } from '../faults/failing-database.ts'

/** A received message. */
export type ReceivedMessage = {
  id: string
  type: string
  timestamp: string
  data: {
    organisationId: string
    collection: string
    id: string
    version: number
    changed: string[]
  }
}

type Answer = (request: Request) => Response | Promise<Response>

export const ok: Answer = () => new Response('thanks')

export const status =
  (status: number, headers: Record<string, string> = {}): Answer =>
  () =>
    new Response(null, { status, headers })

export const second = 1000
export const minute = 60 * second
export const hour = 60 * minute
export const day = 24 * hour

/** Stops the clock in every test of a file, so that only `advanceClock` moves it, and hides the Worker's error log. */
export function holdClock(): void {
  beforeEach(() => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.restoreAllMocks()
  })
}

export const advanceClock = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds)

/** An environment for deliveries: receivers by address, and a queue with messages that the test delivers. */
export function newReceivers() {
  const receivers = new Map<string, Answer>()
  const queued: { organisationId: string; due: number }[] = []
  let expire = new AbortController()
  const world: Environment = {
    now: () => Date.now(),
    random: () => 0,
    startTimeout: () => ({ signal: expire.signal, clear: () => {} }),
    async fetch(address, init) {
      const { signal } = init
      const answer = receivers.get(address)
      if (!answer) throw new TypeError('There is nobody.')
      const late = new Promise<never>((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason))
      })
      return Promise.race([answer(new Request(address, { ...init, signal: null })), late])
    },
  }
  type Queued = { organisationId: string }
  const CHANGES = {
    async send({ organisationId }: Queued, options?: { delaySeconds?: number }) {
      queued.push({ organisationId, due: Date.now() + (options?.delaySeconds ?? 0) * second })
    },
    async sendBatch(messages: Iterable<{ body: Queued }>) {
      for (const { body } of messages) await CHANGES.send(body)
    },
  } as unknown as Bindings['CHANGES']
  const bindings = { ...env, CHANGES }
  return {
    world,
    bindings,
    queued,
    receivers,
    /** Delivers the due messages of some organisations, or of all, as the queue and the schedule do. */
    run: async (organisations?: string[], DB = env.DB) =>
      (await deliver({ ...bindings, DB }, organisations, world)).done,
    /** Sends a write to the API. */
    write: (
      key: string,
      method: string,
      path: string,
      body?: unknown,
      also: Partial<Bindings> = {},
    ) =>
      requestWith({ ...bindings, ...also }, path, {
        method,
        headers: { 'x-api-key': key, 'Content-Type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    /** Lets every running attempt time out. */
    expire() {
      const before = expire
      expire = new AbortController()
      before.abort(new DOMException('', 'TimeoutError'))
    },
  }
}

type Subscription = { collections?: readonly string[]; changes?: readonly string[] }

let count = 0

/** Creates a webhook with a receiver that verifies every message. */
export async function newWebhook(
  { receivers }: Pick<ReturnType<typeof newReceivers>, 'receivers'>,
  organisationId: string,
  { collections = collectionNames, changes = changeNames }: Subscription = {},
) {
  const url = `https://hooks.charity.org.uk/${++count}?token=of-the-address`
  const store = administeredStore(env.DB, organisationId, 'a test')
  const { id, secret } = await addWebhook(env, store, { url, collections, changes })
  const arrived: ReceivedMessage[] = []
  const taken: ReceivedMessage[] = []
  let answer = ok
  const secrets = [secret]
  receivers.set(url, async (request) => {
    const body = await request.clone().text()
    const headers = Object.fromEntries(request.headers)
    for (const one of secrets) new Webhook(one).verify(body, headers)
    const message: ReceivedMessage = { id: headers['webhook-id'], ...JSON.parse(body) }
    arrived.push(message)
    const response = await answer(request)
    if (response.ok) taken.push(message)
    return response
  })
  return {
    id,
    url,
    secret,
    secrets,
    /** All messages, and the accepted ones. */
    arrived,
    taken,
    store,
    answer(by: Answer) {
      answer = by
    },
    attempts: () => listAttempts(store, id),
    async shown() {
      const webhook = (await listWebhooks(store)).find((one) => one.id === id)
      expect(webhook).toBeDefined()
      return webhook
    },
  }
}
