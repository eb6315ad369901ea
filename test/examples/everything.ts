import type { Kind } from '../../src/model/properties/schema.ts'
import bookings from './bookings.json'
import caseNotes from './case-notes.json'
import disbursements from './disbursements.json'
import events from './events.json'
import forms from './forms.json'
import funds from './funds.json'
import grantApplications from './grant-applications.json'
import { fields, personOf } from './people.ts'
import surveyResponses from './survey-responses.json'

/** A whole record of every collection, by the name of the collection. */
export const everything: Record<string, { id: string; document: object }> = {
  members: personOf('memberId', 'member-1'),
  volunteers: personOf('volunteerId', 'volunteer-1'),
  partners: personOf('partnerId', 'partner-1'),
  events: { id: events.eventId, document: events },
  bookings: { id: bookings.bookingId, document: bookings },
  forms: { id: forms.formId, document: forms },
  'survey-responses': { id: surveyResponses.responseId, document: surveyResponses },
  'case-notes': { id: caseNotes.noteId, document: caseNotes },
  funds: { id: funds.fundId, document: funds },
  'grant-applications': { id: grantApplications.applicationId, document: grantApplications },
  disbursements: { id: disbursements.disbursementId, document: disbursements },
}

type Writable = {
  putEach: (records: [string, { id: string; document: object }][]) => Promise<unknown>
  schema: (kind: Kind, fields: object[]) => PromiseLike<unknown>
}

/** Gives an organisation a record of every collection and a schema of every kind. */
export async function putEverything({ putEach, schema }: Writable) {
  for (const kind of ['members', 'volunteers', 'partners'] as const) await schema(kind, fields)
  await putEach(Object.entries(everything))
}
