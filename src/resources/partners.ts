import { Hono } from 'hono'
import type { Env } from '../auth/env.ts'
import { collection as caseNotes } from './case-notes.ts'
import { listRoute } from './routes/list-route.ts'
import { peopleList, personResource } from './routes/person-routes.ts'
import { getPersonalData } from './routes/personal-data.ts'
import { getRecord } from './routes/single-route.ts'
import { writeRoutes } from './routes/write-routes.ts'
import { collection as surveyResponses } from './survey-responses.ts'

export const kind = 'partners'

export const resource = personResource(kind)

export const list = peopleList(kind)

export const routes = new Hono<Env>()
  .get('/', ...listRoute(list))
  .get('/:partnerId', ...getRecord(resource))
  .get('/:partnerId/$everything', ...getPersonalData(resource, [surveyResponses, caseNotes]))
  .route('/', writeRoutes(resource))
