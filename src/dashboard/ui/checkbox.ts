import * as z from 'zod'

/** Parses the ticked values of a checkbox group: forms send nothing for none and a plain text for one. */
export const checkboxValues = z
  .union([z.array(z.string()), z.string().transform((value) => [value])])
  .default(() => [])
