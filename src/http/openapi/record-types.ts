import { isObject } from '../../model/json.ts'
import { buildExample, isOnRequest, type JsonSchema } from './json-schema.ts'

/**
 * Moves the properties that a type shares with the type of its list's records to a common type, such
 * as `FundSummary` for `Fund` and `FundListItem`.
 */
export function shareSummaries(components: Record<string, JsonSchema>): void {
  for (const [itemName, item] of Object.entries(components)) {
    const [, recordName = ''] = /^(\w+)ListItem$/.exec(itemName) ?? []
    const record = components[recordName]
    if (!record) continue
    const isShared = (property: string) => toText(item, property) === toText(record, property)
    const summaryName = `${recordName}Summary`
    const extendSummary = (schema: JsonSchema): JsonSchema => ({
      allOf: [{ $ref: `#/components/schemas/${summaryName}` }],
      ...pick(schema, (property) => !isShared(property)),
      unevaluatedProperties: false,
    })
    components[summaryName] = pick(item, isShared)
    components[recordName] = extendSummary(record)
    components[itemName] = extendSummary(item)
  }
}

const toText = ({ properties = {} }: JsonSchema, property: string) =>
  JSON.stringify(properties[property])

function pick(
  { properties = {}, required = [] }: JsonSchema,
  isPicked: (property: string) => boolean,
): JsonSchema {
  const entries = Object.entries(properties).filter(([property]) => isPicked(property))
  return {
    type: 'object',
    properties: Object.fromEntries(entries),
    required: required.filter(isPicked),
  }
}

/**
 * Replaces the examples of properties by one of the record, in types with properties that appear only
 * on request: tools would build an example with all of them.
 */
export function addRecordExamples(components: Record<string, JsonSchema>): void {
  for (const [name, schema] of Object.entries(components)) {
    if (!Object.keys(schema.properties ?? {}).some(isOnRequest)) continue
    const example = buildExample(schema, components)
    components[name] = { ...removeExamples(schema), examples: [example] }
  }
}

function removeExamples({ examples, ...schema }: JsonSchema): JsonSchema {
  const { properties, items } = schema
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, part]) => [
          name,
          isObject(part) ? removeExamples(part) : part,
        ]),
      ),
    }),
    ...(isObject(items) && { items: removeExamples(items) }),
  }
}
