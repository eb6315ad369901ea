import { env } from 'cloudflare:workers'
import { loadApiRoutes } from '../../src/app.ts'
import { loadContract } from '../../src/http/contract.ts'
import { everything } from '../examples/everything.ts'
import { base } from '../organisation.ts'
import { collections, plural, type Writer } from '../resources/writing.ts'

const root = new URL(base).pathname

/** Every route of the API with its contract. A handler may be mounted more than once. */
export const routes = await Promise.all(
  Object.values(
    Object.groupBy(
      (await loadApiRoutes()).filter(({ method }) => method !== 'ALL'),
      ({ method, path }) => `${method} ${path}`,
    ),
  ).map(async (handlers = []) => {
    const [first] = handlers
    const contracts = await Promise.all(handlers.map(({ handler }) => loadContract(handler)))
    const contract = contracts.find(Boolean)
    if (!first || !contract) throw new Error(`${first?.method} ${first?.path} has no contract.`)
    return { method: first.method, path: first.path.slice(root.length), contract }
  }),
)

export type Route = (typeof routes)[number]
export type TestRequest = { method: string; path: string; body?: string }

/** The collection of a route; events for routes that take any. */
export function collectionOf({ path }: Route): string {
  const segment = path.split('/')[1] ?? ''
  return segment in everything ? segment : 'events'
}

/** The path of a route with the id of a record or organisation. */
export const pathOf = (route: Route, organisationId: string, id: string) =>
  route.path.replace(':organisationId', organisationId).replace(/:\w+/, encodeURIComponent(id)) +
  requiredQuery(route)

function requiredQuery(route: Route): string {
  const { method, path, contract } = route
  if ('collection' in contract.query.parameters) return '?collection=events'
  return method === 'PUT' && !path.includes(':') ? `?$by=${namesOf(route).idName}` : ''
}

/** The envelope key of one record of a route's collection, and the property of its id. */
function namesOf(route: Route) {
  const collection = collectionOf(route)
  const [, singular = '', idName = ''] = collections.find(([name]) => name === collection) ?? []
  return { singular, idName }
}

const isMerge = ({ path }: Route) => path.endsWith('/$merge')

/** Switches on an organisation's public pages. */
const switchOn = (organisationId: string) =>
  env.DB.prepare(
    `INSERT OR REPLACE INTO public_pages (organisation_id, enabled, settings) VALUES (?, 1, '{}')`,
  )
    .bind(organisationId)
    .run()

/** Changes the example of a collection and changes it back. Returns its id. */
async function changeExample(collection: string, organisationId: string): Promise<string> {
  const { id = '' } = everything[collection] ?? {}
  for (const document of [
    "json_set(document, '$.changed', 1)",
    "json_remove(document, '$.changed')",
  ])
    await env.DB.prepare(
      `UPDATE records SET document = ${document}
        WHERE organisation_id = ? AND collection = ? AND id = ?`,
    )
      .bind(organisationId, collection, id)
      .run()
  return id
}

/** Whether a request succeeds once: it deletes a record that it needs. */
export const succeedsOnce = (route: Route) => route.method === 'DELETE' || isMerge(route)

const newWebhook = {
  url: 'https://hooks.charity.org.uk/',
  collections: ['funds'],
  changes: ['deleted'],
}

/** Returns the id for the path of a route: that of a record, or of an import or a webhook that is made for it. */
async function idFor({ method, path }: Route, writer: Writer, id: string): Promise<string> {
  if (method === 'DELETE' && path.startsWith('/webhooks/')) {
    const added = await writer.send('POST', '/webhooks', newWebhook)
    const { webhook } = await added.json<{ webhook: { webhookId: string } }>()
    return webhook.webhookId
  }
  if (!path.startsWith('/imports/')) return id
  await writer.send('POST', '/imports?collection=funds', [{ fundId: crypto.randomUUID() }])
  const answer = await writer.send('GET', '/imports')
  const { imports } = await answer.json<{ imports: { importId: string }[] }>()
  return String(imports[0]?.importId)
}

/** Builds a request that succeeds for an organisation filled with the examples. */
export async function validRequest(route: Route, writer: Writer): Promise<TestRequest> {
  const { method } = route
  const collection = collectionOf(route)
  const { id = '' } = everything[collection] ?? {}
  const path = pathOf(route, writer.id, await idFor(route, writer, id))
  if (method === 'GET' || method === 'DELETE') {
    const cascades = '$cascade' in route.contract.query.parameters
    return { method, path: cascades ? `${path}?$cascade=true` : path }
  }
  if (route.path === '/webhooks') return { method, path, body: JSON.stringify(newWebhook) }
  const { singular, idName } = namesOf(route)
  if (isMerge(route)) {
    await writer.put(collection, [{ id: 'duplicate', document: { [idName]: 'duplicate' } }])
    return { method, path, body: '{"from":"duplicate"}' }
  }
  if (route.path.endsWith('/$restore')) {
    const { versions } = await writer.json<{ versions: { version: number }[] }>(
      `/${collection}/${await changeExample(collection, writer.id)}/$versions`,
    )
    return { method, path, body: JSON.stringify({ version: versions[1]?.version }) }
  }
  if (route.path.endsWith('/$links')) {
    await writer.send('PATCH', `/forms/${id}`, { deadline: null })
    await switchOn(writer.id)
    return { method, path, body: '{"withoutPerson":1}' }
  }
  const { [singular]: record = {} } = await writer.json<Record<string, object>>(
    `/${collection}/${id}`,
  )
  const { [idName]: _, ...withoutId } = record as Record<string, unknown>
  if (route.path.endsWith('/$undo')) return { method, path }
  if (route.path.endsWith('/$attendance')) return { method, path, body: '{"came":true}' }
  const bodies: Record<string, unknown> = {
    PUT: record,
    POST: route.contract.file
      ? [record]
      : route.path === '/members'
        ? { 'Full Name': 'Ada' }
        : withoutId,
    PATCH: route.path.includes(':') ? {} : { [plural(collection)]: [record] },
  }
  return { method, path, body: JSON.stringify(bodies[method]) }
}
