const patience = 120_000
const pause = 250

// The second is what a lock at the end of a statement comes out as.
const busy = /SQLITE_BUSY|Failed to get session commit token/

/**
 * A local database that waits for its turn: SQLite refuses what comes while another process writes, and
 * undoes it where it had begun. What is asked of it may be asked again.
 */
export function patient(db: D1Database): D1Database {
  const plain = new WeakMap<D1PreparedStatement, D1PreparedStatement>()
  const waiting = (statement: D1PreparedStatement): D1PreparedStatement => {
    const wrapped = new Proxy(statement, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        if (name === 'bind') return (...values: unknown[]) => waiting(target.bind(...values))
        return (...given: unknown[]) => whenFree(() => Reflect.apply(value, target, given))
      },
    })
    plain.set(wrapped, statement)
    return wrapped
  }
  return new Proxy(db, {
    get(target, name) {
      if (name === 'prepare') return (query: string) => waiting(target.prepare(query))
      if (name === 'batch') {
        return (statements: D1PreparedStatement[]) =>
          whenFree(() => target.batch(statements.map((one) => plain.get(one) ?? one)))
      }
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

async function whenFree<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (const until = Date.now() + patience; ; await aWhile()) {
    try {
      return await ask()
    } catch (error) {
      const isBusy = error instanceof Error && busy.test(error.message)
      if (!isBusy || Date.now() > until) throw error
    }
  }
}

const aWhile = () => new Promise((resolve) => setTimeout(resolve, pause))
