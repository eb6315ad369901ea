import type { RouterRoute } from 'hono/types'
import { collectionTitle } from '../../model/collection.ts'
import { loadContract } from '../contract.ts'
import { buildErrorResponses } from './error-responses.ts'
import { headers } from './headers.ts'
import type { JsonSchema } from './json-schema.ts'
import { buildOperation } from './operation.ts'
import { addRecordExamples, shareSummaries } from './record-types.ts'
import { emptyResponses } from './responses.ts'
import { shareRepeatedParts } from './shared-parts.ts'

/** The address of an operation. */
type Endpoint = { template: string; method: string; tag: string }

type Route = Pick<RouterRoute, 'path' | 'method' | 'handler'>

/** The descriptions of the tags that are not collections. */
const tagDescriptions: Readonly<Record<string, string>> = {
  me: 'The credential of a request.',
  versions: 'The previous versions of records.',
  summaries: 'Numbers of groups of records.',
}

/** Builds the OpenAPI 3.1 document from `webhooks` and from the contracts of the routes below `root`. */
export async function buildOpenApiDocument(
  routes: readonly Route[],
  root: string,
  webhooks: object,
) {
  const schemas: Record<string, JsonSchema> = {}
  const operations: (Awaited<ReturnType<typeof buildOperation>> & Endpoint)[] = []
  for (const { path, method, handler } of routes) {
    const contract = await loadContract(handler)
    if (!contract) continue
    const ownTemplate = path.slice(root.length).replaceAll(/:(\w+)/g, '{$1}')
    const template = contract.sharedTag ? toSharedTemplate(ownTemplate) : ownTemplate
    // Each collection has this route; the first describes it for all.
    if (contract.sharedTag && operations.some((other) => other.template === template)) continue
    const tag = contract.sharedTag ?? template.split('/')[1] ?? ''
    operations.push({
      template,
      method: method.toLowerCase(),
      tag,
      ...(await buildOperation(contract, schemas)),
    })
  }
  const shared = shareRepeatedParts(operations)
  const errors = buildErrorResponses(schemas)
  shareSummaries(schemas)
  addRecordExamples(schemas)
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
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({
      name,
      description: tagDescriptions[name] ?? `The organisation's ${collectionTitle(name)}.`,
    })),
    paths: groupByPath(shared.operations),
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
      parameters: shared.components.parameters,
      headers,
      requestBodies: shared.components.requestBodies,
      responses: { ...errors, ...emptyResponses, ...shared.components.responses },
      schemas,
    },
  }
}

/** `/{collection}/{id}/$versions` for `/events/{eventId}/$versions`, and `/{collection}/$summary` for `/events/$summary`. */
const toSharedTemplate = (template: string) =>
  template.replace(/^\/[^/]+/, '/{collection}').replace(/\/\{\w+Id\}/, '/{id}')

/** The path items. A parameter of every method of a path is listed once, for the path. */
function groupByPath(operations: readonly (Endpoint & { parameters: readonly object[] })[]) {
  const byPath = Map.groupBy(operations, ({ template }) => template)
  return Object.fromEntries(
    [...byPath].map(([template, methods]) => {
      const parameterSets = methods.map(
        ({ parameters }) => new Set(parameters.map((parameter) => JSON.stringify(parameter))),
      )
      const isCommon = (parameter: object) =>
        parameterSets.every((parameters) => parameters.has(JSON.stringify(parameter)))
      return [
        template,
        {
          ...listParameters(methods[0]?.parameters.filter(isCommon)),
          ...Object.fromEntries(
            methods.map(({ method, template, tag, parameters, ...operation }) => [
              method,
              {
                tags: [tag],
                ...operation,
                ...listParameters(parameters.filter((parameter) => !isCommon(parameter))),
              },
            ]),
          ),
        },
      ]
    }),
  )
}

const listParameters = (parameters: readonly object[] = []) =>
  parameters.length > 0 ? { parameters } : {}
