import { Hono } from 'hono'
import type { Env } from '../auth/env.ts'
import { createMember } from '../routes/create-member.ts'
import { everything } from '../routes/everything.ts'
import { memberList, people } from '../routes/person-routes.ts'
import { single } from '../routes/single-route.ts'
import { writes } from '../routes/write-routes.ts'
import { collection as bookings } from './bookings.ts'
import { collection as caseNotes } from './case-notes.ts'
import { collection as surveyResponses } from './survey-responses.ts'

export const kind = 'members'

const subject = people(kind)

export const routes = new Hono<Env>()
  .get('/', ...memberList())
  .post('/', ...createMember(subject))
  .get('/:memberId', ...single(subject))
  .get('/:memberId/$everything', ...everything(subject, [bookings, surveyResponses, caseNotes]))
  .route('/', writes(subject))
