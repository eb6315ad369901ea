import { randomUUID } from 'node:crypto'
import { generateApiKey } from '../src/auth/key-text.ts'
import type { Server } from './against-floor.ts'
import { type MeasuredRequest, measureInTurn } from './load.ts'
import { atMost, formatMs, type Line } from './report.ts'

const unknownKey = 'an unknown key'

/** Measures the server's CPU for requests without valid credentials. */
export async function measureWithoutCredentials(
  { url, pid }: Server,
  rounds: number,
): Promise<Line[]> {
  const { origin } = new URL(url)
  // Every path and key is different, so that no cache helps.
  const asks: Record<string, MeasuredRequest> = {
    'openapi.json': { url: `${url}/openapi.json`, pid },
    '/readyz': { url: `${origin}/readyz`, pid },
    '/docs': { url: `${origin}/docs`, pid },
    'no key': { url: `${url}/members`, pid, status: 401 },
    [unknownKey]: {
      url: `${url}/members`,
      pid,
      status: 401,
      get headers() {
        return { 'x-api-key': generateApiKey() }
      },
    },
    'an unknown path of the API': {
      get url() {
        return `${url}/${randomUUID()}/%2e%2e/${randomUUID()}`
      },
      pid,
      status: 401,
    },
    'an unknown path': {
      get url() {
        return `${origin}/${randomUUID()}?${randomUUID()}`
      },
      pid,
      status: 404,
    },
  }
  const loads = await measureInTurn(asks, rounds, 400)
  return Object.entries(loads).map(([name, load]) => ({
    ...atMost(`without credentials, ${name}: CPU`, load.cpu, 2, ' ms'),
    ...(name === unknownKey && {
      plain: { request: 'A request with an unknown key, refused', answer: formatMs(load) },
    }),
  }))
}
