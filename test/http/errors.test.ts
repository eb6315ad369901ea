import { expect, test, vi } from 'vitest'
import * as z from 'zod'
import { validate, withCode } from '../../src/model/validation-error.ts'
import { newOrganisation, request, requestWithoutDatabase } from '../organisation.ts'

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
      databaseError: `D1_ERROR: ${fault}`,
    })
    for (const secret of [key, 'Secret', 'SELECT']) expect(logged).not.toContain(secret)
    log.mockRestore()
  },
)

const problems = 'application/problem+json'

test('an error lists each invalid field with its code for requests that accept problem documents', async () => {
  const { key } = await newOrganisation()
  const ask = (path: string, Accept: string) =>
    request(path, { headers: { 'x-api-key': key, Accept } })
  const path = '/events?limit=0&offset=-1&bookable=perhaps&$updatedFrom=soon&$other=1&limit=2'
  const answer = await ask(path, problems)
  expect(answer.status).toBe(400)
  expect(answer.headers.get('Content-Type')).toBe(problems)
  const problem = await answer.json<Record<string, unknown>>()
  expect(problem).toEqual({
    type: 'BAD_REQUEST',
    title: 'Bad request',
    status: 400,
    detail: expect.stringMatching(/limit: .*\$other: .*offset: /),
    errors: expect.arrayContaining([
      { field: 'limit', message: 'may appear only once.', code: 'duplicate' },
      { field: '$other', message: 'is not a parameter of this route.', code: 'unknown_field' },
      { field: 'offset', message: expect.any(String), code: 'invalid_format' },
      { field: 'bookable', message: 'must be true or false.', code: 'invalid_format' },
      { field: '$updatedFrom', message: expect.any(String), code: 'invalid_format' },
    ]),
  })
  const plain = await ask(path, 'application/json')
  expect(plain.headers.get('Content-Type')).toBe('application/json')
  expect(await plain.json()).toEqual({ type: 'BAD_REQUEST', message: problem.detail })
  const missing = await ask('/events/none', `text/csv, ${problems}`)
  expect(await missing.json()).toMatchObject({ type: 'NOT_FOUND', status: 404, errors: [] })
})

test.each([
  [`application/json, ${problems}`, problems],
  [`application/json;q=0.5, ${problems};q=0.9`, problems],
  [`application/*, ${problems.toUpperCase()}`, problems],
  [`application/json, ${problems};q=0.5`, 'application/json'],
  [`application/json;q=0.1, ${problems};q=0`, 'application/json'],
  ['*/*', 'application/json'],
  ['application/*', 'application/json'],
])('of errors, Accept: %s takes %s', async (Accept, type) => {
  const answer = await request('/events', { headers: { Accept } })
  expect(answer.status).toBe(401)
  expect(answer.headers.get('Content-Type')).toBe(type)
})

test.each([
  ['a text that is missing', z.object({ a: z.string() }), {}, 'required'],
  ['a choice that is missing', z.object({ a: z.enum(['x']) }), {}, 'required'],
  ['another type', z.object({ a: z.string() }), { a: null }, 'invalid_type'],
  ['no choice', z.object({ a: z.enum(['x']) }), { a: 'y' }, 'not_allowed'],
  ['no address', z.object({ a: z.email() }), { a: 'b' }, 'invalid_format'],
  ['a long text', z.object({ a: z.string().max(1) }), { a: 'bc' }, 'too_long'],
  ['a short list', z.object({ a: z.array(z.string()).min(1) }), { a: [] }, 'too_short'],
  ['a large number', z.object({ a: z.number().max(1) }), { a: 2 }, 'too_large'],
  ['a small number', z.object({ a: z.number().min(1) }), { a: 0 }, 'too_small'],
  ['another property', z.strictObject({}), { a: 1 }, 'unknown_field'],
  [
    'its own code',
    z.object({ a: z.string().refine(() => false, withCode('hidden')) }),
    { a: '' },
    'hidden',
  ],
  [
    'a rule without a code',
    z.object({ a: z.string().refine(() => false) }),
    { a: '' },
    'invalid_format',
  ],
] as const)('the code for %s', (_, schema, input, code) => {
  expect(validate<z.ZodType>(schema, input)).toMatchObject({ errors: [{ field: 'a', code }] })
})
