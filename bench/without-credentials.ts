import { randomUUID } from 'node:crypto'
import { generateApiKey } from '../src/auth/key-text.ts'
import type { Server } from './against-floor.ts'
import { alternate, type Served } from './load.ts'
import { atMost, type Line } from './report.ts'

/** What a request costs that anyone can send, of the serving process's CPU. */
export async function withoutCredentials({ url, pid }: Server, rounds: number): Promise<Line[]> {
  const { origin } = new URL(url)
  // All paths and keys are different, so that no cache helps.
  const asks: Record<string, Served> = {
    'openapi.json': { url: `${url}/openapi.json`, pid },
    '/readyz': { url: `${origin}/readyz`, pid },
    '/docs': { url: `${origin}/docs`, pid },
    'no key': { url: `${url}/members`, pid, status: 401 },
    'an unknown key': {
      url: `${url}/members`,
      pid,
      status: 401,
      get headers() {
        return { 'x-api-key': generateApiKey() }
      },
    },
    'a path of the API that is not there': {
      get url() {
        return `${url}/${randomUUID()}/%2e%2e/${randomUUID()}`
      },
      pid,
      status: 401,
    },
    'a path that is not there': {
      get url() {
        return `${origin}/${randomUUID()}?${randomUUID()}`
      },
      pid,
      status: 404,
    },
  }
  const loads = await alternate(asks, rounds, 400)
  return Object.entries(loads).map(([name, { cpu }]) =>
    atMost(`without credentials, ${name}: CPU`, cpu, 2, ' ms'),
  )
}
