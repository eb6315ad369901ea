import type { ValueFormat } from '../ui/format-value.ts'

const money =
  /^(?:bookingDetails\.price|customPrice|amount\w*|financials\.(?:total|max|amount)\w*)$/
const codes =
  /^(?:userStatus|orgStatus|bookingType|type|status|formFor|payment\.method|recurrence\.type|recipient\.type|dataSource)$/

/** How pages show a property of a structured record. */
export function findFormat(name: string): ValueFormat | undefined {
  if (money.test(name)) return 'money'
  if (name === 'colour') return 'colour'
  if (name === 'recurrence.rrule') return 'repetition'
  return codes.test(name) ? 'code' : undefined
}

const technical =
  /(?:^|\.)(?:\w*Ids?|managedBy|user|booker|creator|submittedTo|\w+By|dataSource|id|source)$/

/** Whether a property means something to a system only, such as the id of an account. */
export const isTechnical = (name: string): boolean => technical.test(name)
