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
    const wrapped = inFrontOf(statement, (name, method) =>
      name === 'bind'
        ? (...values: unknown[]) => waiting(statement.bind(...values))
        : (...given: unknown[]) => whenFree(() => method(...given)),
    )
    plain.set(wrapped, statement)
    return wrapped
  }
  return inFrontOf(db, (name, method) => {
    if (name === 'prepare') return (query: string) => waiting(db.prepare(query))
    if (name !== 'batch') return method
    return (statements: D1PreparedStatement[]) =>
      whenFree(() => db.batch(statements.map((one) => plain.get(one) ?? one)))
  })
}

type Method = (...given: unknown[]) => Promise<unknown>

/** A thing whose methods are what `instead` makes of their names and them. */
const inFrontOf = <Thing extends object>(
  thing: Thing,
  instead: (name: string | symbol, method: Method) => unknown,
) =>
  // Its target is empty, as a proxy checks with its target whatever `get` returns.
  new Proxy<Thing>(Object.create(null), {
    get(_, name) {
      const value: unknown = Reflect.get(thing, name)
      return typeof value === 'function' ? instead(name, value.bind(thing)) : value
    },
  })

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
