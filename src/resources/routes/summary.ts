import { Hono } from 'hono'
import type { Env } from '../../auth/env.ts'
import { lazyRoute } from '../../http/contract.ts'
import { refuseMethod } from '../../http/errors.ts'
import type { RecordList } from './list-route.ts'

/** `GET /$summary`. Lists do not need its code. The route of a record would take other methods for one with this id. */
export const summaryRoutes = (list: RecordList) =>
  new Hono<Env>()
    .get(
      '/$summary',
      lazyRoute(async () => (await import('./summary-route.ts')).getSummary(list)),
    )
    .all('/$summary', (c) => refuseMethod(c, ['GET', 'HEAD']))
