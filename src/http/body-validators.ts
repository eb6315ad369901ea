import { zValidator } from '@hono/zod-validator'
import type { MiddlewareHandler } from 'hono'
import * as z from 'zod'
import { invalidInput } from '../model/api-error.ts'
import { isObject } from '../model/json.ts'
import { toValidationErrors, withCode } from '../model/validation-error.ts'
import { readJsonBody, rejectDuplicateNames } from './body.ts'
import { type OrganisationSource, removeOrganisation } from './organisation.ts'

// z.record would lose a field called __proto__.
const jsonObject = z.unknown().refine((value): boolean => isObject(value), {
  error: 'The body must be a JSON object.',
  ...withCode('invalid_type'),
})

/** The middleware that validates the JSON body of a route. It throws 400 with every error. */
export const buildBodyValidators = ({
  body,
  organisation,
}: {
  body?: z.ZodType
  organisation?: OrganisationSource
}): MiddlewareHandler[] => [
  readJsonBody,
  zValidator('json', body ? jsonObject.pipe(body) : jsonObject, (result) => {
    if (!result.success) throw invalidInput(toValidationErrors(result.error, result.data))
  }),
  rejectDuplicateNames,
  ...(organisation === 'body' ? [removeOrganisation] : []),
]
