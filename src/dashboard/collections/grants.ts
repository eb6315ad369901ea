import { formatValue } from '../ui/format-value.ts'
import type { CollectionPages } from './collection-pages.ts'
import { textAt } from './words.ts'

export const funds: CollectionPages = {
  choice: { detail: textAt('identifier') },
  linkParameter: 'fund',
  columns: [
    'name',
    'financials.totalAmount',
    'financials.amountAwarded',
    'dates.end',
    'isOpenCall',
  ],
  searched: ['name'],
  filters: ['isOpenCall'],
  labels: {
    'financials.totalAmount': 'Amount',
    'financials.amountAwarded': 'Awarded',
    'financials.amountDisbursed': 'Paid',
    'financials.maxGrantSize': 'Largest grant',
    'dates.start': 'Starts',
    'dates.end': 'Ends',
    isOpenCall: 'Open call',
  },
  report: { by: 'isOpenCall', date: 'dates.start' },
}

export const grantApplications: CollectionPages = {
  choice: { title: 'title', detail: textAt('recipient.name') },
  linkParameter: 'application',
  columns: [
    'title',
    'recipient.name',
    'fundId',
    'status',
    'amountApplied',
    'amountAwarded',
    'dates.submitted',
  ],
  newestBy: 'dates.submitted',
  searched: ['title', 'recipient.name'],
  filters: ['dates.submitted', 'status', 'fundId'],
  pastDates: ['dates.submitted'],
  labels: {
    fundId: 'Fund',
    'recipient.name': 'Recipient',
    amountApplied: 'Applied for',
    amountAwarded: 'Awarded',
    amountDisbursed: 'Paid',
    durationMonths: 'Months',
    granteeId: 'Number of the recipient',
    fromOpenCall: 'Open call',
    'dates.awarded': 'Date of the award',
    'dates.submitted': 'Submitted',
  },
  report: { by: 'status', date: 'dates.submitted' },
}

export const disbursements: CollectionPages = {
  title: ({ identifier, amount, currency }) => [
    identifier,
    formatValue(amount, { type: 'number', format: 'money' }, String(currency ?? '')),
  ],
  choice: { title: 'identifier', detail: textAt('description') },
  columns: ['identifier', 'grantId', 'amount', 'status', 'dates.scheduled', 'description'],
  newestBy: 'dates.scheduled',
  searched: ['identifier', 'description'],
  filters: ['dates.scheduled', 'status'],
  pastDates: ['dates.processed'],
  labels: {
    fundId: 'Fund',
    disbursementId: 'Number of the payment',
    grantId: 'Application',
    identifier: 'Reference',
    'dates.scheduled': 'Due',
    'dates.processed': 'Paid on',
    'payment.reference': 'Bank reference',
  },
  report: { by: 'status', date: 'dates.scheduled' },
}
