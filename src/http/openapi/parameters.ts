import * as z from 'zod'
import { type StoredForm, valueTypes } from '../../model/value-types.ts'
import type { Contract } from '../contract.ts'
import { type Parameters, textParameter } from '../parameters.ts'
import type { QueryContract } from '../query.ts'
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
  ...Object.entries(query.parameters).map(([name, parameter]) => ({
    name,
    in: 'query',
    ...describe({ ...parameter, isAddition: parameter.isAddition || name.startsWith('$') }),
  })),
  ...buildFilters(query, schemas),
  ...Object.entries({
    ...headers,
    ...(isConditional && conditionalHeaders),
  }).map(([name, parameter]) => ({ name, in: 'header', ...describe(parameter) })),
]

const describe = ({ absent, description, isAddition, schema }: Parameters[string]) => ({
  ...('errors' in absent && { required: true }),
  description,
  ...(isAddition && { 'x-addition': true }),
  schema,
})

const conditionalHeaders = {
  'If-None-Match': textParameter({
    description:
      'The `ETag` of an earlier response, or several separated by commas. The answer is 304 without a body if the response still has it.',
    example: 'W/"4711-0f3a5c7e9b1d2f4a6c8e0b1d"',
    isAddition: true,
  }),
}

/** A parameter for each property of a list's records that the contract does not name. */
const buildFilters = (
  { filteredProperties = () => [], parameters }: QueryContract,
  schemas: Record<string, JsonSchema>,
) =>
  filteredProperties()
    .filter(({ name }) => !Object.hasOwn(parameters, name))
    .flatMap(({ name, type }) => {
      const filter = filterTypes[valueTypes[type].stored]
      return filter
        ? [{ name, in: 'query', schema: toJsonSchema(filter, 'parameter', schemas) }]
        : []
    })

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
