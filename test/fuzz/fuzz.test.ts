import { type Schema, Validator } from '@cfworker/json-schema'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { putEverything } from '../examples/everything.ts'
import { texts } from '../model/traps.ts'
import { newOrganisation, request } from '../organisation.ts'
import { runs } from '../runs.ts'
import { documented, type Operation } from './operations.ts'

const { operations, components } = await documented()
const organisation = await newOrganisation()
const { id, key } = organisation

beforeAll(() => putEverything(organisation))

const plausible = fc.constantFrom('1', '250', '0', 'true', 'approved', 'PAID', '2025-03-04', id)
const values = fc.oneof(plausible, texts)
const segments = fc.oneof(
  fc.constantFrom('member-1', 'fund-1', id, '..%2f', '%00', '%ff'),
  texts.map((text) => encodeURIComponent(text.toWellFormed())),
)

/** A request for an operation: good, bad, or neither. */
const requestFor = ({ template, parameters, method, requestBody }: Operation) => {
  const names = parameters.filter((it) => it.in === 'query').map(({ name }) => name)
  const name = fc.oneof(fc.constantFrom(...names, 'name', 'a.b', '$x'), texts)
  return fc.record({
    path: segments.map((segment) => template.replace(/\{\w+\}/, segment || 'x')),
    query: fc.array(fc.tuple(name, values), { maxLength: 4 }),
    method: fc.constant(method),
    body: requestBody
      ? fc.oneof(
          fc.json(),
          fc
            .dictionary(
              fc.constantFrom('Full Name', 'consent', 'demographics.age', 'x'),
              fc.jsonValue(),
            )
            .map((it) => JSON.stringify(it)),
          texts,
        )
      : fc.constant(undefined),
    type: fc.constantFrom(
      'application/json',
      'application/json; charset=utf-8',
      'text/plain',
      'application/json; charset=latin1',
    ),
    idempotencyKey: fc.option(fc.constantFrom('k', '', 'x'.repeat(256)), {
      nil: undefined,
      freq: 2,
    }),
  })
}

type Sent = ReturnType<typeof requestFor> extends fc.Arbitrary<infer Value> ? Value : never

const send = (sent: Sent, credentials: Record<string, string>) =>
  request(`${sent.path}?${new URLSearchParams(sent.query)}`, {
    method: sent.method,
    headers: {
      ...credentials,
      'Content-Type': sent.type,
      ...(sent.idempotencyKey !== undefined && { 'Idempotency-Key': sent.idempotencyKey }),
    },
    ...(sent.body !== undefined && { body: sent.body }),
  })

/** Expects an answer that the document describes. */
async function expectDocumented({ responses }: Operation, answer: Response) {
  expect(answer.status).toBeLessThan(500)
  expect(Object.keys(responses)).toContain(`${answer.status}`)
  expect(answer.headers.get('Content-Type')).toBe('application/json')
  expect(answer.headers.get('Cache-Control')).toBe('private, no-store')
  expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff')
  expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  const schema = responses[answer.status]?.content['application/json']?.schema
  const validator = new Validator({ ...schema, components } as Schema, '2020-12', false)
  expect(validator.validate(await answer.json()).errors).toEqual([])
}

test.each(operations.map((it) => [`${it.method} ${it.template}`, it] as const))(
  '%s answers whatever is asked as documented, and nobody without credentials',
  async (_, operation) => {
    await fc.assert(
      fc.asyncProperty(requestFor(operation), async (sent) => {
        await expectDocumented(operation, await send(sent, { 'x-api-key': key }))
        expect((await send(sent, {})).status).toBe(401)
        expect((await send(sent, { 'x-api-key': `${key}0` })).status).toBe(401)
      }),
      runs(12),
    )
  },
)

test.each([...new Set(operations.map(({ template }) => template))])(
  '%s answers other methods with 405 and those it has',
  async (template) => {
    const allowed = operations.filter((it) => it.template === template).map(({ method }) => method)
    const path = template.replace('{organisationId}', id).replace(/\{\w+\}/, 'x')
    for (const method of ['PUT', 'PATCH', 'DELETE', 'POST', 'QUERY']) {
      if (allowed.includes(method)) continue
      const answer = await organisation.get(path, { method, headers: { 'x-api-key': key } })
      expect([method, answer.status]).toEqual([method, 405])
      const allow = answer.headers.get('Allow')?.split(', ') ?? []
      expect(allow).toEqual(expect.arrayContaining(allowed))
      expect(allow).not.toContain(method)
      expect(await answer.json()).toEqual({
        type: 'METHOD_NOT_ALLOWED',
        message: expect.any(String),
      })
    }
  },
)
