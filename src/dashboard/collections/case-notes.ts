import type { CollectionPages } from './collection-pages.ts'
import { dayOf } from './words.ts'

export const caseNotes: CollectionPages = {
  label: 'Notes',
  title: ({ date }) => ['Note', dayOf(date)],
  columns: ['content', 'linkedEntities.memberIds', 'date', 'tags', 'isPrivate'],
  newestBy: 'date',
  searched: ['content'],
  filters: ['date', 'tags'],
  labels: { content: 'Note', isPrivate: 'Private', isPinned: 'Pinned' },
  report: { singular: 'note', by: 'tags', date: 'date' },
}
