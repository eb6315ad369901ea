import type { Application } from './applications.ts'
import { at, dayOf, daysAfter, later, minutesAfter, monthsAfter } from './calendar.ts'
import { organisation, present, staffIds } from './organisation.ts'
import { type Seeded, seeded } from './seeded.ts'

export type Disbursement = ReturnType<typeof disbursement>

type Payment = {
  amount: number
  status: 'PENDING' | 'SCHEDULED' | 'PAID' | 'CANCELLED' | 'FAILED'
  due: string | null
  description: string
  notes?: string
}

/** The payments of every grant awarded, which together are what was awarded, but for those that failed or were cancelled. */
export function disbursements(applications: Application[]): Disbursement[] {
  const random = seeded('disbursements')
  return applications
    .filter(({ amountAwarded }) => amountAwarded > 0)
    .flatMap((application, index) => {
      const bankAccount = bankAccountOf(random, application)
      return [...undone(application, index), ...instalments(application)].map((payment) => ({
        application,
        payment,
        bankAccount,
      }))
    })
    .map(({ application, payment, bankAccount }, index) =>
      disbursement(random, { index, application, payment, bankAccount }),
    )
}

/** Half at the start and half later; the second half of an approved grant waits. */
function instalments({ status, amountAwarded, dates, durationMonths }: Application): Payment[] {
  const first = Math.floor(amountAwarded / 20) * 10
  const start = firstPayment(dates)
  const middle = monthsAfter(start, Math.ceil(durationMonths / 2))
  const second = { amount: amountAwarded - first, description: 'Second instalment' }
  const begun: Payment = {
    amount: first,
    status: start <= present ? 'PAID' : 'SCHEDULED',
    due: start,
    description: 'First instalment',
  }
  if (status !== 'approved') return [begun, { ...second, status: 'PAID', due: middle }]
  if (middle > present) return [begun, { ...second, status: 'SCHEDULED', due: middle }]
  return [
    begun,
    { ...second, status: 'PENDING', due: null, notes: 'Held until we know how it is going.' },
  ]
}

/** Every third grant has a payment that came to nothing before the first that did. */
function undone({ amountAwarded, dates }: Application, index: number): Payment[] {
  if (index % 3 !== 0) return []
  const payment = {
    amount: Math.floor(amountAwarded / 20) * 10,
    due: daysAfter(firstPayment(dates), -6),
    description: 'First instalment',
  }
  return index % 2 === 0
    ? [{ ...payment, status: 'FAILED', notes: 'The bank did not know the account.' }]
    : [{ ...payment, status: 'CANCELLED', notes: 'Raised twice by mistake.' }]
}

const firstPayment = ({ plannedStart }: Application['dates']) => daysAfter(plannedStart, 7)

// No bank has these names; of its numbers a record keeps only the ends (decisions 9).
const banks = ['Skerrow Savings Bank', 'Bank of Fennacre', 'Copperwick Building Society']

function bankAccountOf(random: Seeded, { recipient }: Application) {
  return {
    accountName: recipient.name,
    bankName: random.pick(banks),
    accountNumber: `****${random.integer(1000, 9999)}`,
    sortCode: `****${random.integer(10, 99)}`,
  }
}

function disbursement(
  random: Seeded,
  {
    index,
    application,
    payment,
    bankAccount,
  }: {
    index: number
    application: Application
    payment: Payment
    bankAccount: ReturnType<typeof bankAccountOf>
  },
) {
  const { applicationId, fundId, identifier, currency, dates } = application
  const { amount, status, due, description, notes = '' } = payment
  const number = String(index + 1).padStart(3, '0')
  const scheduled = due === null ? null : at(due, '06:00')
  const happened = status === 'PAID' || status === 'FAILED'
  const processed = happened && scheduled !== null ? minutesAfter(scheduled, 95) : null
  return {
    disbursementId: `disbursement-${number}`,
    managedBy: organisation.id,
    grantId: applicationId,
    fundId,
    identifier: `PAY-${number}`,
    amount,
    currency,
    status,
    dates: { scheduled, processed },
    payment: { method: amount > 5000 ? 'CHAPS' : 'BACS', reference: `LCT ${identifier}` },
    bankAccount,
    description,
    notes,
    modifiedBy: random.pick(staffIds),
    dataSource: dayOf(dates.submitted) < '2024-07-01' ? 'import' : 'manual',
    updated: later(dates.awarded ?? '', processed ?? ''),
  }
}
