import { Hono } from 'hono'
import * as z from 'zod'
import type { Env } from '../auth/env.ts'
import { textFilter } from '../http/named-filters.ts'
import type { Collection } from '../model/collection.ts'
import {
  anything,
  boolean,
  id,
  linkedEntities,
  listOf,
  nullableText,
  number,
  text,
  texts,
  timestamp,
} from '../model/properties.ts'
import { list, records } from '../routes/record-routes.ts'
import { single } from '../routes/single-route.ts'
import { writes } from '../routes/write-routes.ts'

/** Contract 2.9. */
export const SurveyResponse = z
  .strictObject({
    responseId: id(),
    surveyId: id(),
    funderSurveyId: nullableText(),
    managedBy: id(),
    submittedTo: text(),
    creator: text(),
    date: timestamp(),
    created: timestamp(),
    updated: timestamp(),
    responses: listOf(
      z.strictObject({
        questionId: text(),
        question: text(),
        outcome: text(),
        type: text(),
        response: anything(),
      }),
    ),
    linkedEntities: linkedEntities(),
    tags: texts(),
    isPrivate: boolean(),
    surveyScore: number(),
  })
  .meta({ id: 'SurveyResponse' })

export const collection = {
  name: 'survey-responses',
  plural: 'surveyResponses',
  singular: 'surveyResponse',
  id: 'responseId',
  record: SurveyResponse,
  item: SurveyResponse,
} satisfies Collection

const subject = records(collection, true)

export const routes = new Hono<Env>()
  .get(
    '/',
    ...list(collection, {
      SurveyId: textFilter('surveyId'),
      funderSurveyId: textFilter('funderSurveyId'),
    }),
  )
  .get('/:responseId', ...single(subject))
  .route('/', writes(subject))
