import * as z from 'zod'

/** The parameter of a deletion that says what of the records that name it. */
export const cascadeParameter = {
  $cascade: z
    .enum(['true', 'false'], 'must be true or false.')
    .default('false')
    .meta({
      description:
        'Whether the records that make no sense without this one are deleted as well, and it is taken out of the others that name it.',
      examples: ['true'],
    }),
}
