/** Makes the calls of a binding, for example again or with a timeout. */
export type Caller = <Result>(call: () => Promise<Result>) => Promise<Result>

/** A database that runs its statements through `caller`. */
export const interceptDatabase = (db: D1Database, caller: Caller): D1Database =>
  intercept(db, (name, method) => {
    if (name === 'prepare')
      return (query: string) => new InterceptedStatement(db.prepare(query), caller)
    if (name !== 'batch') return method
    return (statements: D1PreparedStatement[]) =>
      caller(() => db.batch(statements.map(InterceptedStatement.originalOf)))
  })

/** A statement that runs through `caller`. Every request has one, and a proxy would take longer. */
class InterceptedStatement implements D1PreparedStatement {
  readonly #original: D1PreparedStatement
  readonly #caller: Caller

  constructor(original: D1PreparedStatement, caller: Caller) {
    this.#original = original
    this.#caller = caller
  }

  /** D1 takes only its own statements in a batch. */
  static originalOf(this: void, statement: D1PreparedStatement): D1PreparedStatement {
    return statement instanceof InterceptedStatement ? statement.#original : statement
  }

  bind(...values: unknown[]): D1PreparedStatement {
    return new InterceptedStatement(this.#original.bind(...values), this.#caller)
  }

  first<T>(column?: string): Promise<T | null> {
    return this.#caller(() =>
      column === undefined ? this.#original.first<T>() : this.#original.first<T>(column),
    )
  }

  run<T>(): Promise<D1Result<T>> {
    return this.#caller(() => this.#original.run<T>())
  }

  all<T>(): Promise<D1Result<T>> {
    return this.#caller(() => this.#original.all<T>())
  }

  raw<T>(options: { columnNames: true }): Promise<[string[], ...T[]]>
  raw<T>(options?: { columnNames?: false }): Promise<T[]>
  raw<T>(options?: { columnNames?: boolean }): Promise<T[] | [string[], ...T[]]> {
    return this.#caller(
      (): Promise<T[] | [string[], ...T[]]> =>
        options?.columnNames
          ? this.#original.raw<T>({ columnNames: true })
          : this.#original.raw<T>(),
    )
  }
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
