import { expect, test } from 'vitest'
import { buildExample } from '../../src/http/openapi/json-schema.ts'
import { type Content, readDocument } from './openapi-document.ts'
import { schemaValidator } from './schemas.ts'

const { paths, components } = await readDocument()
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => [`${method} ${path}`, operation] as const),
)

const errors = schemaValidator(components)
const faultsOf = ({ schema, example }: Content[string]) => errors(schema, example)

test.each(operations)('%s has examples that fit its schemas', (_, operation) => {
  const { parameters, requestBody, responses } = operation
  const contents = [requestBody, ...Object.values(responses)].flatMap((part) =>
    Object.values(part?.content ?? {}),
  )
  for (const content of contents) {
    expect(
      faultsOf({ example: buildExample(content.schema, components.schemas), ...content }),
    ).toEqual([])
  }
  for (const { in: location, example, name, schema } of parameters) {
    if (location === 'path') expect(example).toMatch(/./)
    for (const value of schema.examples ?? [])
      expect([name, value, errors(schema, value)]).toEqual([name, value, []])
  }
})

test.each(operations)('%s says what it does, where it belongs and how it fails', (_, operation) => {
  const { summary, description, tags, responses } = operation
  expect(summary).not.toBe('')
  expect(description).not.toBe('')
  expect(tags).toHaveLength(1)
  for (const [status, { description, content }] of Object.entries(responses)) {
    expect(description).not.toBe('')
    if (Number(status) < 400) continue
    expect(content?.['application/json']?.example).toEqual({
      type: expect.stringMatching(/^[A-Z_]+$/),
      message: description,
    })
  }
})

test('an example that does not fit is found', () => {
  expect(faultsOf({ schema: { type: 'integer' }, example: 'one' })).not.toEqual([])
})
