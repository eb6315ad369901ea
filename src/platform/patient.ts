const patience = 120_000
const pause = 250

// The second is what a lock at the end of a statement comes out as.
const busy = /SQLITE_BUSY|Failed to get session commit token/

/**
 * A local database that waits for its turn: SQLite refuses what comes while another process writes, and
 * undoes it where it had begun. What is asked of it may be asked again.
 *
 * On the command line whatever is read of a database or of a new statement, and whatever is called
 * for the first time, is a question to workerd that blocks until it is answered. So a text is prepared
 * once, and run by `batch`, which is known to answer later.
 */
export function patient(db: D1Database): D1Database {
  const prepared = new Map<string, D1PreparedStatement>()
  const plain = new WeakMap<D1PreparedStatement, D1PreparedStatement>()
  const batch = (statements: D1PreparedStatement[]) => whenFree(() => db.batch(statements))
  const waiting = (statement: D1PreparedStatement): D1PreparedStatement => {
    const wrapped = inFrontOf<D1PreparedStatement>((name) => {
      if (name === 'bind') return (...values: unknown[]) => waiting(statement.bind(...values))
      if (name === 'all' || name === 'run') return async () => (await batch([statement]))[0]
      const value: unknown = Reflect.get(statement, name)
      if (typeof value !== 'function') return value
      return (...given: unknown[]) => whenFree(() => Reflect.apply(value, statement, given))
    })
    plain.set(wrapped, statement)
    return wrapped
  }
  return inFrontOf<D1Database>((name) => {
    if (name === 'prepare') {
      return (query: string) => {
        const statement = prepared.get(query) ?? db.prepare(query)
        prepared.set(query, statement)
        return waiting(statement)
      }
    }
    if (name === 'batch') {
      return (statements: D1PreparedStatement[]) =>
        batch(statements.map((one) => plain.get(one) ?? one))
    }
    const value: unknown = Reflect.get(db, name)
    return typeof value === 'function' ? value.bind(db) : value
  })
}

// Its target is empty, as a proxy checks with its target whatever `get` returns.
const inFrontOf = <Thing extends object>(get: (name: string | symbol) => unknown) =>
  new Proxy<Thing>(Object.create(null), { get: (_, name) => get(name) })

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
