import { Agent, request } from 'node:http'

/** A request: the method, a path below the API's root, an optional body, and the media type of the response unless it is JSON. */
export type Sent = {
  method?: string
  path: string
  headers: Record<string, string>
  body?: string
  type?: string
}

/** An answer, whether it arrived whole, and the milliseconds it took. */
export type Answer = {
  status: number
  text: string
  isComplete: boolean
  faultOfHeaders?: string
  took: number
}

/** Returns a client for the API with a number of persistent connections. */
export function connect(url: string, connections: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const ask = ({ method = 'GET', path, headers, body, type }: Sent): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const begun = performance.now()
      const sent = request(url + path, { agent, method, headers }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk) => chunks.push(chunk))
        // An error here means that the rest of the answer is missing; 'close' follows it.
        response.on('error', () => {})
        response.on('close', () => {
          resolve({
            status: response.statusCode ?? 0,
            text: Buffer.concat(chunks).toString(),
            isComplete: response.complete,
            faultOfHeaders: faultOf(response.headers, type),
            took: performance.now() - begun,
          })
        })
      })
      sent.on('error', reject).end(body)
    })
  return { ask, close: () => agent.destroy() }
}

const expected: Record<string, RegExp> = {
  'cache-control': /^private, no-store$/,
  'x-request-id': /^[0-9a-f-]{36}$/,
  'ratelimit-policy': /./,
}

function faultOf(headers: NodeJS.Dict<string | string[]>, type?: string): string | undefined {
  const given = headers['content-type'] ?? 'none'
  if (given !== 'application/json' && given !== type) return `content-type: ${given}`
  return Object.entries(expected)
    .filter(([name, form]) => !form.test(String(headers[name])))
    .map(([name]) => `${name}: ${headers[name]}`)[0]
}
