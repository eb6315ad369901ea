import { bookings } from './bookings.ts'
import { caseNotes } from './case-notes.ts'
import type { CollectionPages } from './collection-pages.ts'
import { events } from './events.ts'
import { forms, surveyResponses } from './forms.ts'
import { disbursements, funds, grantApplications } from './grants.ts'
import { members, partners, volunteers } from './people.ts'

/** All that pages say about each collection. */
const pages: Readonly<Record<string, CollectionPages>> = {
  members,
  volunteers,
  partners,
  events,
  bookings,
  forms,
  'survey-responses': surveyResponses,
  'case-notes': caseNotes,
  funds,
  'grant-applications': grantApplications,
  disbursements,
}

/** What pages say about a collection. */
export function pagesOf(name: string): CollectionPages {
  const found = pages[name]
  if (!found) throw new Error(`There are no pages of ${name}.`)
  return found
}

/** Labels of properties that every collection has. */
const sharedLabels: Readonly<Record<string, string>> = {
  created: 'Created',
  updated: 'Last changed',
  managedBy: 'Organisation',
  'external.id': 'Number in another system',
  'external.source': 'The other system',
  'linkedEntities.memberIds': 'Members',
  'linkedEntities.partnerIds': 'Partners',
  'linkedEntities.volunteerIds': 'Volunteers',
}

/** The label of a property; undefined if its name is its label. */
export function findLabel(collection: string, property: string): string | undefined {
  const found = pagesOf(collection)
  return (found.isPeople ? undefined : found.labels[property]) ?? sharedLabels[property]
}
