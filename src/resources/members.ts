import { Hono } from 'hono'
import type { Env } from '../auth/env.ts'
import { createMember } from '../routes/create-member.ts'
import { memberList, people } from '../routes/person-routes.ts'
import { single } from '../routes/single-route.ts'
import { writes } from '../routes/write-routes.ts'

export const kind = 'members'

const subject = people(kind)

export const routes = new Hono<Env>()
  .get('/', ...memberList())
  .post('/', ...createMember(subject))
  .get('/:memberId', ...single(subject))
  .route('/', writes(subject))
