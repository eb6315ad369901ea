import * as bookings from './resources/bookings.ts'
import * as caseNotes from './resources/case-notes.ts'
import * as disbursements from './resources/disbursements.ts'
import * as events from './resources/events.ts'
import * as forms from './resources/forms.ts'
import * as funds from './resources/funds.ts'
import * as grantApplications from './resources/grant-applications.ts'
import * as members from './resources/members.ts'
import * as partners from './resources/partners.ts'
import * as schemas from './resources/schemas.ts'
import * as surveyResponses from './resources/survey-responses.ts'
import * as volunteers from './resources/volunteers.ts'

/** Every resource by its segment of the path (contract 4.2). */
export const resources = {
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
  schemas,
}
