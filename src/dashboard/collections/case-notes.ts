import type { CollectionPages } from './collection-pages.ts'
import { dayOf } from './words.ts'

export const caseNotes: CollectionPages = {
  title: ({ date }) => ['', dayOf(date)],
  columns: ['content', 'linkedEntities.memberIds', 'date', 'tags', 'isPrivate'],
  newestBy: 'date',
  searched: ['content'],
  filters: ['date', 'tags'],
  pastDates: ['date'],
  labels: { content: 'Note', isPrivate: 'Private', isPinned: 'Pinned' },
  report: { by: 'tags', date: 'date' },
}
