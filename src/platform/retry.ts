const maxWaitMs = 120_000
const pauseMs = 250

// The second message reports a lock at the end of a statement.
const busyError = /SQLITE_BUSY|Failed to get session commit token/

/** Whether a message says that another process is writing to a local database. */
export const isBusyMessage = (message: string): boolean => busyError.test(message)

/**
 * Wraps a local database to retry statements while another process writes. SQLite rolls rejected
 * statements back, so a retry is safe.
 */
export function withRetry(db: D1Database): D1Database {
  const unwrapped = new WeakMap<D1PreparedStatement, D1PreparedStatement>()
  const wrapStatement = (statement: D1PreparedStatement): D1PreparedStatement => {
    const wrapped = intercept(statement, (name, method) =>
      name === 'bind'
        ? (...values: unknown[]) => wrapStatement(statement.bind(...values))
        : (...parameters: unknown[]) => retryWhileBusy(() => method(...parameters)),
    )
    unwrapped.set(wrapped, statement)
    return wrapped
  }
  return intercept(db, (name, method) => {
    if (name === 'prepare') return (query: string) => wrapStatement(db.prepare(query))
    if (name !== 'batch') return method
    return (statements: D1PreparedStatement[]) =>
      retryWhileBusy(() =>
        db.batch(statements.map((statement) => unwrapped.get(statement) ?? statement)),
      )
  })
}

type Method = (...parameters: unknown[]) => Promise<unknown>

/** A proxy that replaces the methods of an object. */
const intercept = <Target extends object>(
  target: Target,
  replaceMethod: (name: string | symbol, method: Method) => unknown,
) =>
  // The target is empty, because a proxy checks the results of `get` against its target.
  new Proxy<Target>(Object.create(null), {
    get(_, name) {
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? replaceMethod(name, value.bind(target)) : value
    },
  })

async function retryWhileBusy<Result>(operation: () => Promise<Result>): Promise<Result> {
  for (const deadline = Date.now() + maxWaitMs; ; await pause()) {
    try {
      return await operation()
    } catch (error) {
      const isBusy = error instanceof Error && isBusyMessage(error.message)
      if (!isBusy || Date.now() > deadline) throw error
    }
  }
}

const pause = () => new Promise((resolve) => setTimeout(resolve, pauseMs))
