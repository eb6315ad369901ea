import * as z from 'zod'

/** The parser for the ticked values of a checkbox group. Forms send nothing for no value and plain text for a single one. */
export const checkboxValues = z
  .union([z.array(z.string()), z.string().transform((value) => [value])])
  .default(() => [])
