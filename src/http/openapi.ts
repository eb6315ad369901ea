import type { RouterRoute } from 'hono/types'
import * as z from 'zod'
import { collectionTitle } from '../model/collection.ts'
import { addition, type Contract, loadContract, type QueryContract } from './contract.ts'
import { ErrorBody } from './error-bodies.ts'
import { buildErrorResponses, rateLimitHeaders, referToError } from './error-responses.ts'
import { buildExample, type JsonSchema, toJsonSchema } from './json-schema.ts'

type Route = Pick<RouterRoute, 'path' | 'method' | 'handler'>

const commonErrors = {
  400: ErrorBody,
  401: ErrorBody,
  403: ErrorBody,
  429: ErrorBody,
  500: ErrorBody,
  503: ErrorBody,
}

/** The descriptions of tags that are not the name of records. */
const tagDescriptions: Readonly<Record<string, string>> = { me: 'The credential of a request.' }

/** Builds the OpenAPI 3.1 document from `webhooks` and from the contracts of the routes below `root`. */
export async function buildOpenApiDocument(
  routes: readonly Route[],
  root: string,
  webhooks: object,
) {
  const schemas: Record<string, JsonSchema> = {}
  const paths: Record<string, Record<string, unknown>> = {}
  const tags = new Set<string>()
  for (const { path, method, handler } of routes) {
    const contract = await loadContract(handler)
    if (!contract) continue
    const template = path.slice(root.length).replaceAll(/:(\w+)/g, '{$1}')
    const tag = template.split('/')[1] ?? ''
    tags.add(tag)
    paths[template] = {
      ...paths[template],
      [method.toLowerCase()]: {
        tags: [tag],
        ...buildOperation(contract, template, method, schemas),
      },
    }
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Organisation Data Platform API',
      version: '1.0.0',
      description: `One organisation's members, volunteers, partners, events, bookings, forms, survey responses, case notes, funds, grant applications, disbursements and schemas, as JSON.

The areas of postcodes come from the ONS Postcode Directory, under the Open Government Licence v3.0, if the operator has loaded it. Contains OS data © Crown copyright and database right. Contains Royal Mail data © Royal Mail copyright and database right. Source: Office for National Statistics. Repeat this notice, with the year of the edition, wherever you publish them.`,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: root }],
    security: [{ apiKey: [] }, { bearer: [] }],
    tags: [...tags].map((name) => ({
      name,
      description: tagDescriptions[name] ?? `The organisation's ${collectionTitle(name)}.`,
    })),
    paths,
    webhooks,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-api-key',
          description: 'A key of the organisation, `sk_…`.',
        },
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description:
            "A token of the organisation's identity provider, verified as RFC8725 recommends; the request then names the organisation in `organisationId`.",
        },
      },
      responses: buildErrorResponses(schemas),
      schemas,
    },
  }
}

function buildOperation(
  contract: Contract,
  template: string,
  method: string,
  schemas: Record<string, JsonSchema>,
) {
  const { summary, description, isAddition, isConditional, path = {}, query, input } = contract
  const headers = { ...contract.headers?.shape, ...(isConditional && conditionalHeaders.shape) }
  const body = input?.type ?? contract.body
  const types = input?.mediaTypes ?? ['application/json']
  const bodies = contract.file ?? (body && Object.fromEntries(types.map((type) => [type, body])))
  const responses = Object.entries({
    ...contract.responses(),
    ...(isConditional && { 304: null }),
    ...commonErrors,
  })
  return {
    operationId: buildOperationId(method, template),
    summary,
    description,
    ...(isAddition && addition),
    parameters: [
      ...Object.entries(path).map(([name, documentation]) => ({
        name,
        in: 'path',
        required: true,
        schema: { type: 'string' },
        ...documentation,
      })),
      ...Object.entries(query.parameters.shape).map(([name, type]) => {
        const {
          description,
          'x-addition': isMarked,
          ...schema
        } = toJsonSchema(type, 'input', schemas)
        const isRequired = !z.safeParse(type, undefined).success
        return {
          name,
          in: 'query',
          ...(isRequired && { required: true }),
          ...(description && { description }),
          ...((isMarked || name.startsWith('$')) && addition),
          schema,
        }
      }),
      ...(query.otherParameters ? [buildOtherParameters(query.otherParameters)] : []),
      ...Object.entries(headers).map(([name, type]) => {
        const { description, ...schema } = toJsonSchema(type, 'input', schemas)
        return { name, in: 'header', ...(description && { description }), schema }
      }),
    ],
    ...(bodies && {
      requestBody: {
        required: true,
        content: Object.fromEntries(
          Object.entries(bodies).map(([type, body]) => [
            type,
            addExample(toJsonSchema(body, 'input', schemas), schemas),
          ]),
        ),
      },
    }),
    responses: Object.fromEntries(
      responses.map(([status, type]) => [
        status,
        type === ErrorBody
          ? referToError(Number(status))
          : {
              description: status === '304' ? 'The response still has this `ETag`.' : summary,
              headers: { ...rateLimitHeaders, ...(isConditional && etagHeader) },
              ...(type && {
                content: {
                  'application/json': addExample(toJsonSchema(type, 'output', schemas), schemas),
                  ...(status === '200' && buildOtherFormats(contract.otherFormats)),
                },
              }),
            },
      ]),
    ),
  }
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

const etagHeader = {
  ETag: {
    description: 'Identifies the response, for `If-None-Match`.',
    ...addition,
    schema: { type: 'string' },
  },
}

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

const buildOtherFormats = (examples: Contract['otherFormats'] = {}) =>
  Object.fromEntries(
    Object.entries(examples).map(([type, example]) => [
      type,
      { schema: { type: 'string' }, example },
    ]),
  )

const addExample = (schema: JsonSchema, schemas: Record<string, JsonSchema>) => ({
  schema,
  example: buildExample(schema, schemas),
})

const buildOperationId = (method: string, template: string) =>
  [method.toLowerCase(), ...template.split(/\W+/).filter(Boolean)]
    .map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join('')
