import * as z from 'zod'
import { type ErrorType, statuses } from './api-error.ts'

/** The body of every error (contract 7, decisions 4). */
export const ErrorBody = z
  .strictObject({
    type: z
      .enum(Object.keys(statuses) as ErrorType[])
      .meta({ description: 'What went wrong, for programs.', examples: ['BAD_REQUEST'] }),
    message: z.string().meta({
      description: 'The error for people: the parameter or field, and the allowed values.',
      examples: ['limit: must be a whole number from 1 to 250.'],
    }),
  })
  .meta({ id: 'Error', description: 'What went wrong.' })
