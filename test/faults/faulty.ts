import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { app } from '../../src/app.ts'
import type { Bindings } from '../../src/platform/bindings.ts'
import { base, errorOfD1 } from '../organisation.ts'

/**
 * What becomes of a call to the database: nothing is done, or it is done and the answer lost; the
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

/** What has happened at a faulty database: how many calls there were, how many of them failed, and how many wait for ever. */
export type Happened = { calls: number; errors: number; waiting: number }

/** The database, with a fault in those of its calls that are named by their place, from 0. */
export function faultyDatabase(fault: Fault, at: (call: number) => boolean | Promise<boolean>) {
  const happened: Happened = { calls: 0, errors: 0, waiting: 0 }
  const held: (() => Promise<unknown>)[] = []
  const call = async <Answer>(make: () => Promise<Answer>): Promise<Answer> => {
    if (!(await at(happened.calls++))) return make()
    happened.errors++
    if (fault === 'stalled') {
      happened.waiting++
      held.push(make)
      return new Promise(() => {})
    }
    if (fault.endsWith('after')) await make()
    throw errorOfD1(fault.startsWith('lost') ? messages.lost : messages.overloaded)
  }
  return {
    DB: wrapped(env.DB, call),
    happened,
    /** Does what has stalled; it may fail, which nobody learns. */
    doLate: () => Promise.allSettled(held.map((make) => make())),
  }
}

/** Holds the clock in every test of a file, and keeps out of its output what errors make the Worker log. */
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

/** The answer of a request; the clock, which vitest must hold, is moved on for each call that never ends, and for no other. */
export async function settled(answer: Promise<Response>, ...databases: Happened[]) {
  let ended = false
  const done = answer.finally(() => {
    ended = true
  })
  const begun = Date.now()
  for (let passed = 0; !ended; ) {
    await new Promise((resolve) => setImmediate(resolve))
    const waiting = databases.reduce((sum, happened) => sum + happened.waiting, 0)
    if (waiting > passed) await vi.advanceTimersByTimeAsync(deadline * (waiting - passed))
    passed = waiting
    if (Date.now() - begun > 10_000) throw new Error('The request waits for ever.')
  }
  return done
}

/** Expects an answer that says that a retry may work, and when. */
export async function expectUnavailable(answer: Response) {
  expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, '1'])
}

/** What makes a call to the database. */
export type Call = <Answer>(make: () => Promise<Answer>) => Promise<Answer>

const genuine = new WeakMap<object, D1PreparedStatement>()

/** Returns the database with every call made by `call`. */
export function wrapped(d1: D1Database, call: Call): D1Database {
  return Object.create(d1, {
    prepare: { value: (sql: string) => wrappedStatement(d1.prepare(sql), call) },
    batch: {
      value: (statements: D1PreparedStatement[]) =>
        call(() => d1.batch(statements.map((it) => genuine.get(it) ?? it))),
    },
  })
}

function wrappedStatement(statement: D1PreparedStatement, call: Call): D1PreparedStatement {
  const faulty: D1PreparedStatement = Object.create(statement, {
    bind: { value: (...values: unknown[]) => wrappedStatement(statement.bind(...values), call) },
    run: { value: () => call(() => statement.run()) },
    all: { value: () => call(() => statement.all()) },
    raw: { value: () => call(() => statement.raw()) },
    first: { value: () => call(() => statement.first()) },
  })
  genuine.set(faulty, statement)
  return faulty
}

/** A request to the API with these bindings in place of its own. */
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
