import type { HonoRequest } from 'hono'
import { jsonWildcards, parseAccept } from '../http/accept.ts'
import { invalidField } from '../model/api-error.ts'
import { UnsupportedError } from './errors.ts'

/** The media type of all responses but the metadata document and errors. */
export const jsonType = 'application/json;odata.metadata=minimal'

/** Throws 400 for a client that understands only versions before 4.0 (OData Protocol 4.0, 8.2.7). */
export function requireVersion(req: HonoRequest): void {
  const version = req.header('OData-MaxVersion')
  if (version !== undefined && !(Number(version) >= 4))
    throw invalidField('OData-MaxVersion', 'not_allowed', 'must be at least 4.0.')
}

/** Throws 406 unless `$format`, or without it the Accept header, allows JSON with minimal metadata. */
export function requireJson(req: HonoRequest, format: string | undefined): void {
  if (format === 'json') return
  const ranges = parseAccept(format ?? (req.header('Accept') || '*/*'))
  if (!ranges.some(isMinimalJson)) throw unavailable('application/json;odata.metadata=minimal')
}

/** Throws 406 if `$format` asks for another format than XML. The Accept header does not count: Excel prefers JSON in every request. */
export function requireXml(format = 'xml'): void {
  if (!['xml', 'application/xml'].includes(format)) throw unavailable('application/xml')
}

type Range = ReturnType<typeof parseAccept>[number]

const isMinimalJson = ({ type, parameters, quality }: Range) =>
  quality > 0 &&
  (jsonWildcards.has(type) ||
    (type === 'application/json' && !parameters.some((it) => unsupportedParameters.has(it))))

const unsupportedParameters = new Set([
  'odata.metadata=full',
  'odata.metadata=none',
  'ieee754compatible=true',
])

const unavailable = (type: string) =>
  new UnsupportedError(406, `This resource is available only as ${type}.`)
