import { at, daysAfter, minutesAfter, monthsAfter, officeTime } from './calendar.ts'
import type { Fund } from './funds.ts'
import { present } from './organisation.ts'
import type { Seeded } from './seeded.ts'
import type { Status } from './statuses.ts'

const warningDays = 14

/** The reports asked for of a grant: one halfway, and one at the end of a completed grant. Those of an approved one are still out. */
export function monitoring(
  random: Seeded,
  { forms }: Fund,
  grant: { identifier: number; status: Status; plannedStart: string; plannedEnd: string },
) {
  const [monitoringFormId] = forms.monitoringFormIds
  const requests =
    monitoringFormId === undefined
      ? []
      : deadlinesOf(grant).map((due, index) => {
          const id = `${grant.identifier}-${index + 1}`
          const reminder = at(daysAfter(due, -warningDays), '08:00')
          return {
            id: `request-${id}`,
            monitoringFormId,
            deadline: at(due, '17:00'),
            emailReminderSentAt: reminder <= present ? reminder : null,
            sendReminder: true,
            warningDays,
            submissions: grant.status === 'approved' ? [] : submissions(random, id, due),
          }
        })
  const latest = requests.flatMap(({ submissions }) => submissions).at(-1)
  return {
    requests,
    latestSubmissionId: latest?.interactionId ?? '',
    latestSubmissionDate: latest?.date ?? null,
  }
}

function deadlinesOf({ status, plannedStart, plannedEnd }: Parameters<typeof monitoring>[2]) {
  const halfway = monthsAfter(plannedStart, 4)
  if (status === 'completed') return [halfway, daysAfter(plannedEnd, 14)]
  return status === 'approved' || status === 'fully_paid' ? [halfway] : []
}

/** A report, and sometimes one before it that was sent back. Its interaction is the response to the form. */
function submissions(random: Seeded, id: string, due: string) {
  const date = officeTime(random, daysAfter(due, -random.integer(0, 12)))
  const accepted = {
    date,
    interactionId: `response-progress-report-${id}`,
    status: 'accepted',
    rejectionReason: null,
    funderApproved: true,
    funderApprovedAt: minutesAfter(date, 3 * 24 * 60),
  }
  if (random.chance(0.85)) return [accepted]
  const sentBack = {
    date: minutesAfter(date, -7 * 24 * 60),
    interactionId: `${accepted.interactionId}-draft`,
    status: 'rejected',
    rejectionReason: 'The number of people is missing.',
    funderApproved: false,
    funderApprovedAt: null,
  }
  return [sentBack, accepted]
}
