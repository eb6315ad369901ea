import * as z from 'zod'
import { messages } from '../../model/validation-error.ts'

/** The parameter that decides about records that refer to a deleted one. */
export const cascadeParameter = {
  $cascade: z
    .enum(['true', 'false'], messages.boolean)
    .default('false')
    .meta({
      description:
        'Whether to delete the records that depend on this one and to unlink it from all others.',
      examples: ['true'],
    }),
}
