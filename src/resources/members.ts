import { Hono } from 'hono'
import type { Env } from '../auth/env.ts'
import { createMember } from '../routes/create-member.ts'
import { memberList, person } from '../routes/person-routes.ts'

export const kind = 'members'

export const routes = new Hono<Env>()
  .get('/', ...memberList())
  .post('/', ...createMember)
  .get('/:memberId', ...person(kind))
