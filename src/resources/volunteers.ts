import { Hono } from 'hono'
import type { Env } from '../auth/env.ts'
import { person, personList } from '../routes/person-routes.ts'

export const kind = 'volunteers'

export const routes = new Hono<Env>()
  .get('/', ...personList(kind))
  .get('/:volunteerId', ...person(kind))
