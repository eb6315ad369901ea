import { Hono } from 'hono'
import type { Env } from '../env.ts'
import { person, personList } from '../people/person-routes.ts'

export const kind = 'partners'

export const routes = new Hono<Env>()
  .get('/', ...personList(kind))
  .get('/:partnerId', ...person(kind, 'NOT_FOUND'))
