import type { Operation } from './operation.ts'
import type { BodyDescription } from './responses.ts'

type Section = 'parameters' | 'requestBodies' | 'responses'

/** A part of an operation, with names for its component in order of preference. */
type Part = { section: Section; names: readonly string[]; value: object }

/**
 * Moves parameters, bodies and responses that operations repeat to components, and replaces them by
 * references. A component is named after its parameter, its schema or the first operation with it.
 */
export function shareRepeatedParts<Full extends Operation>(operations: readonly Full[]) {
  const uses = new Map<string, number>()
  for (const operation of operations) {
    replaceParts(operation, ({ value }) => {
      const text = JSON.stringify(value)
      uses.set(text, (uses.get(text) ?? 0) + 1)
      return value
    })
  }
  const components: Record<Section, Record<string, object>> = {
    parameters: {},
    requestBodies: {},
    responses: {},
  }
  const references = new Map<string, object>()
  const share = ({ section, names, value }: Part): object => {
    const text = JSON.stringify(value)
    if ('$ref' in value || uses.get(text) === 1) return value
    const known = references.get(text)
    if (known) return known
    const name = names.find((name) => !Object.hasOwn(components[section], name))
    if (name === undefined) throw new RangeError(`No name is left of ${names.join(', ')}.`)
    components[section][name] = value
    const reference = { $ref: `#/components/${section}/${name}` }
    references.set(text, reference)
    return reference
  }
  return { operations: operations.map((operation) => replaceParts(operation, share)), components }
}

function replaceParts<Full extends Operation>(operation: Full, replace: (part: Part) => object) {
  const { operationId, parameters, requestBody, responses } = operation
  return {
    ...operation,
    parameters: parameters.map((value) => {
      const name = value.name.replace('$', '')
      return replace({ section: 'parameters', names: [name, `${operationId}.${name}`], value })
    }),
    ...(requestBody && {
      requestBody: replace({
        section: 'requestBodies',
        names: [schemaName(requestBody) ?? operationId],
        value: requestBody,
      }),
    }),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, value]) => [
        status,
        replace({
          section: 'responses',
          names: [schemaName(value) ?? operationId, `${operationId}${status}`],
          value,
        }),
      ]),
    ),
  }
}

function schemaName({ content = {} }: BodyDescription) {
  const [{ schema } = {}] = Object.values(content)
  return schema?.$ref?.split('/').at(-1)
}
