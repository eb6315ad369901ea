import type { Context } from 'hono'
import { fieldMayHold } from '../../../model/properties/recognise.ts'
import { toLondon } from '../../../model/timestamp.ts'
import type { Records } from '../../../records/records.ts'
import type { Resource } from '../../../resources/routes/resource.ts'
import type { ShownValues } from '../../collections/collection-pages.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import type { FieldValues } from '../../ui/form-values.ts'
import { bookedEvent, bookingStatus, completeBooking } from './booking-questions.tsx'
import { createEvent } from './create-event.ts'
import { layOutEvent } from './event-layout.ts'
import { linkQuestion } from './link-question.tsx'
import type { LayoutInput, Task } from './question.ts'

type LayOut = (input: LayoutInput) => Task | Promise<Task>

type NewRecord = {
  c: Context<DashboardEnv>
  records: Records
  resource: Resource
  record: ShownValues
  /** The form's answers. */
  submitted: FieldValues
}

/** What creates a record from the answers of its form, where they differ from the record. */
export const creations: Readonly<Record<string, (input: NewRecord) => Promise<string>>> = {
  members: ({ records, resource, record }) => records.createMember(resource, record),
  events: ({ records, resource, record, submitted }) =>
    createEvent(records, resource, record, submitted),
  bookings: async ({ c, records, resource, record }) =>
    records.create(resource, await completeBooking(c, record)),
}

const linkedPeople = (['member', 'volunteer', 'partner'] as const).map((kind) =>
  linkQuestion({
    name: `linkedEntities.${kind}Ids`,
    label: `${kind.charAt(0).toUpperCase()}${kind.slice(1)}s`,
    collection: `${kind}s`,
    hasSeveral: true,
  }),
)

const fund = linkQuestion({ name: 'fundId', label: 'Fund', collection: 'funds' })

const yesOrNo = (yes: string, no: string) => ({
  options: [
    { value: 'true', label: yes },
    { value: 'false', label: no },
  ],
})

/** A short schema needs no fold. */
const maxOpenFields = 12

const detailsFirst = ['names', 'email', 'phone', 'postcode', 'date of birth'] as const

function layOutPerson({ collection, ask }: LayoutInput): Task {
  const { fields, properties, defaultColumns } = collection
  const editable = properties.filter(({ isEditable }) => isEditable)
  const isFirst = (id: string) => {
    const field = fields.find((candidate) => candidate.id === id)
    return (
      defaultColumns.slice(0, 4).includes(id) ||
      (field !== undefined && detailsFirst.some((detail) => fieldMayHold(detail, field)))
    )
  }
  const asked =
    editable.length <= maxOpenFields ? editable : editable.filter(({ name }) => isFirst(name))
  const questions = asked.map(({ name }) => ask(name))
  return { parts: [{ title: 'Name and contact details', questions }] }
}

/** The questions of each collection's task. */
export const layouts: Readonly<Record<string, LayOut>> = {
  members: layOutPerson,
  volunteers: layOutPerson,
  partners: layOutPerson,
  events: layOutEvent,

  bookings: ({ ask, isNew }) => ({
    parts: [
      { title: 'Event', questions: [bookedEvent] },
      {
        title: 'Person',
        questions: [
          linkQuestion({
            name: 'memberId',
            label: 'Member',
            collection: 'members',
            none: { value: '', label: 'Somebody without a record' },
          }),
          ask('userName', {
            label: 'Name',
            ...(isNew && { hint: 'Leave it empty to use the member’s name.' }),
          }),
          ask('userEmail', { label: 'E-mail address' }),
        ],
      },
      {
        title: 'Ticket',
        questions: [
          ask('ticketName', { label: 'Ticket' }),
          ask('customPrice', {
            label: 'Price',
            hint: 'Only if it differs from the event’s price.',
            isMoney: true,
          }),
        ],
      },
      { title: 'Status', questions: [bookingStatus] },
    ],
    defaults: { $status: 'booked' },
  }),

  'case-notes': ({ c, ask }) => ({
    parts: [
      {
        title: 'Case note',
        questions: [
          ask('content', { label: 'Text' }),
          ask('date', { label: 'Date and time' }),
          ask('tags', { hint: 'One per line.' }),
        ],
      },
      { title: 'People', questions: linkedPeople },
      {
        title: 'Who may see it',
        questions: [
          ask('isPrivate', {
            label: 'Private',
            hint: 'Keys for other systems can be limited to notes that are not private.',
          }),
        ],
      },
    ],
    defaults: { date: toLondon(new Date().toISOString()), creator: c.var.session?.name ?? '' },
  }),

  'survey-responses': ({ ask }) => ({
    parts: [
      {
        title: 'Survey response',
        questions: [
          linkQuestion({ name: 'surveyId', label: 'Form', collection: 'forms' }),
          ask('date', { label: 'Date and time' }),
          ask('surveyScore', { label: 'Score', isNarrow: true }),
        ],
      },
      { title: 'People', questions: linkedPeople },
    ],
  }),

  forms: ({ ask }) => ({
    parts: [{ title: 'Form', questions: ['name', 'type', 'description'].map((name) => ask(name)) }],
  }),

  funds: ({ ask }) => ({
    parts: [
      {
        title: 'Fund',
        questions: [ask('name'), ask('description'), ask('identifier', { label: 'Reference' })],
      },
      {
        title: 'Money',
        questions: [
          ask('financials.totalAmount', { label: 'Total amount', isMoney: true }),
          ask('financials.maxGrantSize', {
            label: 'Largest grant',
            hint: 'Leave it empty for no limit.',
            isMoney: true,
          }),
        ],
      },
      {
        title: 'Applications',
        questions: [
          ask('isOpenCall', {
            label: 'Who can apply',
            ...yesOrNo('Anyone', 'Invited applicants only'),
          }),
          ask('recipientType', { label: 'Grants are for' }),
          ask('dates.applicationsOpen', { label: 'Applications open' }),
          ask('dates.applicationsClose', { label: 'Applications close' }),
        ],
      },
    ],
    defaults: { currency: 'GBP', isOpenCall: 'true' },
  }),

  'grant-applications': ({ ask }) => ({
    parts: [
      {
        title: 'Grant application',
        questions: [fund, ask('title', { label: 'Purpose in one line' }), ask('description')],
      },
      {
        title: 'Applicant',
        questions: [
          ask('recipient.name', { label: 'Name' }),
          ask('recipient.email', { label: 'E-mail address' }),
          ask('recipient.phone', { label: 'Phone' }),
          ask('recipient.postcode', { label: 'Postcode' }),
        ],
      },
      {
        title: 'Decision',
        questions: [
          ask('status'),
          ask('amountApplied', { label: 'Amount applied for', isMoney: true }),
          ask('amountAwarded', { label: 'Amount awarded', isMoney: true }),
          ask('dates.awarded', { label: 'Awarded' }),
        ],
      },
    ],
    defaults: { currency: 'GBP' },
  }),

  disbursements: ({ ask }) => ({
    parts: [
      {
        title: 'Payment',
        questions: [
          linkQuestion({ name: 'grantId', label: 'Application', collection: 'grant-applications' }),
          fund,
          ask('amount', { isMoney: true }),
          ask('description', { label: 'Purpose' }),
        ],
      },
      {
        title: 'Progress',
        questions: [
          ask('status'),
          ask('dates.scheduled', { label: 'Planned for' }),
          ask('dates.processed', { label: 'Paid' }),
          ask('payment.reference', { label: 'Reference on the bank statement' }),
        ],
      },
    ],
    defaults: { currency: 'GBP', dataSource: 'manual' },
  }),
}
