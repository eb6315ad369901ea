import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'

type StateRequest = { method: 'POST'; headers: Record<string, string>; body: string }

/** Sends a request to a Worker. */
type Fetch = (url: string, init: StateRequest) => Promise<{ ok: boolean; text(): Promise<string> }>

/**
 * Returns a function that sends requests to a Worker's own socket, whatever address they name. Through the local runtime's
 * entry, or with `fetch`, a statement costs more than twice the time. The sockets keep no process running.
 */
export function requestDirectly(socket: URL): Fetch {
  // The runtime closes a socket that has been idle for fifteen seconds.
  const agent = new Agent({ keepAlive: true, timeout: 10_000 })
  return async (_, { method, headers, body }) => {
    const length = Buffer.byteLength(body)
    const sent = request(socket.href, {
      agent,
      method,
      headers: { ...headers, 'Content-Length': length },
    }).end(body)
    const [answer] = await once(sent, 'response')
    return { ok: answer.statusCode === 200, text: () => text(answer) }
  }
}

type Send = (body: string) => ReturnType<Fetch>

type SerialisedStatement = { query: string; values: unknown[] }

/** The script of a Worker that queries its databases, and a function that opens one of them by its name. */
export function createStateWorker() {
  // The token protects the Worker's port from other processes on the machine.
  const token = randomUUID()
  return {
    script: buildScript(token),
    openDatabase: (fetch: Fetch, name: string) =>
      createDatabase(name, (body) =>
        fetch('http://state', { method: 'POST', headers: { Authorization: token }, body }),
      ),
  }
}

const buildScript = (token: string) => `
  export default {
    async fetch(request, env) {
      if (request.headers.get('Authorization') !== ${JSON.stringify(token)})
        return new Response(null, { status: 403 })
      const { name, method, asked, options } = await request.json()
      try {
        const statements = asked.map(({ query, values }) => env[name].prepare(query).bind(...values))
        const [first] = statements
        const answer = method === 'batch' ? env[name].batch(statements) : first[method](...options)
        return Response.json(await answer)
      } catch ({ message, cause }) {
        return Response.json({ message, cause: cause?.message }, { status: 500 })
      }
    },
  }`

/** A client for a binding's database that sends one request per statement or batch. In wrangler's own proxy, every `prepare` and `bind` is a blocking request too. */
function createDatabase(name: string, send: Send): D1Database {
  const request = async (method: string, asked: SerialisedStatement[], options: unknown[] = []) => {
    const answer = await send(JSON.stringify({ name, method, asked, options }))
    const text = await answer.text()
    if (answer.ok) return JSON.parse(text)
    const { message, cause } = JSON.parse(text)
    throw new Error(message, { cause: new Error(cause) })
  }
  const serialised = new WeakMap<D1PreparedStatement, SerialisedStatement>()
  const createStatement = (query: string, values: unknown[]): D1PreparedStatement => {
    const asked = { query, values }
    const statement: D1PreparedStatement = {
      bind: (...parameters: unknown[]) => createStatement(query, parameters.map(toJsonValue)),
      all: () => request('all', [asked]),
      run: () => request('run', [asked]),
      first: (...column: unknown[]) => request('first', [asked], column),
      raw: (...options: unknown[]) => request('raw', [asked], options),
    }
    serialised.set(statement, asked)
    return statement
  }
  const unsupported = (): never => {
    throw new Error('The command line asks a database by statements alone.')
  }
  return {
    prepare: (query) => createStatement(query, []),
    batch: (statements) =>
      request(
        'batch',
        statements.map((statement) => serialised.get(statement) ?? unsupported()),
      ),
    exec: unsupported,
    withSession: unsupported,
    dump: unsupported,
  }
}

/** Converts a value for JSON if D1 treats both forms alike. */
function toJsonValue(value: unknown): unknown {
  // JSON would turn undefined into null.
  if (value === undefined) throw new Error("D1_TYPE_ERROR: Type 'undefined' not supported.")
  if (value instanceof ArrayBuffer) return [...new Uint8Array(value)]
  if (ArrayBuffer.isView(value))
    return [...new Uint8Array(value.buffer, value.byteOffset, value.byteLength)]
  return value
}
