import type { Context } from 'hono'
import type { Env } from '../env.ts'
import { ApiError } from './errors.ts'

const mostBytes = 1 << 20
const jsonType = /^application\/([\w.-]+\+)?json\s*(;\s*charset="?utf-8"?\s*)?$/i

/** The text of a request's body: 413 when it has more than 1 MiB, 400 when it is not UTF-8 (decisions 6). */
export async function bodyText(c: Context<Env>): Promise<string> {
  if (c.var.body !== undefined) return c.var.body
  const bytes = await bodyBytes(c.req.raw.body)
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
    c.set('body', text)
    return text
  } catch {
    throw new ApiError('BAD_REQUEST', 'The body is not valid UTF-8.')
  }
}

/** The JSON object that is a request's body: 415 when it is not sent as JSON, 400 when it is no such object. */
export async function jsonObject(c: Context<Env>): Promise<Record<string, unknown>> {
  if (!jsonType.test(c.req.header('Content-Type') ?? '')) {
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json in UTF-8.')
  }
  const value = parsed(await bodyText(c))
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ApiError('BAD_REQUEST', 'The body must be a JSON object.')
  }
  return value as Record<string, unknown>
}

async function bodyBytes(body: ReadableStream<Uint8Array> | null): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body ?? []) {
    length += chunk.byteLength
    if (length > mostBytes) {
      throw new ApiError('PAYLOAD_TOO_LARGE', 'The body must have at most 1 MiB.')
    }
    chunks.push(chunk)
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer())
}

// The parser's own message quotes the body.
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ApiError('BAD_REQUEST', 'The body is not valid JSON.')
  }
}
