import { type Context, Hono } from 'hono'
import type { Env } from '../../auth/env.ts'
import { ApiError } from '../../model/api-error.ts'
import { resources } from '../../resources/resources.ts'
import type { DashboardEnv } from './signed-in.ts'

const apiRoot = '/api/v1'

/**
 * Calls the API's own routes in process, as the person signed in. `path` is relative to the API's
 * root. Throws the route's `ApiError`.
 */
export async function callApi(
  c: Context<DashboardEnv>,
  path: string,
  init?: RequestInit,
): Promise<Response> {
  const [, segment = ''] = /^\/([^/?]+)/.exec(path) ?? []
  const load = Object.hasOwn(resources, segment) ? resources[segment] : undefined
  if (!load) throw new ApiError('NOT_FOUND', 'This collection does not exist.')
  const { routes } = await load()
  const app = new Hono<Env>()
  app.onError((error) => {
    throw error
  })
  app.use(async (context, next) => {
    context.set('requestId', c.var.requestId)
    context.set('store', c.var.store)
    context.set('records', c.var.records)
    await next()
  })
  app.route(`${apiRoot}/${segment}`, routes)
  return app.fetch(new Request(new URL(apiRoot + path, c.req.url), init), c.env)
}

/** Calls the API and returns the JSON of its response. */
export const getJson = async <Body>(c: Context<DashboardEnv>, path: string): Promise<Body> =>
  (await callApi(c, path)).json()

/** Calls the API with a JSON body and returns the response. */
export const sendJson = (
  c: Context<DashboardEnv>,
  method: 'POST' | 'PUT' | 'PATCH',
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> =>
  callApi(c, path, {
    method,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
