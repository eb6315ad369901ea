import * as z from 'zod'

export type JsonSchema = z.core.JSONSchema.BaseSchema

/** The JSON Schema of `type`; the named types within it are moved to the document's components. */
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
      // Zod leaves out those of a type that converts what comes in: ours are of that.
      const examples = findExamples(zodSchema)
      if (examples) jsonSchema.examples = examples
      if (io === 'output') delete jsonSchema.default
      // `id` names a component here, and would move the base of references inside it.
      delete jsonSchema.id
      if (jsonSchema.type === 'integer') jsonSchema.format = 'int64'
      // A format says it better than Zod's pattern of 300 characters.
      if (jsonSchema.format) delete jsonSchema.pattern
    },
  })
  // What may be left out of a request is there in every answer: a component of its own.
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

/** The examples of a type, or of the one that it makes optional. */
function findExamples(type: z.core.$ZodType): unknown[] | undefined {
  const examples = z.globalRegistry.get(type)?.examples
  if (Array.isArray(examples)) return examples
  return type instanceof z.ZodOptional ? findExamples(type.unwrap()) : undefined
}
