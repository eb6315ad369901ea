import * as z from 'zod'

export type JsonSchema = z.core.JSONSchema.BaseSchema

/** Returns the JSON Schema of `type` and moves its named types to `components`. */
export function toJsonSchema(
  type: z.core.$ZodType,
  io: 'input' | 'output',
  components: Record<string, JsonSchema>,
): JsonSchema {
  const {
    $schema,
    $defs = {},
    ...schema
  } = z.toJSONSchema(type, {
    io,
    override: ({ zodSchema, jsonSchema }) => {
      // Zod drops the examples of types with a transform.
      const examples = findExamples(zodSchema)
      if (examples) jsonSchema.examples = examples
      if (io === 'output') delete jsonSchema.default
      // `id` names a component; in JSON Schema it would change the base of its references.
      delete jsonSchema.id
      if (jsonSchema.type === 'integer') jsonSchema.format = 'int64'
      // The format makes Zod's pattern of 300 characters redundant.
      if (jsonSchema.format) delete jsonSchema.pattern
    },
  })
  // Request and response types differ in their optional properties, so each has a component.
  const inputName = (name: string) =>
    io === 'input' && !name.endsWith('Input') ? `${name}Input` : name
  const moveReferences = (part: unknown) =>
    JSON.parse(
      JSON.stringify(part).replaceAll(
        /"#\/\$defs\/([^"]+)"/g,
        (_, name) => `"#/components/schemas/${inputName(name)}"`,
      ),
    )
  for (const [name, definition] of Object.entries($defs))
    components[inputName(name)] = moveReferences(definition)
  return moveReferences(schema)
}

/** Returns the examples of a type, or of the type inside an optional. */
function findExamples(type: z.core.$ZodType): unknown[] | undefined {
  const examples = z.globalRegistry.get(type)?.examples
  if (Array.isArray(examples)) return examples
  return type instanceof z.ZodOptional ? findExamples(type.unwrap()) : undefined
}

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
