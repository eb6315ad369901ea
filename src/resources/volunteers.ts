import { Hono } from 'hono'
import type { Env } from '../auth/env.ts'
import { everything } from '../routes/everything.ts'
import { people, personList } from '../routes/person-routes.ts'
import { single } from '../routes/single-route.ts'
import { writes } from '../routes/write-routes.ts'
import { collection as caseNotes } from './case-notes.ts'
import { collection as surveyResponses } from './survey-responses.ts'

export const kind = 'volunteers'

const subject = people(kind)

export const routes = new Hono<Env>()
  .get('/', ...personList(kind))
  .get('/:volunteerId', ...single(subject))
  .get('/:volunteerId/$everything', ...everything(subject, [surveyResponses, caseNotes]))
  .route('/', writes(subject))
