import { applicationStatuses } from '../../resources/grant-applications.ts'
import type { FigureTable, GrantFigure } from './figures.ts'

const applications: GrantFigure = { collection: 'grant-applications' }

const applied: GrantFigure = {
  collection: 'grant-applications',
  of: 'amountApplied',
}

const awarded: GrantFigure = {
  collection: 'grant-applications',
  of: 'amountAwarded',
  statuses: ['approved', 'fully_paid', 'completed'],
}

const paid: GrantFigure = {
  collection: 'disbursements',
  of: 'amount',
  statuses: ['PAID'],
}

/** The figures of grants on the page of reports. */
export const grantTables: readonly FigureTable[] = [
  {
    title: 'Grants by stage',
    heading: 'Stage',
    by: 'status',
    groups: applicationStatuses,
    columns: [
      { heading: 'Number', figure: applications },
      { heading: 'Applied', figure: applied },
      { heading: 'Awarded', figure: awarded },
    ],
    list: 'grant-applications',
    explanation: 'Applications by status, in the order of the process.',
  },
  {
    title: 'Money by fund',
    heading: 'Fund',
    by: 'fundId',
    columns: [
      { heading: 'Awarded', figure: awarded },
      { heading: 'Paid', figure: paid },
      { heading: 'To pay', figure: awarded, minus: paid },
    ],
    list: 'grant-applications',
    explanation:
      'Awarded: applications that are approved, fully paid or completed. Paid: payments with the status “Paid”. To pay: the difference.',
  },
]
