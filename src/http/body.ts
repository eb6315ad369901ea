import type { HonoRequest, MiddlewareHandler } from 'hono'
import { ApiError, invalidField } from '../model/api-error.ts'
import { formatNumber } from '../platform/format-number.ts'
import { findDuplicateName } from './duplicate-names.ts'

/** The maximum size of a body, except an imported file. */
export const maxBodyBytes = 1 << 20
const jsonType = /^application\/([\w.-]+\+)?json\s*(;\s*charset="?utf-8"?\s*)?$/i

/** The text of a request's body. Throws 413 over 1 MiB, 400 if it is not UTF-8. */
export function readText(req: HonoRequest): Promise<string> {
  // Hono caches the promise here, and `req.json()` uses it too.
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

/** The text of a JSON body. Throws 415 for another media type. */
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

/** The fields of a form; a repeated field is a list. Throws 413 over 1 MiB or 1,000 fields, 400 for an invalid form. */
export async function readFormBody(req: HonoRequest): Promise<Record<string, unknown>> {
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

/** The maximum number of fields in a form; each value of a repeated field counts. */
export const maxFormFields = 1000

/** The fields of a form, grouped by name, with the values in order. */
export class FieldGroups<Value> {
  readonly byName = new Map<string, Value[]>()
  #count = 0

  /** Adds a field. Throws 413 if the form has too many. */
  add(name: string, value: Value): void {
    if (++this.#count > maxFormFields) {
      throw new ApiError(
        'PAYLOAD_TOO_LARGE',
        `A form must have at most ${formatNumber(maxFormFields)} fields.`,
      )
    }
    const values = this.byName.get(name)
    // Append: copying for each value would take quadratic time.
    if (values) values.push(value)
    else this.byName.set(name, [value])
  }
}

const maxBytesDrained = 100 << 20

/** Yields the chunks of a body. Throws 413 with `message` over `maxBytes`. */
export async function* readAtMost(
  maxBytes: number,
  source: AsyncIterable<Uint8Array> | null,
  message: string,
): AsyncGenerator<Uint8Array> {
  let length = 0
  for await (const chunk of source ?? []) {
    length += chunk.byteLength
    if (length <= maxBytes) yield chunk
    // Drain the rest: otherwise a client that is still sending sees a broken connection.
    else if (length > maxBytesDrained) break
  }
  if (length > maxBytes) throw new ApiError('PAYLOAD_TOO_LARGE', message)
}
