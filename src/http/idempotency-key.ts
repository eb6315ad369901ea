import type { HonoRequest } from 'hono'
import { readText } from './body.ts'
import { shortText } from './parameters.ts'

const lengthMessage = 'must have 1 to 255 characters.'

/** The header that makes a request safe to repeat. */
export const idempotencyHeaders = {
  'Idempotency-Key': shortText(
    255,
    {
      description:
        'Any text of up to 255 characters. Repeating the request with the same key within 24 hours returns the first response and creates nothing.',
      example: 'sign-up-2026-03-14-0007',
    },
    { empty: lengthMessage, long: lengthMessage },
  ),
}

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
