import { Hono } from 'hono'
import * as z from 'zod'
import type { Env } from '../auth/env.ts'
import { booleanFilter, textFilter } from '../http/named-filters.ts'
import type { Collection } from '../model/collection.ts'
import {
  boolean,
  created,
  id,
  linkedEntities,
  managedBy,
  text,
  texts,
  timestamp,
  updated,
} from '../model/properties/types.ts'
import { listRecords, recordResource } from './routes/record-routes.ts'
import { getRecord } from './routes/single-route.ts'
import { writeRoutes } from './routes/write-routes.ts'

/** Decisions 2. */
export const CaseNote = z
  .strictObject({
    noteId: id('The id of the note: unique among the organisation’s case notes.', 'note-204'),
    managedBy: managedBy(),
    caseId: text('The id of the case that the note belongs to.', 'case-17'),
    creator: text('The id of the account that wrote the note.', 'user-12'),
    updatedBy: text('The id of the account that last changed the note.', 'user-12'),
    date: timestamp('When what it tells of happened, in UTC.'),
    created: created(),
    updated: updated(),
    content: text(
      'The note itself: free text, which may be about somebody’s health or home.',
      'Rang about the housing application; to ring again on Friday.',
    ),
    linkedEntities: linkedEntities(),
    tags: texts('Words that notes are grouped by.', 'Housing'),
    isPrivate: boolean(
      'Whether only some may read it; a key can be held to the notes that are not private.',
      false,
    ),
    isPinned: boolean('Whether it stands before the other notes of its case.', false),
    documentIds: texts(
      'The ids of documents that go with it, in the system it comes from.',
      'document-9',
    ),
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

const resource = recordResource(collection, true)

export const routes = new Hono<Env>()
  .get(
    '/',
    ...listRecords(
      collection,
      {
        caseId: textFilter('caseId', 'Only notes of the case with this id.', 'case-17'),
        Creator: textFilter(
          'creator',
          'Only notes that the account with this id wrote.',
          'user-12',
        ),
        Pinned: booleanFilter('isPinned', 'Only notes that are pinned, or that are not.'),
        Private: booleanFilter('isPrivate', 'Only notes that are private, or that are not.', false),
      },
      { tags: 'Housing' },
    ),
  )
  .get('/:noteId', ...getRecord(resource))
  .route('/', writeRoutes(resource))
