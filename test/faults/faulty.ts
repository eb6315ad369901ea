import { env } from 'cloudflare:workers'
import { app } from '../../src/app.ts'
import type { Bindings } from '../../src/env.ts'
import { base } from '../organisation.ts'

/** What becomes of a call to the database: nothing is done, or it is done and the answer lost, or it never ends. */
export type Fault = 'before' | 'after' | 'overloaded' | 'stalled'

const lost = 'D1_ERROR: Network connection lost.'
const overloaded = 'D1_ERROR: D1 DB is overloaded. Requests queued for too long.'

/** The database, with a fault in those of its calls that are named by their place, from 0; `calls` counts them. */
export function faultyDatabase(fault: Fault, at: (call: number) => boolean) {
  const counted = { calls: 0 }
  const call = async <Answer>(make: () => Promise<Answer>): Promise<Answer> => {
    if (!at(counted.calls++)) return make()
    if (fault === 'stalled') return new Promise(() => {})
    if (fault === 'after') await make()
    throw new Error(fault === 'overloaded' ? overloaded : lost)
  }
  const DB = wrapped(env.DB, call)
  return { DB, counted }
}

type Call = <Answer>(make: () => Promise<Answer>) => Promise<Answer>

const genuine = new WeakMap<object, D1PreparedStatement>()

function wrapped(d1: D1Database, call: Call): D1Database {
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
