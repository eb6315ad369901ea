import * as z from 'zod'

const maxRecords = 100

/** The maximum number of records in a result. */
export const limitInput = z
  .int('must be a whole number.')
  .min(1, 'must be at least 1.')
  .max(maxRecords, `must be at most ${maxRecords}.`)
  .default(20)
  .meta({ description: 'The maximum number of records to return.' })
