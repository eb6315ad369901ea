import { expect } from 'vitest'
import { type Operation as Documented, readDocument } from '../http/openapi-document.ts'
import { schemaValidator } from '../http/schemas.ts'

/** An operation of the OpenAPI document, with its method and path. */
export type Operation = Documented & {
  method: string
  template: string
  /** Validates a body against a response schema. */
  faultsOf: ReturnType<typeof schemaValidator>
}

/** Every operation of the served OpenAPI document. */
export async function readOperations(): Promise<Operation[]> {
  const { paths, components } = await readDocument()
  const faultsOf = schemaValidator(components)
  return Object.entries(paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      template: template.replace('{collection}', 'events').replace('{id}', '{eventId}'),
      faultsOf,
      method: method.toUpperCase(),
    })),
  )
}

const types = [
  'application/json',
  'text/csv; charset=utf-8; header=present',
  'application/x-ndjson',
  'application/zip',
]

/** The headers of any HTTP response, and the ones that only browsers and operators read. */
const commonHeaders = [
  ...['Allow', 'Cache-Control', 'Content-Length', 'Content-Type', 'Server-Timing'],
  ...['Content-Security-Policy', 'Strict-Transport-Security', 'Vary', 'X-Content-Type-Options'],
  'X-Request-Id',
]

/** Expects a response that the document describes. */
export async function expectDocumentedResponse(
  { responses, faultsOf }: Operation,
  answer: Response,
) {
  expect(answer.status).toBeLessThan(500)
  expect(Object.keys(responses)).toContain(`${answer.status}`)
  expect(answer.headers.get('Cache-Control')).toBe(
    answer.headers.has('ETag') ? 'private, no-cache' : 'private, no-store',
  )
  expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff')
  expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  const { content, headers = {} } = responses[answer.status] ?? {}
  const names = new Set([...Object.keys(headers), ...commonHeaders].map((it) => it.toLowerCase()))
  expect([...answer.headers.keys()].filter((name) => !names.has(name))).toEqual([])
  if (!content) return expect(await answer.text()).toBe('')
  const type = answer.headers.get('Content-Type') ?? ''
  expect(types).toContain(type)
  const schema = content[type.replace(/;.*/, '')]?.schema
  const text = new TextDecoder().decode(await answer.arrayBuffer())
  const body = type === 'application/json' ? JSON.parse(text) : text
  if (!schema) throw new Error(`No schema is documented for ${type}.`)
  expect(faultsOf(schema, body)).toEqual([])
}
