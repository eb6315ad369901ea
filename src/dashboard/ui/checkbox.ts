import * as z from 'zod'

/** The values of the boxes of one name that were ticked in a form: it says nothing of none, and of one no list. */
export const checkboxValues = z
  .union([z.array(z.string()), z.string().transform((value) => [value])])
  .default(() => [])
