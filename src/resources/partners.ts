import { Hono } from 'hono'
import type { Env } from '../auth/env.ts'
import { people, personList } from '../routes/person-routes.ts'
import { single } from '../routes/single-route.ts'
import { writes } from '../routes/write-routes.ts'

export const kind = 'partners'

const subject = people(kind)

export const routes = new Hono<Env>()
  .get('/', ...personList(kind))
  .get('/:partnerId', ...single(subject))
  .route('/', writes(subject))
