import type { Env } from '../auth/env.ts'
import { booleanFilter, textFilter } from '../http/filters.ts'
import { Hono } from '../http/hono.ts'
import type { Collection } from '../model/collection.ts'
import {
  boolean,
  created,
  id,
  linkedEntities,
  managedBy,
  record,
  text,
  textList,
  timestamp,
  updated,
} from '../model/properties/types.ts'
import { listRoute } from './routes/list-route.ts'
import { recordList, recordResource } from './routes/record-routes.ts'
import { getRecord } from './routes/single-route.ts'
import { writeRoutes } from './routes/write-routes.ts'

export const caseNoteRecord = record('CaseNote', {
  noteId: id('The id of the note: unique among the organisation’s case notes.', 'note-204'),
  managedBy: managedBy(),
  caseId: text('The id of the case that the note belongs to.', 'case-17'),
  creator: text('The id of the account that wrote the note.', 'user-12'),
  updatedBy: text('The id of the account that last changed the note.', 'user-12'),
  date: timestamp('The time of the event that the note describes, in UTC.'),
  created: created(),
  updated: updated(),
  content: text(
    'The text of the note, which may contain sensitive data about health or housing.',
    'Rang about the housing application; to ring again on Friday.',
  ),
  linkedEntities: linkedEntities(),
  tags: textList('The tags of the note.', 'Housing'),
  isPrivate: boolean('Whether the note is private; a key can be restricted to other notes.', false),
  isPinned: boolean('Whether it comes before the other notes of its case.', false),
  documentIds: textList('The ids of its documents in the source system.', 'document-9'),
})

export const collection = {
  name: 'case-notes',
  plural: 'caseNotes',
  singular: 'caseNote',
  id: 'noteId',
  record: caseNoteRecord,
} satisfies Collection

export const resource = recordResource(collection, { isAddition: true })

export const list = recordList(collection, {
  caseId: textFilter('caseId', 'Only notes of the case with this id.', 'case-17'),
  Creator: textFilter('creator', 'Only notes by the account with this id.', 'user-12'),
  Pinned: booleanFilter('isPinned', 'Only pinned notes, or only others.'),
  Private: booleanFilter('isPrivate', 'Only private notes, or only others.', false),
})

export const routes = new Hono<Env>()
  .get('/', listRoute(list))
  .get('/:noteId', getRecord(resource))
  .route('/', writeRoutes(resource))
