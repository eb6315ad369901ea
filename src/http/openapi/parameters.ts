import * as z from 'zod'
import { compileRecord } from '../../model/properties/compile.ts'
import { type StoredForm, valueTypes } from '../../model/properties/value-types.ts'
import { addition, type Contract, type QueryContract } from '../contract.ts'
import { type JsonSchema, toJsonSchema } from './json-schema.ts'

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
  ...buildFilters(query, schemas),
  ...Object.entries({
    ...headers?.shape,
    ...(isConditional && conditionalHeaders.shape),
  }).map(([name, type]) => ({ name, in: 'header', ...buildSchema(type, schemas) })),
]

/** A parameter's schema, with its description and mark outside it. */
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

/** A parameter for each property of a list's records that the contract does not name. */
const buildFilters = (
  { filteredRecord, parameters }: QueryContract,
  schemas: Record<string, JsonSchema>,
) =>
  filteredRecord
    ? compileRecord(filteredRecord())
        .leaves.filter(({ name }) => !Object.hasOwn(parameters.shape, name))
        .flatMap(({ name, type }) => {
          const filter = filterTypes[valueTypes[type].stored]
          return filter
            ? [{ name, in: 'query', schema: toJsonSchema(filter, 'parameter', schemas) }]
            : []
        })
    : []

const filterType = (id: string, type: z.ZodType, description: string, example: unknown) =>
  type.meta({ id, description, examples: [example] })

const textFilter = filterType(
  'TextFilter',
  z.string(),
  'Only records where the property is exactly this text.',
  'Holbeck Hall',
)

/** The types of filters by the stored form of the property. */
const filterTypes: Readonly<Record<StoredForm, z.ZodType | undefined>> = {
  text: textFilter,
  any: textFilter,
  texts: filterType(
    'ListFilter',
    z.string(),
    'Only records where an element of the list is exactly this text.',
    'Food',
  ),
  number: filterType(
    'NumberFilter',
    z.number(),
    'Only records where the property is this number.',
    40,
  ),
  boolean: filterType(
    'BooleanFilter',
    z.boolean(),
    'Only records where the property is true, or false.',
    true,
  ),
  date: filterType(
    'DateFilter',
    z.iso.date(),
    'Only records where the property is this date.',
    '2026-06-20',
  ),
  time: filterType(
    'TimeFilter',
    z.iso.datetime(),
    'Only records where the property is this time, in UTC with milliseconds.',
    '2026-06-20T10:00:00.000Z',
  ),
  // No query can name a list of objects.
  objects: undefined,
}
