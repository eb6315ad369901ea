import type { Child } from 'hono/jsx'
import { formatShortMoment } from '../../../model/dates.ts'
import { formatNumber } from '../../../platform/format-number.ts'
import type { SentMailing } from '../../../store/sign-up/sent-mailings.ts'
import { DataTable } from '../../ui/table.tsx'

/** The states of messages in words, in the order in which pages show them. */
export const stateLabels: Readonly<Record<string, string>> = {
  failed: 'Not sent',
  uncertain: 'Perhaps not sent',
  queued: 'On its way',
  sending: 'On its way',
  sent: 'Sent',
  unneeded: 'Left out',
}

const titles: Readonly<Record<string, string>> = {
  booked: 'You are booked',
  form: 'Personal links',
  'form-reminder': 'Reminder of personal links',
  reminder: 'Reminder',
  change: 'The event has changed',
  cancellation: 'The event is cancelled',
}

/** The subject that staff wrote, or what the message is for. */
export const titleOf = ({ subject, purpose }: SentMailing) => subject ?? titles[purpose] ?? purpose

/** Who sent a message. */
export const nameSender = ({ createdBy }: SentMailing) =>
  createdBy === 'public page' ? 'Automatic' : createdBy

/** Such as "12 sent, 1 not sent". */
export const describeSent = ({ counts }: SentMailing) =>
  Object.entries(stateLabels)
    .flatMap(([state, label]) => {
      const count = counts[state]
      return count ? [`${formatNumber(count)} ${label.toLowerCase()}`] : []
    })
    .join(', ')

type TableProps = {
  mailings: readonly SentMailing[]
  /** The path of the page of a message, if it has one. */
  pathOf?: (mailing: SentMailing) => string
  /** A button beside a message, if it has one. */
  action?: (mailing: SentMailing) => Child
}

/** Renders messages with their numbers of addresses. */
export const SentTable = ({ mailings, pathOf, action }: TableProps) => (
  <DataTable
    label="Messages"
    isStacked
    rows={mailings}
    columns={[
      {
        heading: 'Message',
        cell: (mailing) =>
          pathOf ? <a href={pathOf(mailing)}>{titleOf(mailing)}</a> : titleOf(mailing),
      },
      { heading: 'By', cell: nameSender },
      { heading: 'When', cell: ({ created }) => formatShortMoment(created) },
      { heading: 'Addresses', cell: describeSent },
      ...(action ? [{ heading: '', cell: action }] : []),
    ]}
  />
)
