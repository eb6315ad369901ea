import * as z from 'zod'
import { demoRecords } from '../../../bench/load/demo-records.ts'
import { recordType } from '../../../src/model/properties/record-type.ts'
import { collection as bookings } from '../../../src/resources/bookings.ts'
import { caseNoteRecord } from '../../../src/resources/case-notes.ts'
import { disbursementRecord } from '../../../src/resources/disbursements.ts'
import { eventRecord } from '../../../src/resources/events.ts'
import { collection as forms } from '../../../src/resources/forms.ts'
import { fundRecord } from '../../../src/resources/funds.ts'
import { grantApplicationRecord } from '../../../src/resources/grant-applications.ts'
import { surveyResponseRecord } from '../../../src/resources/survey-responses.ts'

export const { schemas, records } = await demoRecords('demo')

/** The demo's records by collection, with their types. */
export const demo = {
  members: z
    .array(z.looseObject({ memberId: z.string(), Joined: z.string() }))
    .parse(records.members),
  volunteers: z.array(z.looseObject({ volunteerId: z.string() })).parse(records.volunteers),
  partners: z.array(z.looseObject({ partnerId: z.string() })).parse(records.partners),
  events: z.array(recordType(eventRecord)).parse(records.events),
  bookings: z.array(recordType(bookings.record)).parse(records.bookings),
  forms: z.array(recordType(forms.record)).parse(records.forms),
  responses: z.array(recordType(surveyResponseRecord)).parse(records['survey-responses']),
  caseNotes: z.array(recordType(caseNoteRecord)).parse(records['case-notes']),
  funds: z.array(recordType(fundRecord)).parse(records.funds),
  applications: z.array(recordType(grantApplicationRecord)).parse(records['grant-applications']),
  disbursements: z.array(recordType(disbursementRecord)).parse(records.disbursements),
}

export const sum = (numbers: (number | null)[]) =>
  numbers.reduce<number>((total, number) => total + (number ?? 0), 0)
