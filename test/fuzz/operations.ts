import type { Schema } from '@cfworker/json-schema'
import { expect } from 'vitest'
import { resolveResponses, schemaValidator } from '../http/schemas.ts'
import { request } from '../organisation.ts'

/** An operation of the OpenAPI document, with its method and path. */
export type Operation = {
  method: string
  template: string
  parameters: Parameter[]
  requestBody?: object
  responses: Responses
  /** Validates a body against a response schema. */
  faultsOf: ReturnType<typeof schemaValidator>
}

type Responses = Record<string, { content?: Record<string, { schema: Schema }> }>

export type Parameter = {
  name: string
  in: string
  schema: { type: string; format?: string; enum?: string[]; minimum?: number; maximum?: number }
}

type Document = {
  paths: Record<string, Record<string, Omit<Operation, 'method' | 'template' | 'faultsOf'>>>
  components: { responses: Responses }
}

/** Every operation of the served OpenAPI document. */
export async function readOperations(): Promise<Operation[]> {
  const { paths, components } = await (await request('/openapi.json')).json<Document>()
  const faultsOf = schemaValidator(components)
  return Object.entries(paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      responses: resolveResponses(operation.responses, components.responses),
      template,
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
  const { content } = responses[answer.status] ?? {}
  if (!content) return expect(await answer.text()).toBe('')
  const type = answer.headers.get('Content-Type') ?? ''
  expect(types).toContain(type)
  const schema = content[type.replace(/;.*/, '')]?.schema
  const text = new TextDecoder().decode(await answer.arrayBuffer())
  const body = type === 'application/json' ? JSON.parse(text) : text
  if (!schema) throw new Error(`No schema is documented for ${type}.`)
  expect(faultsOf(schema, body)).toEqual([])
}
