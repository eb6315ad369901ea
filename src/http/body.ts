import type { HonoRequest, MiddlewareHandler } from 'hono'
import { ApiError, invalidField } from '../model/api-error.ts'
import { findDuplicateName } from './duplicate-names.ts'
import { FieldGroups } from './field-groups.ts'
import { readAtMost } from './read-at-most.ts'

const maxBodyBytes = 1 << 20
const jsonType = /^application\/([\w.-]+\+)?json\s*(;\s*charset="?utf-8"?\s*)?$/i

/** Returns the text of a request's body. Throws 413 over 1 MiB, 400 if it is not UTF-8 (decisions 6). */
export function readText(req: HonoRequest): Promise<string> {
  // Hono keeps a promise here, and `req.json()` reads it too.
  if (!req.bodyCache.text) Object.assign(req.bodyCache, { text: decodeBody(req.raw.body) })
  return req.text()
}

async function decodeBody(body: ReadableStream<Uint8Array> | null): Promise<string> {
  const bytes = await readBytes(body)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    throw new ApiError('BAD_REQUEST', 'The body is not valid UTF-8.')
  }
}

/** Middleware that reads the text of a JSON body. Throws 415 for another media type. */
export const readJsonBody: MiddlewareHandler = async ({ req }) => {
  await readJsonText(req)
}

/** Returns the text of a JSON body. Throws 415 for another media type. */
export function readJsonText(req: HonoRequest): Promise<string> {
  if (!jsonType.test(req.header('Content-Type') ?? '')) {
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json in UTF-8.')
  }
  return readText(req)
}

/** Middleware that throws 400 if an object in a valid JSON body has two properties of one name. */
export const rejectDuplicateNames: MiddlewareHandler = async ({ req }) => {
  const name = findDuplicateName(await readText(req))
  if (name !== undefined) throw invalidField(name, 'duplicate', 'appears twice.')
}

/** Returns the fields of a form; a repeated field is a list. Throws 413 over 1 MiB or 1,000 fields, 400 for an invalid form. */
export async function readForm(req: HonoRequest): Promise<Record<string, unknown>> {
  const fields = new FieldGroups<string | File>()
  for (const [name, value] of await readFormData(req)) fields.add(name, value)
  return Object.fromEntries(
    [...fields.byName].map(([name, values]) => [name, values.length > 1 ? values : values[0]]),
  )
}

async function readFormData(req: HonoRequest): Promise<FormData> {
  const headers = { 'Content-Type': req.header('Content-Type') ?? '' }
  const form = new Response(await readBytes(req.raw.body), { headers })
  try {
    return await form.formData()
  } catch {
    throw new ApiError('BAD_REQUEST', 'The body is not a valid form.')
  }
}

async function readBytes(body: ReadableStream<Uint8Array> | null): Promise<Uint8Array> {
  const chunks = readAtMost(maxBodyBytes, body, 'The body must have at most 1 MiB.')
  return new Uint8Array(await new Blob(await Array.fromAsync(chunks)).arrayBuffer())
}
