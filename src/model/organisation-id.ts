import * as z from 'zod'

/** First segments of the dashboard's own pages, below /dashboard, where an organisation's pages lie too. */
export const dashboardPages: readonly string[] = ['sign-in', 'sign-out']

/** The id of a new organisation: it is a segment of paths, and of none that is taken. */
export const OrganisationId = z
  .string()
  .regex(
    /^\w[\w.~-]{0,63}$/,
    'must be 1 to 64 letters, digits or any of - _ . ~, and begin with a letter, a digit or _.',
  )
  .refine(
    (id) => !dashboardPages.includes(id),
    `must not be ${dashboardPages.join(' or ')}, which is a page of the dashboard.`,
  )
