import { type Bindings, type Databases, isDatabaseName, type RecordDatabases } from './bindings.ts'
import { type Caller, interceptDatabase, interceptNamespace } from './intercept.ts'

const timeoutMs = 10_000

/** The error for a database or KV that does not respond in time. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError'
}

/** Awaits a promise. Throws a TimeoutError after the timeout. */
export function withTimeout<Result>(
  promise: PromiseLike<Result>,
  timeoutMs: number,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new TimeoutError(`No result after ${timeoutMs} ms.`)),
      timeoutMs,
    )
    promise.then(
      (result) => {
        clearTimeout(timer)
        resolve(result)
      },
      (error: unknown) => {
        clearTimeout(timer)
        reject(error)
      },
    )
  })
}

/** The bindings with a timeout for every call of a database or of KV. */
export function limitBindings<Env extends Databases>(env: Env, timeoutMs: number): Env {
  const caller: Caller = (call) => withTimeout(call(), timeoutMs)
  const limit = (d1: D1Database) => interceptDatabase(d1, caller)
  const databases: RecordDatabases = env
  const limited = Object.entries(databases).flatMap(([name, d1]) =>
    isDatabaseName(name) ? [[name, limit(d1)]] : [],
  )
  return {
    ...env,
    ...Object.fromEntries(limited),
    GEOGRAPHY: limit(env.GEOGRAPHY),
    KEYS: interceptNamespace(env.KEYS, caller),
  }
}

const opened = new WeakMap<Bindings, Bindings>()

/** Opens the bindings of the Worker, once for each isolate: a database or KV that does not respond fails in time. */
export function openBindings(env: Bindings): Bindings {
  const known = opened.get(env)
  if (known) return known
  const bindings = limitBindings(env, timeoutMs)
  opened.set(env, bindings)
  // An app within another receives opened bindings.
  opened.set(bindings, bindings)
  return bindings
}
