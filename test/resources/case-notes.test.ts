import { caseNoteRecord } from '../../src/resources/case-notes.ts'
import example from '../examples/case-notes.json'
import { testDocumentCollection } from './documents.ts'

testDocumentCollection({
  path: '/case-notes',
  plural: 'caseNotes',
  id: 'noteId',
  record: caseNoteRecord,
  example,
  differing: { caseId: 'case-2', creator: 'user-9', isPrivate: false },
  minimal: { noteId: 'n', managedBy: 'org-1' },
  finds: {
    'caseId=case-2': ['other'],
    'Creator=user-1': ['example'],
    'creator=user-1': ['example'],
    'Pinned=true': ['example', 'other'],
    'isPinned=FALSE': [],
    'Private=FALSE': ['other'],
    'isPrivate=true': ['example'],
    'pinned=true': [],
  },
  refuses: {
    'Pinned=1&Private=': 'Pinned: must be true or false. Private: must be true or false.',
  },
})
