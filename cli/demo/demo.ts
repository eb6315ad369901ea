import { applications, withPayments } from './applications.ts'
import { bookings } from './bookings.ts'
import { earliestFirst } from './calendar.ts'
import { caseNotes } from './case-notes.ts'
import { disbursements } from './disbursements.ts'
import { events, withAttendees } from './events.ts'
import { funds, withFinancials } from './funds.ts'
import { application, progressReport, scorecard } from './grant-forms.ts'
import { grantResponses } from './grant-responses.ts'
import { members } from './members.ts'
import { partners } from './partners.ts'
import { aboutYou, feedback, partnerReview, sessionPlan, wellbeing } from './people-forms.ts'
import { peopleResponses } from './people-responses.ts'
import { volunteers } from './volunteers.ts'

export { organisation } from './organisation.ts'
export { schemas } from './schemas.ts'

/** The records of the demo organisation by collection, invented and always the same. People are flat, by field id. */
export function collections() {
  const [everyMember, everyVolunteer, everyPartner] = [members(), volunteers(), partners()]
  const programme = events()
  const booked = bookings(programme, everyMember)
  const offered = funds()
  const applied = applications(offered, everyPartner, everyMember)
  const payments = disbursements(applied)
  const granted = withPayments(applied, payments)
  return {
    members: everyMember,
    volunteers: everyVolunteer,
    partners: everyPartner,
    events: withAttendees(programme, booked),
    bookings: booked,
    forms: [
      aboutYou,
      wellbeing,
      feedback,
      sessionPlan,
      partnerReview,
      application,
      scorecard,
      progressReport,
    ],
    'survey-responses': [
      ...peopleResponses(everyMember, everyVolunteer, everyPartner),
      ...grantResponses(granted),
    ].toSorted((one, other) => earliestFirst(one.date, other.date)),
    'case-notes': caseNotes(everyMember, everyVolunteer, everyPartner),
    funds: withFinancials(offered, granted),
    'grant-applications': granted,
    disbursements: payments,
  }
}
