import { Agent, request } from 'node:http'

/** What is sent: a path below the API's root, and for a POST the body. */
export type Sent = { path: string; headers: Record<string, string>; body?: string }

/** What came back, and after how many milliseconds. */
export type Answer = { status: number; text: string; faultOfHeaders?: string; took: number }

/** A way to ask the API over so many connections that are kept open. */
export function connect(url: string, connections: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const ask = ({ path, headers, body }: Sent): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const begun = performance.now()
      const method = body === undefined ? 'GET' : 'POST'
      const sent = request(url + path, { agent, method, headers }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          resolve({
            status: response.statusCode ?? 0,
            text: Buffer.concat(chunks).toString(),
            faultOfHeaders: faultOf(response.headers),
            took: performance.now() - begun,
          })
        })
      })
      sent.on('error', reject).end(body)
    })
  return { ask, close: () => agent.destroy() }
}

const expected: Record<string, RegExp> = {
  'content-type': /^application\/json$/,
  'cache-control': /^private, no-store$/,
  'x-request-id': /^[0-9a-f-]{36}$/,
  'ratelimit-policy': /./,
}

const faultOf = (headers: NodeJS.Dict<string | string[]>) =>
  Object.entries(expected)
    .filter(([name, form]) => !form.test(String(headers[name])))
    .map(([name]) => `${name}: ${headers[name]}`)[0]
