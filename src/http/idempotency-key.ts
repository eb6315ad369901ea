import type { HonoRequest } from 'hono'
import * as z from 'zod'
import { readText } from './body.ts'

/** The header that makes a request safe to repeat. */
export const idempotencyHeaders = z.object({
  'Idempotency-Key': z
    .string()
    .min(1, 'must have 1 to 255 characters.')
    .max(255, 'must have 1 to 255 characters.')
    .optional()
    .meta({
      description:
        'Any text of up to 255 characters. Repeating the request with the same key within 24 hours returns the first response and creates nothing.',
      examples: ['sign-up-2026-03-14-0007'],
    }),
})

/** An idempotency key with the request that it identifies: method, path, body and `$by`. */
export async function parseIdempotencyKey(
  req: HonoRequest,
  key: string | undefined,
  by?: string | undefined,
) {
  if (key === undefined) return undefined
  const request = [req.method, req.path, await readText(req), ...(by === undefined ? [] : [by])]
  return { key, body: JSON.stringify(request) }
}
