import { expect, test } from 'vitest'
import { request } from '../organisation.ts'

type Part = {
  $ref?: string
  description?: string
  examples?: unknown[]
  const?: unknown
  properties?: Record<string, Part>
  items?: Part
  anyOf?: Part[]
}
type Parameter = {
  name: string
  in: string
  description?: string
  example?: unknown
  schema: Part
  'x-addition'?: true
}
type Content = { content?: Record<string, { schema?: Part }> }
type Operation = {
  'x-addition'?: true
  parameters: Parameter[]
  requestBody?: Content
  responses: Record<string, Content>
}
type Operations = Record<string, Record<string, Operation>>
type Document = {
  paths: Operations
  webhooks: Operations
  components: { schemas: Record<string, Part> }
}

const { paths, webhooks, components } = await (await request('/openapi.json')).json<Document>()
const operations = Object.entries({ ...paths, ...webhooks }).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => [`${method} ${path}`, operation] as const),
)

/** Every property within a type, by its place. */
function* propertiesOf(
  path: string,
  { properties = {}, items, anyOf = [] }: Part,
): Iterable<[string, string, Part]> {
  for (const [name, part] of Object.entries(properties)) {
    yield [`${path}.${name}`, name, part]
    yield* propertiesOf(`${path}.${name}`, part)
  }
  for (const part of [...anyOf, ...(items ? [items] : [])]) yield* propertiesOf(path, part)
}

const letters = (text: string) => text.toLowerCase().replaceAll(/[^a-z]/g, '')

/** The missing parts of the documentation of `name`. */
function missing(name: string, { description = '', examples, ...part }: Part): string[] {
  const isMade = (one: Part): boolean =>
    one.$ref !== undefined ||
    one.properties !== undefined ||
    (one.items !== undefined && isMade(one.items)) ||
    (one.anyOf?.every(isMade) ?? false)
  const words = letters(description.replace(/^(the|a|an) /i, ''))
  return [
    ...(description.split(' ').length < 3 || words === letters(name) ? ['description'] : []),
    // A composed schema shows the examples of its properties.
    ...(isMade(part) || part.const !== undefined || (examples ?? []).length > 0 ? [] : ['example']),
  ]
}

test('every property has a description that says more than its name, and an example', () => {
  const bodies = operations.flatMap(([name, { requestBody, responses }]) =>
    [requestBody, ...Object.values(responses)].flatMap((part) =>
      Object.values(part?.content ?? {}).map(({ schema = {} }) => [name, schema] as const),
    ),
  )
  const all = [...Object.entries(components.schemas), ...bodies].flatMap(([name, part]) => [
    ...propertiesOf(name, part),
  ])
  expect(all.length).toBeGreaterThan(900)
  const errors = all.flatMap(([path, name, part]) =>
    missing(name, part).map((part) => `${path}: ${part}`),
  )
  expect([...new Set(errors)]).toEqual([])
})

test('every parameter has a description that says more than its name, and an example', () => {
  const errors = operations.flatMap(([path, { parameters }]) =>
    parameters.flatMap(({ name, description, example, schema }) => {
      const examples = example === undefined ? schema.examples : [example]
      return missing(name, { ...schema, description, examples }).map(
        (part) => `${path} ${name}: ${part}`,
      )
    }),
  )
  expect(errors).toEqual([])
})

test('what says nothing is found', () => {
  expect(missing('capacityTotal', {})).toEqual(['description', 'example'])
  expect(missing('capacityTotal', { description: 'The capacity total.', examples: [1] })).toEqual([
    'description',
  ])
  expect(missing('tags', { description: 'What it is grouped by.', items: {} })).toEqual(['example'])
})

test('operations and parameters outside the contract are marked', () => {
  const unmarked = operations.filter(([, operation]) => !operation['x-addition'])
  const contractMethods = unmarked.map(([name]) => name.split(' ')[0])
  expect(contractMethods.filter((method) => method !== 'get')).toEqual(['post'])
  expect(unmarked.map(([name]) => name).filter((name) => name.includes('$'))).toEqual([])
  const additions = operations.flatMap(([, { parameters }]) =>
    parameters.filter(({ name }) => name.startsWith('$')),
  )
  expect(additions.length).toBeGreaterThan(50)
  expect(additions.filter((parameter) => !parameter['x-addition'])).toEqual([])
})
