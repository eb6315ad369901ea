import type { JsonSchema } from './json-schema.ts'

/** Builds an example of a schema from the examples of its parts. */
export function buildExample(schema: JsonSchema, components: Record<string, JsonSchema>): unknown {
  const { $ref, examples, anyOf, items, properties } = schema
  if ($ref) return buildExample(components[$ref.split('/').at(-1) ?? ''] ?? {}, components)
  if (examples) return examples[0]
  if (schema.const !== undefined) return schema.const
  if (anyOf) return buildExample(anyOf[0] as JsonSchema, components)
  if (items) return [buildExample(items as JsonSchema, components)]
  // Properties that begin with $ appear only on request.
  const values = Object.entries(properties ?? {})
    .filter(([property]) => !property.startsWith('$'))
    .map(([property, value]) => [property, buildExample(value as JsonSchema, components)])
  return Object.fromEntries(values)
}
