/** Makes the calls of a binding, for example again or with a timeout. */
export type Caller = <Result>(call: () => Promise<Result>) => Promise<Result>

/** A database that runs its statements through `caller`. */
export function interceptDatabase(db: D1Database, caller: Caller): D1Database {
  // D1 takes only its own statements in a batch.
  const originals = new WeakMap<D1PreparedStatement, D1PreparedStatement>()
  const interceptStatement = (statement: D1PreparedStatement): D1PreparedStatement => {
    const intercepted = intercept(statement, (name, method) =>
      name === 'bind'
        ? (...values: unknown[]) => interceptStatement(statement.bind(...values))
        : (...parameters: unknown[]) => caller(() => method(...parameters)),
    )
    originals.set(intercepted, statement)
    return intercepted
  }
  return intercept(db, (name, method) => {
    if (name === 'prepare') return (query: string) => interceptStatement(db.prepare(query))
    if (name !== 'batch') return method
    return (statements: D1PreparedStatement[]) =>
      caller(() => db.batch(statements.map((statement) => originals.get(statement) ?? statement)))
  })
}

/** A key-value store that runs its calls through `caller`. */
export const interceptNamespace = (namespace: KVNamespace, caller: Caller): KVNamespace =>
  intercept(
    namespace,
    (_, method) =>
      (...parameters: unknown[]) =>
        caller(() => method(...parameters)),
  )

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
