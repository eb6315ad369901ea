import { describe, expect, test } from 'vitest'
import { categoryProperties } from '../../src/access/field-categories.ts'
import { namesAgree } from '../../src/model/properties/compare-people.ts'
import { compileRecord, type Property } from '../../src/model/properties/compile.ts'
import { isOwnRecord, personalDataRules } from '../../src/model/properties/personal-data.ts'
import { isKind } from '../../src/model/properties/schema.ts'
import { references } from '../../src/model/references.ts'
import { collections } from '../../src/resources/collections.ts'

/**
 * The properties that do not find a person's records and that an erasure does not clear. A developer who adds a property
 * decides: it belongs here, or into src/model/properties/personal-data.ts.
 */
const remaining: Record<string, string> = {
  events: `
      eventId name managedBy tags colour start end concluded recurrence.type
      recurrence.recurring recurrence.rrule bookingDetails.description
      bookingDetails.capacityTotal bookingDetails.free bookingDetails.price
      bookingDetails.closed bookingDetails.privateEvent bookingDetails.bookable
      bookingDetails.bookVolunteers bookingDetails.volunteerCapacityTotal venue.venueId
      venue.name venue.address venue.postcode venue.bookable bookable attendees outcomeIds
      parentEventId created updated`,
  bookings: `
      bookingId managedBy eventId date slotId ticketId ticketName ticketSeries
      funderProgrammeId childEventId name type userStatus orgStatus attending bookingType
      created updated start end duration customPrice`,
  forms: `
      formId name type managedBy description questionCount sections.title sections.description
      sections.id questions.questionId questions.title questions.type questions.section
      questions.required questions.order questions.options.label questions.options.value
      questions.description questions.outcome questions.validation.minAllowed
      questions.validation.maxAllowed questions.validation.wordCount questions.hasConditions
      questions.$showIf.questionId questions.$showIf.answers questions.$showIf.isNot
      settings.isArchived settings.isAnonymous settings.individualMode settings.requiresLogin
      settings.coverPage settings.hideQuestionNumbers settings.calculateOverallScore
      settings.afterSubmitMessage settings.scoreDirection linkedFormId assessmentFormId
      allowMultipleApplications deadline schemaForm formFor addPersonPublic created updated`,
  'survey-responses': `
      responseId surveyId funderSurveyId managedBy submittedTo creator date created updated
      responses.questionId responses.question responses.outcome responses.type
      responses.response tags isPrivate surveyScore`,
  'case-notes': `
      noteId managedBy caseId creator updatedBy date created updated content tags isPrivate
      isPinned documentIds`,
  funds: `
      fundId managedBy name description identifier guidelines eligibilityCriteria currency
      financials.totalAmount financials.amountAwarded financials.amountDisbursed
      financials.maxGrantSize dates.start dates.end dates.applicationsOpen
      dates.applicationsClose whatWeFund whatWeWontFund isOpenCall recipientType
      forms.applicationFormId forms.assessmentFormId forms.monitoringFormIds external.id
      external.source created updated strengths weaknesses assessment.simpleAssessment
      assessment.verbosity assessors.userIds assessors.groups.id assessors.groups.name
      assessors.groups.assessorIds geography.geopoint.latitude geography.geopoint.longitude
      geography.radius geography.radiusUnit geography.geoMode geography.boundaryLocations
      applicationNumbering.latestApplicationNumber applicationNumbering.firstApplicationNumber
      agreement.templateId agreement.requiredGranteeSignatures
      agreement.requiredFunderSignatures`,
  'grant-applications': `
      applicationId fundId identifier currency amountApplied amountAwarded amountDisbursed
      status managedBy recipient.type recipient.registrationType recipient.country
      dates.awarded dates.submitted dates.recommended dates.rejected dates.grantStart
      dates.grantEnd dates.plannedStart dates.plannedEnd durationMonths language fromOpenCall
      external.id external.source created updated monitoring.requests.id
      monitoring.requests.monitoringFormId monitoring.requests.deadline
      monitoring.requests.emailReminderSentAt monitoring.requests.sendReminder
      monitoring.requests.warningDays monitoring.requests.submissions.date
      monitoring.requests.submissions.interactionId monitoring.requests.submissions.status
      monitoring.requests.submissions.rejectionReason
      monitoring.requests.submissions.funderApproved
      monitoring.requests.submissions.funderApprovedAt monitoring.latestSubmissionId
      monitoring.latestSubmissionDate actions.approvedBy actions.rejectedBy
      actions.recommendedBy`,
  disbursements: `
      disbursementId managedBy fundId identifier amount currency status dates.scheduled
      dates.processed payment.method modifiedBy dataSource updated`,
}

/** The property of an event that is a venue's, and no person's. */
const ofVenues = ['venue.address', 'venue.postcode']

const listPaths = ({ name, items }: Property): string[] => items?.flatMap(listPaths) ?? [name]

describe.each(Object.keys(collections))('%s', async (name) => {
  const rule = personalDataRules[name]

  test('every property finds a person, is cleared by an erasure, or stays on purpose', async () => {
    const { collection } = (await collections[name]?.()) ?? {}
    if (!collection) throw new Error(`${name} has no collection.`)
    const handled = [
      ...references.filter(({ from, to }) => from === name && isKind(to)).map(({ path }) => path),
      ...Object.keys(rule?.details ?? {}),
      ...(rule?.part ? [rule.part.path] : []),
      ...(typeof rule?.erasure === 'object' ? Object.keys(rule.erasure) : []),
    ]
    const staying = remaining[name]?.trim().split(/\s+/) ?? []
    const { leaves } = compileRecord(collection.record)
    expect([...new Set([...handled, ...staying])].toSorted()).toEqual(
      leaves.flatMap(listPaths).toSorted(),
    )
    expect(handled.filter((path) => staying.includes(path))).toEqual([])
  })

  test('no address, number or name of a person stays', () => {
    const { email, phone, postcode, names } = categoryProperties
    const contacts = [email, phone, postcode, names].flatMap((category) => category[name] ?? [])
    const staying = remaining[name]?.trim().split(/\s+/) ?? []
    expect(contacts.filter((path) => staying.includes(path) && !ofVenues.includes(path))).toEqual(
      [],
    )
  })
})

test.each([
  ['Rosa Quill', 'rosa  quill', true],
  ['Rosa Quill', 'Rosa Mary Quill', true],
  ['Rosa Quill', 'R. Quill', true],
  ['Quill, Rosa', 'Ms Rosa O’Quill', false],
  ['Rosa Quill', '', true],
  ['Rosa Quill', 'Bert Quill', false],
  ['Rosa Quill', 'Dunmallow Arts', false],
  ['Rosa Rosa', 'Rosa Quill', false],
])('%j and %j may be one name: %j', (one, other, expected) => {
  expect([namesAgree(one, other), namesAgree(other, one)]).toEqual([expected, expected])
})

test('a record with a detail is own only if both sides have a name, and they agree', () => {
  const link = { from: 'grant-applications', path: 'granteeId', value: '42', by: 'id' } as const
  expect(isOwnRecord(link, 'Bob Marsh', ['Bob Marsh'])).toBe(true)
  for (const [name, names] of [
    ['Bob Marsh', ['Ann Reed']],
    ['Bob Marsh', []],
    ['', ['Ann Reed']],
    [undefined, ['Ann Reed']],
  ] as const) {
    expect([name, names, isOwnRecord(link, name, names)]).toEqual([name, names, false])
  }
})
