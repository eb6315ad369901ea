import * as z from 'zod'
import { joinAlternatives } from '../platform/join-names.ts'

/** Path segments below /dashboard that an organisation's id must not take. */
export const dashboardPages: readonly string[] = ['sign-in', 'sign-out', 'set-up']

/** The id of a new organisation: a path segment that is not reserved. */
export const OrganisationId = z
  .string()
  .regex(
    /^\w[\w.~-]{0,63}$/,
    'must be 1 to 64 letters, digits or any of - _ . ~, and begin with a letter, a digit or _.',
  )
  .refine(
    (id) => !dashboardPages.includes(id),
    `must not be ${joinAlternatives(dashboardPages)}, which is a page of the dashboard.`,
  )
