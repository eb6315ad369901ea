import fc from 'fast-check'
import { expect, test } from 'vitest'
import { everything } from '../examples/everything.ts'
import { texts } from '../model/tricky-values.ts'
import { request } from '../organisation.ts'
import { runs } from '../runs.ts'
import { newFilledOrganisation } from './filled-organisation.ts'
import { expectDocumentedResponse, type Operation, readOperations } from './operations.ts'

const operations = await readOperations()
const { organisation, id, key, token } = await newFilledOrganisation()

const plausible = fc.constantFrom(
  ...['1', '250', '0', 'true', 'approved', 'PAID', '2025-03-04', 'events', 'members', id],
)
const values = fc.oneof(plausible, texts)
const segments = fc.oneof(
  fc.constantFrom('member-1', 'fund-1', id, '..%2f', '%00', '%ff'),
  texts.map((text) => encodeURIComponent(text.toWellFormed())),
)

/** Whole records, as the organisation's own or not, alone and as a list. */
const records = fc
  .tuple(
    fc.constantFrom(...Object.keys(everything)),
    fc.dictionary(fc.constantFrom('managedBy', 'name', 'eventId', 'fundId'), values),
  )
  .chain(([collection, more]) => {
    const { document } = everything[collection] ?? {}
    const record = { ...document, managedBy: id, ...more }
    return fc.constantFrom(record, { [collection]: [record] }, { [collection]: [record, record] })
  })

/** A request for an operation: good, bad, or neither. */
const requestFor = ({ template, parameters, method, requestBody }: Operation) => {
  const names = parameters.filter((it) => it.in === 'query').map(({ name }) => name)
  const name = fc.oneof(fc.constantFrom(...names, 'name', 'a.b', '$x'), texts)
  return fc.record({
    path: segments.map((segment) => template.replace(/\{\w+\}/, segment || 'x')),
    query: fc.array(fc.tuple(name, values), { maxLength: 4 }),
    method: fc.constant(method),
    by: fc.constantFrom('key', 'token'),
    // A token needs it; with a key some queries then repeat the parameter.
    namesOrganisation: fc.boolean(),
    body: requestBody
      ? fc.oneof(
          fc.json(),
          fc
            .dictionary(
              fc.constantFrom('Full Name', 'consent', 'demographics.age', 'x'),
              fc.jsonValue(),
            )
            .map((it) => JSON.stringify(it)),
          records.map((it) => JSON.stringify(it)),
          texts,
        )
      : fc.constant(undefined),
    type: fc.constantFrom(
      'application/json',
      'application/merge-patch+json',
      'application/json; charset=utf-8',
      'text/csv',
      'application/x-ndjson',
      'text/plain',
      'application/json; charset=latin1',
    ),
    ifMatch: fc.option(fc.constantFrom('*', '"1"', 'W/"1"', 'x'), { nil: undefined, freq: 2 }),
    idempotencyKey: fc.option(fc.constantFrom('k', '', 'x'.repeat(256)), {
      nil: undefined,
      freq: 2,
    }),
  })
}

type RequestInput = ReturnType<typeof requestFor> extends fc.Arbitrary<infer Value> ? Value : never

const queryOf = ({ query, by, namesOrganisation }: RequestInput) =>
  new URLSearchParams(
    by === 'token' && namesOrganisation ? [...query, ['organisationId', id]] : query,
  )

const send = (input: RequestInput, credentials: Record<string, string>) =>
  request(`${input.path}?${queryOf(input)}`, {
    method: input.method,
    headers: {
      ...credentials,
      'Content-Type': input.type,
      ...(input.ifMatch !== undefined && { 'If-Match': input.ifMatch }),
      ...(input.idempotencyKey !== undefined && { 'Idempotency-Key': input.idempotencyKey }),
    },
    ...(input.body !== undefined && { body: input.body }),
  })

/** The operations of the same kind, such as GET of a list: collections share their code. */
const kinds = Object.entries(
  Object.groupBy(operations, ({ method, template }) => {
    const [, segment = '', ...rest] = template.split('/')
    return `${method} /${[segment in everything ? '{collection}' : segment, ...rest].join('/')}`.replace(
      /\{\w+Id\}/,
      '{id}',
    )
  }),
)

test.each(kinds)('%s responds as documented to any request', async (_, ofKind = []) => {
  const requests = fc
    .constantFrom(...ofKind)
    .chain((operation) => fc.tuple(fc.constant(operation), requestFor(operation)))
  await fc.assert(
    fc.asyncProperty(requests, async ([operation, input]) => {
      const headers: Record<string, string> =
        input.by === 'key' ? { 'x-api-key': key } : { Authorization: `Bearer ${token}` }
      const response = await send(input, headers)
      await expectDocumentedResponse(operation, response)
      const location = response.headers.get('Location')
      if (location)
        expect((await organisation.get(location.replace('/api/v1', ''))).status).toBe(200)
    }),
    runs(20),
  )
})
