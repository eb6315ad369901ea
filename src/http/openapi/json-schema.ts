import * as z from 'zod'
import { isObject } from '../../model/json.ts'

export type JsonSchema = z.core.JSONSchema.BaseSchema

const anyName = '{"type":"string"}'

/** Returns the JSON Schema of a type in requests, responses or parameters, and moves its named types to `components`. */
export function toJsonSchema(
  type: z.core.$ZodType,
  use: 'input' | 'output' | 'parameter',
  components: Record<string, JsonSchema>,
): JsonSchema {
  const io = use === 'output' ? 'output' : 'input'
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
      // Generators of clients take a property with a default for a required one.
      if (use !== 'parameter') delete jsonSchema.default
      // `id` names a component; in JSON Schema it would change the base of its references.
      delete jsonSchema.id
      if (jsonSchema.type === 'integer') jsonSchema.format = 'int64'
      // In JSON, every name is a text.
      if (JSON.stringify(jsonSchema.propertyNames) === anyName) delete jsonSchema.propertyNames
      // The format makes Zod's pattern of 300 characters redundant.
      if (jsonSchema.format) delete jsonSchema.pattern
      mergeNull(jsonSchema)
    },
  })
  // Request and response types differ in their optional properties, so each has a component.
  const inputName = (name: string) =>
    use === 'input' && !name.endsWith('Input') ? `${name}Input` : name
  const moveReferences = (part: unknown) =>
    JSON.parse(
      JSON.stringify(part, withoutInheritedExamples).replaceAll(
        /"#\/\$defs\/([^"]+)"/g,
        (_, name) => `"#/components/schemas/${inputName(name)}"`,
      ),
    )
  for (const [name, definition] of Object.entries($defs))
    addComponent(components, inputName(name), moveReferences(definition))
  return moveReferences(schema)
}

/** Removes the examples of a reference, which are those of its type. */
function withoutInheritedExamples(_: string, part: unknown) {
  if (!isObject(part) || part.$ref === undefined) return part
  const { examples, ...reference } = part
  return reference
}

/** Adds a type under its name. Throws if the name belongs to a different type. */
function addComponent(components: Record<string, JsonSchema>, name: string, schema: JsonSchema) {
  const known = components[name]
  if (known && JSON.stringify(known) !== JSON.stringify(schema))
    throw new RangeError(`Two types have the name ${name}.`)
  components[name] = schema
}

/** Replaces a choice between a formatted text and null by one schema. */
function mergeNull(schema: JsonSchema) {
  const [value, empty] = schema.anyOf ?? []
  if (!isObject(value) || !value.format || !isObject(empty) || empty.type !== 'null') return
  delete schema.anyOf
  // OpenAPI 3.1 allows lists of types, Zod's type of a schema does not.
  Object.assign(schema, value, { type: [value.type, 'null'] })
}

function findExamples(type: z.core.$ZodType): unknown[] | undefined {
  const examples = z.globalRegistry.get(type)?.examples
  if (Array.isArray(examples)) return examples
  return type instanceof z.ZodOptional ? findExamples(type.unwrap()) : undefined
}

/** Whether responses have a property only on request. */
export const isOnRequest = (property: string) => property.startsWith('$')

/** Builds an example of a schema from the examples of its parts. */
export function buildExample(schema: JsonSchema, components: Record<string, JsonSchema>): unknown {
  const { $ref, examples, anyOf, allOf = [], items, properties } = schema
  if ($ref) return buildExample(dereference(schema, components), components)
  if (examples) return examples[0]
  if (schema.const !== undefined) return schema.const
  if (anyOf) return buildExample(anyOf[0] as JsonSchema, components)
  if (items) return [buildExample(items as JsonSchema, components)]
  const values = Object.entries((properties ?? {}) as Record<string, JsonSchema>)
    .filter(([name]) => !isOnRequest(name))
    .filter(([, property]) => !('x-addition' in dereference(property, components)))
    .map(([name, property]) => [name, buildExample(property, components)])
  const parts = allOf.map((part) => buildExample(part as JsonSchema, components))
  return Object.assign({}, ...parts, Object.fromEntries(values))
}

const dereference = (schema: JsonSchema, components: Record<string, JsonSchema>): JsonSchema =>
  (schema.$ref && components[schema.$ref.split('/').at(-1) ?? '']) || schema
