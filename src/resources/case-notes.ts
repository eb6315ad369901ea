import { Hono } from 'hono'
import * as z from 'zod'
import type { Env } from '../auth/env.ts'
import { booleanFilter, textFilter } from '../http/named-filters.ts'
import type { Collection } from '../model/collection.ts'
import { boolean, id, linkedEntities, text, texts, timestamp } from '../model/properties.ts'
import { list, records } from '../routes/record-routes.ts'
import { single } from '../routes/single-route.ts'
import { writes } from '../routes/write-routes.ts'

/** Decisions 2. */
export const CaseNote = z
  .strictObject({
    noteId: id(),
    managedBy: id(),
    caseId: text(),
    creator: text(),
    updatedBy: text(),
    date: timestamp(),
    created: timestamp(),
    updated: timestamp(),
    content: text(),
    linkedEntities: linkedEntities(),
    tags: texts(),
    isPrivate: boolean(),
    isPinned: boolean(),
    documentIds: texts(),
  })
  .meta({ id: 'CaseNote' })

export const collection = {
  name: 'case-notes',
  plural: 'caseNotes',
  singular: 'caseNote',
  id: 'noteId',
  record: CaseNote,
  item: CaseNote,
} satisfies Collection

const subject = records(collection, true)

export const routes = new Hono<Env>()
  .get(
    '/',
    ...list(collection, {
      caseId: textFilter('caseId'),
      Creator: textFilter('creator'),
      Pinned: booleanFilter('isPinned'),
      Private: booleanFilter('isPrivate'),
    }),
  )
  .get('/:noteId', ...single(subject))
  .route('/', writes(subject))
