import * as z from 'zod'
import { demoRecords } from '../../../bench/load/demo-records.ts'
import { collection as bookings } from '../../../src/resources/bookings.ts'
import { CaseNote } from '../../../src/resources/case-notes.ts'
import { Disbursement } from '../../../src/resources/disbursements.ts'
import { Event } from '../../../src/resources/events.ts'
import { collection as forms } from '../../../src/resources/forms.ts'
import { Fund } from '../../../src/resources/funds.ts'
import { GrantApplication } from '../../../src/resources/grant-applications.ts'
import { SurveyResponse } from '../../../src/resources/survey-responses.ts'

export const { schemas, records } = await demoRecords('demo')

/** The demo's records by collection, with their types. */
export const demo = {
  members: z
    .array(z.looseObject({ memberId: z.string(), Joined: z.string() }))
    .parse(records.members),
  volunteers: z.array(z.looseObject({ volunteerId: z.string() })).parse(records.volunteers),
  partners: z.array(z.looseObject({ partnerId: z.string() })).parse(records.partners),
  events: z.array(Event).parse(records.events),
  bookings: z.array(bookings.record).parse(records.bookings),
  forms: z.array(forms.record).parse(records.forms),
  responses: z.array(SurveyResponse).parse(records['survey-responses']),
  caseNotes: z.array(CaseNote).parse(records['case-notes']),
  funds: z.array(Fund).parse(records.funds),
  applications: z.array(GrantApplication).parse(records['grant-applications']),
  disbursements: z.array(Disbursement).parse(records.disbursements),
}

export const sum = (numbers: (number | null)[]) =>
  numbers.reduce<number>((total, number) => total + (number ?? 0), 0)
