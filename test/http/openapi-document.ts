import { request } from '../organisation.ts'

/** The parts of a JSON Schema that tests read. */
export type Schema = {
  $ref?: string
  type?: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean'
  format?: string
  description?: string
  examples?: unknown[]
  const?: string
  enum?: string[]
  minimum?: number
  maximum?: number
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
}
export type Parameter = {
  name: string
  in: string
  required?: boolean
  description?: string
  example?: unknown
  schema: Schema
  'x-addition'?: true
}
export type Content = Record<string, { schema: Schema; example?: unknown }>
export type Responses = Record<
  string,
  { description: string; headers?: Record<string, object>; content?: Content }
>
export type Operation = {
  operationId: string
  summary: string
  description: string
  tags: string[]
  parameters: Parameter[]
  requestBody?: { content: Content }
  responses: Responses
  'x-addition'?: true
}
type Operations = Record<string, Record<string, Operation>>
export type OpenApiDocument = {
  paths: Operations
  webhooks: Operations
  components: { schemas: Record<string, Schema>; headers: Record<string, object> }
}

type ServedDocument = OpenApiDocument & { paths: Record<string, { parameters?: Parameter[] }> }

/** The served OpenAPI document, with its components, except schemas, and the parameters of paths in each operation. */
export async function readDocument(): Promise<OpenApiDocument> {
  const document = await (await request('/openapi.json')).json<ServedDocument>()
  const paths = Object.entries(document.paths).map(([path, { parameters = [], ...methods }]) => [
    path,
    Object.fromEntries(
      Object.entries(methods).map(([method, operation]) => [
        method,
        { ...operation, parameters: [...parameters, ...(operation.parameters ?? [])] },
      ]),
    ),
  ])
  const text = JSON.stringify({ ...document, paths: Object.fromEntries(paths) })
  return JSON.parse(text, function resolve(_, value): unknown {
    const [, section = '', name = ''] = /^#\/components\/(\w+)\/(.+)$/.exec(value?.$ref) ?? []
    if (section === '' || section === 'schemas') return value
    const part = Object(document.components)[section]?.[name]
    if (!part) throw new Error(`The document has no ${value.$ref}.`)
    return JSON.parse(JSON.stringify(part), resolve)
  })
}
