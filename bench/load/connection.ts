import { Agent, request } from 'node:http'

/** A request: the method, a path below the API's root, an optional body, and the media type of the response unless it is JSON. */
export type LoadRequest = {
  method?: string
  path: string
  headers: Record<string, string>
  body?: string
  type?: string
}

/** A response, whether it is complete, and its duration in milliseconds. */
export type LoadResponse = {
  status: number
  text: string
  isComplete: boolean
  headerError?: string
  durationMs: number
}

/** Returns a client for the API with a number of persistent connections. */
export function connect(url: string, connections: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const send = ({
    method = 'GET',
    path,
    headers,
    body,
    type,
  }: LoadRequest): Promise<LoadResponse> =>
    new Promise((resolve, reject) => {
      const start = performance.now()
      const outgoing = request(url + path, { agent, method, headers }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk) => chunks.push(chunk))
        // An error means an incomplete response; 'close' follows.
        response.on('error', () => {})
        response.on('close', () => {
          resolve({
            status: response.statusCode ?? 0,
            text: Buffer.concat(chunks).toString(),
            isComplete: response.complete,
            headerError: findHeaderError(response.headers, type),
            durationMs: performance.now() - start,
          })
        })
      })
      outgoing.on('error', reject).end(body)
    })
  return { send, close: () => agent.destroy() }
}

const expectedHeaders: Record<string, RegExp> = {
  'cache-control': /^private, no-(store|cache)$/,
  'x-request-id': /^[0-9a-f-]{36}$/,
  'ratelimit-policy': /./,
}

function findHeaderError(
  headers: NodeJS.Dict<string | string[]>,
  type?: string,
): string | undefined {
  const contentType = headers['content-type'] ?? 'none'
  if (contentType !== 'application/json' && contentType !== type)
    return `content-type: ${contentType}`
  return Object.entries(expectedHeaders)
    .filter(([name, pattern]) => !pattern.test(String(headers[name])))
    .map(([name]) => `${name}: ${headers[name]}`)[0]
}
