import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The failure of a request: an error response, or a closed connection. */
type Fault = { status: number; retryAfter?: string } | 'cut'

/** Starts a proxy that records requests and fails some of them. */
export async function startCountingServer(origin: string) {
  const urls: string[] = []
  const errors = new Map<number, Fault>()
  const server = createServer(async (request, answer) => {
    urls.push(request.url ?? '')
    const fault = errors.get(urls.length)
    if (fault === 'cut') return request.socket.destroy()
    if (fault) {
      const { status, retryAfter } = fault
      answer.writeHead(status, retryAfter === undefined ? {} : { 'Retry-After': retryAfter })
      return answer.end(JSON.stringify({ type: 'UNAVAILABLE', message: 'Not now.' }))
    }
    const key = request.headers['x-api-key']
    const served = await fetch(`${origin}${request.url}`, { headers: { 'x-api-key': String(key) } })
    answer.writeHead(served.status, { 'Content-Type': 'application/json' })
    answer.end(await served.text())
  }).listen(0)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://localhost:${port}`,
    /** Runs a function and returns the requests it made. `failing` has failures by request number, from 1. */
    async during(act: () => Promise<unknown>, failing: Record<number, Fault> = {}) {
      urls.length = 0
      errors.clear()
      for (const [number, fault] of Object.entries(failing)) errors.set(Number(number), fault)
      await act()
      return [...urls]
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
