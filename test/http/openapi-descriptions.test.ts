import { expect, test } from 'vitest'
import { readDocument, type Schema } from './openapi-document.ts'

const { paths, webhooks, components } = await readDocument()
const operations = Object.entries({ ...paths, ...webhooks }).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => [`${method} ${path}`, operation] as const),
)

/** Every property within a type, by its place. */
function* propertiesOf(
  path: string,
  { properties = {}, items, anyOf = [], examples = [] }: Schema,
): Iterable<[string, string, Schema]> {
  const [example] = examples
  for (const [name, part] of Object.entries(properties)) {
    // The example of a record shows its properties.
    const value = Object(example)[name]
    const documented = value === undefined ? part : { examples: [value], ...part }
    yield [`${path}.${name}`, name, documented]
    yield* propertiesOf(`${path}.${name}`, documented)
  }
  for (const part of [...anyOf, ...(items ? [{ examples: [Object(example)[0]], ...items }] : [])])
    yield* propertiesOf(path, part)
}

const componentOf = ({ $ref = '' }: Schema) => components.schemas[$ref.split('/').at(-1) ?? '']

const isValue = ({ properties, anyOf }: Schema) => !properties && !anyOf

const letters = (text: string) => text.toLowerCase().replaceAll(/[^a-z]/g, '')

/** The missing parts of the documentation of `name`, which can be in the component it refers to. */
function missing(name: string, { examples, ...part }: Schema): string[] {
  const { description = '' } = { ...componentOf(part), ...part }
  const isMade = (one: Schema): boolean =>
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
  const values = Object.entries(components.schemas).filter(([, part]) => isValue(part))
  const all = [
    ...values.map(([name, part]) => [name, name, part] as const),
    ...[...Object.entries(components.schemas), ...bodies].flatMap(([name, part]) => [
      ...propertiesOf(name, part),
    ]),
  ]
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
      return missing(name, { ...schema, ...(description && { description }), examples }).map(
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
