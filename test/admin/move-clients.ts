import { expect } from 'vitest'
import { request } from '../organisation.ts'

/** One step of a client: a request, and what it must be answered. */
export type Step = () => Promise<void>

const headersOf = (key: string) => ({ 'x-api-key': key, 'Content-Type': 'application/json' })

/** Expects 503 with advice when to retry. */
function expectMoving(answer: Response): void {
  expect([answer.status, answer.headers.has('Retry-After')]).toEqual([503, true])
}

/** The number of 503s that clients received. */
export type Refusals = { reads: number; writes: number }

/** Reads paths in turn, each of which must always be answered as at first, and by 304 to its ETag. */
export async function newReader(
  key: string,
  paths: readonly string[],
  refusals: Refusals,
): Promise<Step> {
  const read = async (path: string, etag?: string) =>
    request(path, { headers: { 'x-api-key': key, ...(etag && { 'If-None-Match': etag }) } })
  const expected = await Promise.all(
    paths.map(async (path) => {
      const answer = await read(path)
      const [status, etag] = [answer.status, answer.headers.get('ETag') ?? '']
      return { path, status, etag, body: await answer.text() }
    }),
  )
  let step = 0
  return async () => {
    const { path, status, etag, body } = expected[step++ % expected.length] ?? expected[0] ?? fail()
    const isPoll = step % 2 === 0 && /^\/events\/[^?]+$/.test(path)
    const answer = await read(path, isPoll ? etag : undefined)
    const text = await answer.text()
    if (answer.status === 503) {
      refusals.reads++
      expectMoving(answer)
    } else
      expect([path, answer.status, text]).toEqual([path, ...(isPoll ? [304, ''] : [status, body])])
  }
}

const fail = (): never => {
  throw new Error('A reader needs paths.')
}

type Change = { collection: string; id: string; change: string; version: number }

/** Follows the change feed from its current end. */
export async function newFollower(key: string): Promise<{ step: Step; changes: Change[] }> {
  const read = (cursor: string) =>
    request(`/changes?limit=100&$after=${cursor}`, { headers: { 'x-api-key': key } })
  let { next } = await (await read('latest')).json<{ next: string }>()
  const changes: Change[] = []
  const step = async () => {
    const answer = await read(next)
    if (answer.status === 503) return expectMoving(answer)
    expect(answer.status).toBe(200)
    const page = await answer.json<{ changes: Change[]; next: string }>()
    changes.push(...page.changes)
    next = page.next
  }
  return { step, changes }
}

/** Sends writes one after the other, each again until it is acknowledged. */
export function newWriter(
  key: string,
  makeRequest: (index: number) => { method: string; path: string; body: object },
  refusals: Refusals,
): { step: Step; acknowledged: string[] } {
  const acknowledged: string[] = []
  const prefix = crypto.randomUUID()
  const step = async () => {
    const index = acknowledged.length
    const { method, path, body } = makeRequest(index)
    const headers = {
      ...headersOf(key),
      ...(method === 'POST' && { 'Idempotency-Key': `${prefix}-${index}` }),
    }
    const answer = await request(path, { method, headers, body: JSON.stringify(body) })
    if (answer.status === 503) {
      refusals.writes++
      await answer.body?.cancel()
      return expectMoving(answer)
    }
    expect([path, answer.status]).toEqual([path, method === 'POST' ? 201 : 200])
    const { member } = await answer.json<{ member: { id?: string; memberId?: string } }>()
    acknowledged.push(member.id ?? member.memberId ?? path.slice(path.lastIndexOf('/') + 1))
  }
  return { step, acknowledged }
}
