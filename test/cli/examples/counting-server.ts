import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The failure of a request: an error response, a closed connection, or a response that breaks off. */
type Fault = { status: number; retryAfter?: string } | 'cut' | 'incomplete'

/** Starts a proxy that records requests and fails some of them. */
export async function startCountingServer(origin: string) {
  const requests: { url: string; headers: IncomingHttpHeaders }[] = []
  const errors = new Map<number, Fault>()
  const server = createServer(async (request, answer) => {
    const { url = '', headers } = request
    requests.push({ url, headers })
    const fault = errors.get(requests.length)
    if (fault === 'cut') return request.socket.destroy()
    if (typeof fault === 'object') {
      const { status, retryAfter } = fault
      answer.writeHead(status, retryAfter === undefined ? {} : { 'Retry-After': retryAfter })
      return answer.end(JSON.stringify({ type: 'UNAVAILABLE', message: 'Not now.' }))
    }
    const served = await fetch(origin + url, {
      headers: { 'x-api-key': String(headers['x-api-key']), Prefer: String(headers.prefer) },
    })
    const text = await served.text()
    answer.writeHead(served.status, { 'Content-Type': served.headers.get('Content-Type') ?? '' })
    if (fault === undefined) return answer.end(text)
    // At the end of a record, where only the transfer shows that more should follow.
    const middle = text.indexOf('\n', text.length / 2) + 1
    return answer.write(text.slice(0, middle || text.length / 2), () => request.socket.destroy())
  }).listen(0)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://localhost:${port}`,
    /** Runs a function and returns the requests it made. `failing` has failures by request number, from 1. */
    async during(act: () => Promise<unknown>, failing: Record<number, Fault> = {}) {
      requests.length = 0
      errors.clear()
      for (const [number, fault] of Object.entries(failing)) errors.set(Number(number), fault)
      await act()
      return [...requests]
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
