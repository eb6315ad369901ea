import type { Env } from '../auth/env.ts'
import { lazyRoute } from '../http/contract.ts'
import { Hono } from '../http/hono.ts'
import { loadCollections } from './collections.ts'
import { listRoute } from './routes/list-route.ts'
import { peopleList, personResource } from './routes/person-routes.ts'
import { getRecord } from './routes/single-route.ts'
import { writeRoutes } from './routes/write-routes.ts'

export const kind = 'partners'

export const resource = personResource(kind)

export const list = peopleList(kind)

export const routes = new Hono<Env>()
  .get('/', listRoute(list))
  .get('/:partnerId', getRecord(resource))
  .get('/:partnerId/$everything', lazyRoute(loadPersonalData))
  .route('/', writeRoutes(resource))

async function loadPersonalData() {
  const { getPersonalData } = await import('./routes/personal-data.ts')
  return getPersonalData(resource, await loadCollections())
}
