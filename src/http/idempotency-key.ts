import * as z from 'zod'

/** The header by which a request may be sent again (decisions 6). */
export const idempotencyHeaders = z.object({
  'Idempotency-Key': z
    .string()
    .min(1, 'must have 1 to 255 characters.')
    .max(255, 'must have 1 to 255 characters.')
    .optional()
    .meta({
      description:
        'Any text of up to 255 characters. A request that is sent again with it within 24 hours gets the first answer again and creates nothing.',
      examples: ['sign-up-2026-03-14-0007'],
    }),
})
