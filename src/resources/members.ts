import { Hono } from 'hono'
import type { Env } from '../env.ts'
import { memberList, person } from '../people/person-routes.ts'

export const kind = 'members'

export const routes = new Hono<Env>()
  .get('/', ...memberList())
  .get('/:memberId', ...person(kind, 'FORBIDDEN'))
