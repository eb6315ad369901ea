import * as z from 'zod'

/** The values of the boxes of one name that were ticked in a form: it says nothing of none, and of one no list. */
export const ticked = z
  .union([z.array(z.string()), z.string().transform((one) => [one])])
  .default(() => [])
