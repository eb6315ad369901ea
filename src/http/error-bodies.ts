import * as z from 'zod'
import { type ErrorType, statuses } from '../model/api-error.ts'
import { errorCodes } from '../model/validation-error.ts'

const errorType = z
  .enum(Object.keys(statuses) as ErrorType[])
  .meta({ description: 'What went wrong, for programs.', examples: ['BAD_REQUEST'] })

/** The body of every error. */
export const ErrorBody = z
  .strictObject({
    type: errorType,
    message: z.string().meta({
      description: 'The error for people: the parameter or field, and the allowed values.',
      examples: ['limit: must be a whole number from 1 to 250.'],
    }),
  })
  .meta({ id: 'Error', description: 'What went wrong.' })

/** The body of an error for requests that accept problem documents (RFC 9457). */
export const ProblemBody = z
  .strictObject({
    type: errorType,
    title: z.string().meta({ description: 'The type in words.', examples: ['Bad request'] }),
    status: z.int().meta({ description: 'The status of the response.', examples: [400] }),
    detail: z.string().meta({
      description: 'The error for people, like `message` in JSON.',
      examples: ['limit: must be a whole number from 1 to 250.'],
    }),
    errors: z
      .array(
        z.strictObject({
          field: z.string().meta({
            description: 'The parameter or field, or empty for the whole record.',
            examples: ['limit'],
          }),
          message: z.string().meta({
            description: 'The error for people.',
            examples: ['must be a whole number from 1 to 250.'],
          }),
          code: z.enum(errorCodes).meta({
            description: 'The error for programs. New codes may be added.',
            examples: ['too_large'],
          }),
        }),
      )
      .meta({ description: 'The invalid parameters and fields, at most 100; often empty.' }),
  })
  .meta({ id: 'Problem', description: 'What went wrong, as RFC 9457 describes it.' })
