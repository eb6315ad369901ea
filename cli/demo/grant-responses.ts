import type { Application } from './applications.ts'
import { minutesAfter } from './calendar.ts'
import { application as applicationForm, progressReport, scorecard } from './grant-forms.ts'
import { staffIds } from './organisation.ts'
import { scores } from './people-responses.ts'
import { type Response, response } from './responses.ts'
import { type Seeded, seeded } from './seeded.ts'

/** Each application as it was filled in, its assessment when there is one, and the reports on its grant. */
export function grantResponses(applications: Application[]): Response[] {
  const random = seeded('responses about grants')
  return applications.flatMap((application) => [
    filledIn(application),
    ...assessed(random, application),
    ...reported(random, application),
  ])
}

function filledIn(application: Application) {
  return response(applicationForm, `response-application-${application.identifier}`, {
    date: application.dates.submitted,
    creator: `user-${application.granteeId}`,
    about: about(application),
    answers: {
      'application-title': application.title,
      'application-summary': application.summary,
      'application-amount': application.amountApplied,
      'application-months': application.durationMonths,
    },
  })
}

function assessed(random: Seeded, application: Application): Response[] {
  if (['pending', 'applied', 'in_review'].includes(application.status)) return []
  return [
    response(scorecard, `response-scorecard-${application.identifier}`, {
      date: minutesAfter(application.dates.submitted, 20 * 24 * 60),
      creator: random.pick(staffIds),
      about: about(application),
      answers: scores(random, scorecard),
      isPrivate: true,
    }),
  ]
}

function reported(random: Seeded, application: Application): Response[] {
  return application.monitoring.requests
    .flatMap(({ submissions }) => submissions)
    .map(({ interactionId, date, status }) =>
      response(progressReport, interactionId, {
        date,
        creator: `user-${application.granteeId}`,
        about: about(application),
        answers: {
          'progress-people': status === 'accepted' ? random.integer(12, 160) : undefined,
          'progress-story': random.pick(stories),
          'progress-on-track': random.pick(['Yes', 'Yes', 'Yes', 'Somewhat', 'No']),
        },
      }),
    )
}

const about = ({ granteeId, recipient }: Application) =>
  recipient.type === 'individual' ? { memberIds: [granteeId] } : { partnerIds: [granteeId] }

const stories = [
  'People who had never spoken now share tools and a kettle.',
  'Fewer came than we hoped in the first month; word of mouth did the rest.',
  'Two of those who came for help are running the Tuesday session now.',
]
