import { Hono } from 'hono'
import type { Env } from '../auth/env.ts'
import { collection as bookings } from './bookings.ts'
import { collection as caseNotes } from './case-notes.ts'
import { createMember } from './routes/create-member.ts'
import { listRoute } from './routes/list-route.ts'
import { memberList, personResource } from './routes/person-routes.ts'
import { getPersonalData } from './routes/personal-data.ts'
import { getRecord } from './routes/single-route.ts'
import { writeRoutes } from './routes/write-routes.ts'
import { collection as surveyResponses } from './survey-responses.ts'

export const kind = 'members'

export const resource = personResource(kind)

export const list = memberList()

export const routes = new Hono<Env>()
  .get('/', ...listRoute(list))
  .post('/', ...createMember(resource))
  .get('/:memberId', ...getRecord(resource))
  .get(
    '/:memberId/$everything',
    ...getPersonalData(resource, [bookings, surveyResponses, caseNotes]),
  )
  .route('/', writeRoutes(resource))
