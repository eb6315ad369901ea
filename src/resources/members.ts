import { Hono } from 'hono'
import type { Env } from '../env.ts'
import { createMember } from '../people/create-member.ts'
import { memberList, person } from '../people/person-routes.ts'

export const kind = 'members'

export const routes = new Hono<Env>()
  .get('/', ...memberList())
  .post('/', ...createMember())
  .get('/:memberId', ...person(kind, 'FORBIDDEN'))
