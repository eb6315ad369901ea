import type { HonoRequest } from 'hono'
import { ApiError } from '../model/api-error.ts'
import { isObject } from '../model/is-object.ts'
import { findDuplicateName } from './duplicate-names.ts'
import { FieldGroups } from './field-groups.ts'
import { readAtMost } from './read-at-most.ts'

const maxBodyBytes = 1 << 20
const jsonType = /^application\/([\w.-]+\+)?json\s*(;\s*charset="?utf-8"?\s*)?$/i

/** The texts of bodies that were read: a body can be read once, and several ask. */
const texts = new WeakMap<Request, string>()

/** The text of a request's body: 413 when it has more than 1 MiB, 400 when it is not UTF-8 (decisions 6). */
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

/** The JSON object that is a request's body: 415 when it is not sent as JSON, 400 when it is no such object. */
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
  if (duplicateName !== undefined)
    throw new ApiError('BAD_REQUEST', `${duplicateName}: is given twice.`)
  return value
}

/** The fields of the form that a request's body is, a list where one is given several times: 413 when it has more than 1 MiB or 1,000 fields, 400 when it is no such form. */
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
    throw new ApiError('BAD_REQUEST', 'The body is not a form that can be read.')
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
