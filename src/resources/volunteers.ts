import { Hono } from 'hono'
import type { Env } from '../env.ts'
import { person, personList } from '../people/person-routes.ts'

export const kind = 'volunteers'

export const routes = new Hono<Env>()
  .get('/', ...personList(kind))
  .get('/:volunteerId', ...person(kind, 'NOT_FOUND'))
