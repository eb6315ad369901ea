import { expect, test, vi } from 'vitest'
import { newOrganisation, requestWithoutDatabase } from '../organisation.ts'

test.each([
  ['no such column: Ada: SQLITE_ERROR', 500, 'INTERNAL_ERROR', null],
  ['Network connection lost.', 503, 'UNAVAILABLE', '1'],
  ['D1 DB is overloaded. Requests queued for too long.', 503, 'UNAVAILABLE', '1'],
] as const)(
  'the database error %j becomes %i, and its log entry has no values',
  async (fault, status, type, retryAfter) => {
    const { key } = await newOrganisation()
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const answer = await requestWithoutDatabase('/members?Full%20Name=Secret%20Person', key, fault)
    expect(answer.status).toBe(status)
    expect(answer.headers.get('Retry-After')).toBe(retryAfter)
    expect(answer.headers.get('Cache-Control')).toBe('private, no-store')
    const body = await answer.json<Record<string, string>>()
    expect(Object.keys(body)).toEqual(['type', 'message'])
    expect(body.type).toBe(type)
    expect(body.message).not.toContain(fault)
    expect(log).toHaveBeenCalledOnce()
    const logged = String(log.mock.calls[0]?.[0])
    expect(JSON.parse(logged)).toMatchObject({
      requestId: answer.headers.get('x-request-id'),
      error: 'Error',
      database: `D1_ERROR: ${fault}`,
    })
    for (const secret of [key, 'Secret', 'SELECT']) expect(logged).not.toContain(secret)
    log.mockRestore()
  },
)
