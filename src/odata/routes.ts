import type { Context } from 'hono'
import type { WorkerEnv } from '../auth/env.ts'
import { Hono } from '../http/hono.ts'
import { ApiError, invalidField } from '../model/api-error.ts'
import type { Store } from '../store/store.ts'
import { findResource, type ODataResource, parseAddress } from './address.ts'
import { authenticateOData } from './authenticate.ts'
import { toEntity } from './entities.ts'
import { readDocument, readPage } from './entity-pages.ts'
import {
  type EntityProperty,
  type EntitySet,
  readEntitySet,
  readEntitySets,
  readEntitySetWithPaths,
} from './entity-sets.ts'
import { respondWithError, UnsupportedError } from './errors.ts'
import { jsonType, requireJson, requireVersion, requireXml } from './formats.ts'
import { buildMetadata } from './metadata.ts'
import { formatEntitiesLink, readEntitiesAfter } from './next-link.ts'
import { type Options, parseEntityQuery, readOptions, selectEntityProperties } from './options.ts'

/** The records of an organisation in OData 4.0, read-only, for Excel, Power BI and Tableau. */
const service = new Hono<WorkerEnv>()

service.onError(respondWithError)
service.use(async (c, next) => {
  await next()
  c.res.headers.set('OData-Version', '4.0')
})
service.use(authenticateOData)
service.get('*', async (c) => {
  requireVersion(c.req)
  const resource = findResource(parseAddress(c.req.url))
  return respond(c, resource, readOptions(c.req, resource.type))
})
service.all('*', () => {
  throw new ApiError(
    'METHOD_NOT_ALLOWED',
    'This service is read-only: it allows only GET and HEAD.',
    {
      Allow: 'GET, HEAD',
    },
  )
})

export const routes = new Hono<WorkerEnv>().route('/odata', service)

async function respond(
  c: Context<WorkerEnv>,
  resource: ODataResource,
  options: Options,
): Promise<Response> {
  const { store } = c.var
  switch (resource.type) {
    case 'metadata': {
      requireXml(options.get('$format'))
      const metadata = buildMetadata(await readEntitySets(store))
      return c.body(metadata, 200, { 'Content-Type': 'application/xml; charset=utf-8' })
    }
    case 'count': {
      const total = await readCount(store, resource.collection, options)
      return c.body(String(total), 200, { 'Content-Type': 'text/plain; charset=utf-8' })
    }
    default: {
      requireJson(c.req, options.get('$format'))
      const root = `${new URL(c.req.url).origin}/odata/${encodeURIComponent(store.organisationId)}/`
      const content = await readJson(store, root, resource, options)
      return c.body(JSON.stringify(content), 200, { 'Content-Type': jsonType })
    }
  }
}

async function readCount(store: Store, collection: string, options: Options) {
  const set = await readEntitySet(store, collection)
  const query = { ...parseEntityQuery(options, set), top: 0, isCounted: true }
  return (await readPage(store, set, query)).total
}

type JsonResource = Exclude<ODataResource, { type: 'metadata' | 'count' }>

function readJson(store: Store, root: string, resource: JsonResource, options: Options) {
  switch (resource.type) {
    case 'service':
      return readService(store, root)
    case 'entities':
      return readEntities(store, root, resource.collection, options)
    case 'entity':
      return readEntity(store, root, resource, options)
  }
}

/** The service document (OData JSON Format 4.0, 5). */
async function readService(store: Store, root: string) {
  const sets = await readEntitySets(store)
  return {
    '@odata.context': `${root}$metadata`,
    value: sets.map(({ name }) => ({ name, kind: 'EntitySet', url: name })),
  }
}

async function readEntities(store: Store, root: string, collection: string, options: Options) {
  const apply = options.get('$apply')
  if (apply !== undefined) return readGroups(store, root, collection, options, apply)
  const set = await readEntitySet(store, collection)
  const properties = selectEntityProperties(options, set)
  const query = parseEntityQuery(options, set)
  const tokenQuery = { store, collection, options }
  const page = await readEntitiesAfter(tokenQuery, (after) => readPage(store, set, query, after))
  const left = query.top === undefined ? undefined : query.top - page.documents.length
  const nextLink =
    page.next &&
    left !== 0 &&
    (await formatEntitiesLink(tokenQuery, root + set.name, page.next, left))
  return {
    '@odata.context': buildContext(root, set, properties),
    ...(query.isCounted && page.total !== undefined && { '@odata.count': page.total }),
    value: page.documents.map((document) => toEntity(properties, document)),
    ...(nextLink && { '@odata.nextLink': nextLink }),
  }
}

/** The groups of `$apply`, which no other option narrows (OData Data Aggregation 4.0, 3). */
async function readGroups(
  store: Store,
  root: string,
  collection: string,
  options: Options,
  apply: string,
) {
  for (const name of options.keys())
    if (!['$apply', '$format'].includes(name))
      throw new UnsupportedError(501, `${name} is not supported beside $apply. Filter in $apply.`)
  const set = await readEntitySetWithPaths(store, collection, apply)
  // Other requests do not need the code of summaries.
  const { readApplied } = await import('./apply.ts')
  const { names, value } = await readApplied(store, set, apply)
  return { '@odata.context': `${root}$metadata#${set.name}(${names.join(',')})`, value }
}

async function readEntity(
  store: Store,
  root: string,
  { collection, key }: Extract<ODataResource, { type: 'entity' }>,
  options: Options,
) {
  const set = await readEntitySet(store, collection)
  if (key.name !== undefined && key.name !== set.key.name)
    throw invalidField('key', 'unknown_field', `must be ${set.key.name}.`)
  const properties = selectEntityProperties(options, set)
  const document = await readDocument(store, set, key.value)
  return {
    '@odata.context': `${buildContext(root, set, properties)}/$entity`,
    ...toEntity(properties, document),
  }
}

/** The context of entities: their set, and the properties if not all are shown (OData JSON Format 4.0, 10). */
function buildContext(root: string, set: EntitySet, properties: readonly EntityProperty[]): string {
  const names = properties.map(({ name }) => name)
  const selection = names.length < set.properties.length ? `(${names.join(',')})` : ''
  return `${root}$metadata#${set.name}${selection}`
}
