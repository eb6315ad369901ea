import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { app } from '../../src/app.ts'
import type { Bindings } from '../../src/platform/bindings.ts'
import { base } from '../organisation.ts'
import { errorOfD1 } from './d1-error.ts'

/**
 * The failure of a database call: lost before it ran, or after, so that only the answer is missing; the
 * database is too busy before it, or after; or it does not end, and may be done when nobody waits any more.
 */
export type Fault =
  | 'lost before'
  | 'lost after'
  | 'overloaded before'
  | 'overloaded after'
  | 'stalled'

const messages = {
  lost: 'Network connection lost.',
  overloaded: 'D1 DB is overloaded. Requests queued for too long.',
}

/** The calls so far, the failed ones, and the ones that never answer. */
export type CallCounts = { calls: number; errors: number; waiting: number }

/** The database, failing in the calls that `at` selects by index, from 0. */
export function failingDatabase(fault: Fault, at: (call: number) => boolean | Promise<boolean>) {
  const happened: CallCounts = { calls: 0, errors: 0, waiting: 0 }
  const stalledCalls: (() => Promise<unknown>)[] = []
  const call = async <Answer>(make: () => Promise<Answer>): Promise<Answer> => {
    if (!(await at(happened.calls++))) return make()
    happened.errors++
    if (fault === 'stalled') {
      happened.waiting++
      stalledCalls.push(make)
      return new Promise(() => {})
    }
    if (fault.endsWith('after')) await make()
    throw errorOfD1(fault.startsWith('lost') ? messages.lost : messages.overloaded)
  }
  return {
    DB: wrapDatabase(env.DB, call),
    happened,
    /** Runs the stalled calls now and ignores their failures. */
    doLate: () => Promise.allSettled(stalledCalls.map((make) => make())),
  }
}

/** Stops the clock in every test of a file and hides the Worker's error log. */
export function holdClock(): void {
  beforeEach(() => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.restoreAllMocks()
  })
}

const deadline = 10_000

// Loading the dashboard takes long on a busy machine; the test itself ends after 120 s.
const maxWaitMs = 100_000

/** Waits for a response and advances the stopped clock past the timeout of each stalled call. */
export async function advanceUntilAnswered(answer: Promise<Response>, ...databases: CallCounts[]) {
  let ended = false
  const settled = answer.finally(() => {
    ended = true
  })
  const begun = Date.now()
  for (let passed = 0; !ended; ) {
    await new Promise((resolve) => setImmediate(resolve))
    const waiting = databases.reduce((sum, happened) => sum + happened.waiting, 0)
    if (waiting > passed) await vi.advanceTimersByTimeAsync(deadline * (waiting - passed))
    passed = waiting
    if (Date.now() - begun > maxWaitMs) throw new Error('The request waits for ever.')
  }
  return settled
}

/** Expects a 503 with `Retry-After`. */
export async function expectUnavailable(answer: Response) {
  expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, '1'])
}

/** Makes a database call. */
export type Call = <Answer>(make: () => Promise<Answer>) => Promise<Answer>

const originals = new WeakMap<object, D1PreparedStatement>()

/** Returns the database with every call made by `call`. */
export function wrapDatabase(d1: D1Database, call: Call): D1Database {
  return Object.create(d1, {
    prepare: { value: (sql: string) => wrapStatement(d1.prepare(sql), call) },
    batch: {
      value: (statements: D1PreparedStatement[]) =>
        call(() => d1.batch(statements.map((it) => originals.get(it) ?? it))),
    },
  })
}

function wrapStatement(statement: D1PreparedStatement, call: Call): D1PreparedStatement {
  const faulty: D1PreparedStatement = Object.create(statement, {
    bind: { value: (...values: unknown[]) => wrapStatement(statement.bind(...values), call) },
    run: { value: () => call(() => statement.run()) },
    all: { value: () => call(() => statement.all()) },
    raw: { value: () => call(() => statement.raw()) },
    first: {
      value: async (column?: string) => {
        const [row] = (await call(() => statement.all())).results
        return (column === undefined ? row : row?.[column]) ?? null
      },
    },
  })
  originals.set(faulty, statement)
  return faulty
}

/** Sends a request to the API with these bindings. A response that fails while it is read prints no uncaught exception, as one of `request` does. */
export const requestWith = async (bindings: Partial<Bindings>, path: string, init: RequestInit) =>
  app.request(
    base + path,
    init,
    { ...env, ...bindings },
    {
      waitUntil: (promise: Promise<unknown>) => void promise.catch(() => {}),
      passThroughOnException: () => {},
      props: {},
    },
  )
