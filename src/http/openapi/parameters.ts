import * as z from 'zod'
import { addition, type Contract, type QueryContract } from '../contract.ts'
import { type JsonSchema, toJsonSchema } from './json-schema.ts'

/** Returns the parameters of an operation: path, query, field filters, headers. */
export const buildParameters = (
  { path = {}, query, headers, isConditional }: Contract,
  schemas: Record<string, JsonSchema>,
) => [
  ...Object.entries(path).map(([name, documentation]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
    ...documentation,
  })),
  ...Object.entries(query.parameters.shape).map(([name, type]) => ({
    name,
    in: 'query',
    ...(!z.safeParse(type, undefined).success && { required: true }),
    ...buildSchema(type, schemas, name.startsWith('$')),
  })),
  ...(query.otherParameters ? [buildOtherParameters(query.otherParameters)] : []),
  ...Object.entries({
    ...headers?.shape,
    ...(isConditional && conditionalHeaders.shape),
  }).map(([name, type]) => ({ name, in: 'header', ...buildSchema(type, schemas) })),
]

/** Returns a parameter's schema, with its description and mark outside it. */
function buildSchema(type: z.ZodType, schemas: Record<string, JsonSchema>, isAddition = false) {
  const {
    description,
    'x-addition': isMarked,
    ...schema
  } = toJsonSchema(type, 'parameter', schemas)
  return { ...(description && { description }), ...((isMarked || isAddition) && addition), schema }
}

const conditionalHeaders = z.object({
  'If-None-Match': z
    .string()
    .optional()
    .meta({
      description:
        'The `ETag` of an earlier response, or several separated by commas. The answer is 304 without a body if the response still has it.',
      ...addition,
      examples: ['W/"4711-0f3a5c7e9b1d2f4a6c8e0b1d"'],
    }),
})

/** Documents parameters of any name as the properties of an exploded object. */
const buildOtherParameters = ({
  description,
  example,
}: NonNullable<QueryContract['otherParameters']>) => ({
  name: 'filters',
  in: 'query',
  style: 'form',
  explode: true,
  description: `${description} For example \`${JSON.stringify(example)}\`.`,
  schema: {
    type: 'object',
    additionalProperties: { type: 'string' },
    default: {},
    examples: [example],
  },
})
