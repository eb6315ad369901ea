import type { JsonSchema } from './json-schema.ts'

/** An invented value that fits a schema, made of the examples of its parts. */
export function buildExample(schema: JsonSchema, components: Record<string, JsonSchema>): unknown {
  const { $ref, examples, anyOf, items, properties } = schema
  if ($ref) return buildExample(components[$ref.split('/').at(-1) ?? ''] ?? {}, components)
  if (examples) return examples[0]
  if (schema.const !== undefined) return schema.const
  if (anyOf) return buildExample(anyOf[0] as JsonSchema, components)
  if (items) return [buildExample(items as JsonSchema, components)]
  // What begins with $ is only there when it is asked for.
  const values = Object.entries(properties ?? {})
    .filter(([property]) => !property.startsWith('$'))
    .map(([property, value]) => [property, buildExample(value as JsonSchema, components)])
  return Object.fromEntries(values)
}
