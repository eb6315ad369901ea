import type { HonoRequest } from 'hono'
import { ApiError, invalidField } from '../model/api-error.ts'
import { isObject } from '../model/json.ts'
import { findDuplicateName } from './duplicate-names.ts'
import { FieldGroups } from './field-groups.ts'
import { readAtMost } from './read-at-most.ts'

const maxBodyBytes = 1 << 20
const jsonType = /^application\/([\w.-]+\+)?json\s*(;\s*charset="?utf-8"?\s*)?$/i

/** Caches the texts of bodies: several middlewares need them, and a body can be read once. */
const texts = new WeakMap<Request, string>()

/** Returns the text of a request's body. Throws 413 over 1 MiB, 400 if it is not UTF-8 (decisions 6). */
export async function readText({ raw }: HonoRequest): Promise<string> {
  const cached = texts.get(raw)
  if (cached !== undefined) return cached
  const bytes = await readBytes(raw.body)
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
    texts.set(raw, text)
    return text
  } catch {
    throw new ApiError('BAD_REQUEST', 'The body is not valid UTF-8.')
  }
}

/** Returns the JSON object in a request's body. Throws 415 for another media type, 400 for anything but an object. */
export async function readJsonObject(req: HonoRequest): Promise<Record<string, unknown>> {
  if (!jsonType.test(req.header('Content-Type') ?? '')) {
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json in UTF-8.')
  }
  const text = await readText(req)
  const value = parseJson(text)
  if (!isObject(value)) {
    throw new ApiError('BAD_REQUEST', 'The body must be a JSON object.')
  }
  const duplicateName = findDuplicateName(text)
  if (duplicateName !== undefined) throw invalidField(duplicateName, 'duplicate', 'appears twice.')
  return value
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

// The parser's own message quotes the body.
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ApiError('BAD_REQUEST', 'The body is not valid JSON.')
  }
}
