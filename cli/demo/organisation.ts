import { emailOf, fullName } from './names.ts'

export const organisation = { id: 'demo', name: 'Larkwell Community Trust' }

/** The day the records were last kept: what is later has been planned and has not happened. */
export const present = '2026-06-30'

/** The people who work for the organisation, as records refer to its users. */
export const staff = Array.from({ length: 6 }, (_, index) => {
  const name = fullName(1000 + index)
  return { userId: `user-staff-${index + 1}`, name, email: emailOf(name) }
})

export const staffIds = staff.map(({ userId }) => userId)
