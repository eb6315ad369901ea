import type { HonoRequest } from 'hono'
import { matchesEtag, recordBodyEtag, recordEtag } from '../http/etags.ts'
import type { StoredRecord } from '../store/read/single.ts'
import type { Content } from './content.ts'
import type { ListPage } from './list-page.ts'

/** The envelope of a page: the property of its items, where it starts and its maximum number of records. */
type Envelope = {
  plural: string
  offset: number
  limit: number
  /** The address of the following page; absent on the last. */
  next?: string | undefined
  /** The `Link` to the following page. */
  headers?: Record<string, string> | undefined
}

/** The content of a response with a page of a list. */
export function listContent(
  page: ListPage,
  { plural, offset, limit, next, headers }: Envelope,
): Content {
  const { schemaInfo, total } = page
  const properties = {
    [plural]: page.items(),
    ...(schemaInfo !== undefined && { schemaInfo }),
    offset: `${offset}`,
    limit: `${limit}`,
    ...(total !== undefined && { total: `${total}` }),
    ...(next !== undefined && { next: JSON.stringify(next) }),
  }
  return jsonContent(properties, { ...page.headers, ...headers })
}

/** The properties that `$include=times` adds to each record of a list. */
export const timeNames = ['$created', '$updated', '$version'] as const

export const isTimeName = (name: string) => timeNames.some((it) => it === name)

/** A response with one record. `properties` holds JSON texts; `dependsOnOtherData` is true if they also depend on other data. */
type SingleBody = {
  record: Pick<StoredRecord, 'version' | 'changed'>
  properties: Record<string, string>
  dependsOnOtherData: boolean
}

/** The response with one record and its ETag, or 304 if `If-None-Match` has that ETag. */
export async function singleResponse(req: HonoRequest, single: SingleBody): Promise<Response> {
  const body = serialiseObject(single.properties)
  const headers = await validatorHeaders(single, body)
  if (matchesEtag(req.header('If-None-Match') ?? '', headers.ETag)) {
    return new Response(null, { status: 304, headers })
  }
  return new Response(body, { headers: { 'Content-Type': 'application/json', ...headers } })
}

export async function writtenResponse(
  single: SingleBody,
  status: 200 | 201,
  headers: Record<string, string>,
): Promise<Response> {
  const body = serialiseObject(single.properties)
  return new Response(body, {
    status,
    headers: {
      'Content-Type': 'application/json',
      ...(await validatorHeaders(single, body)),
      ...headers,
    },
  })
}

async function validatorHeaders(
  { record: { version, changed }, dependsOnOtherData }: SingleBody,
  body: string,
) {
  const etag = dependsOnOtherData ? await recordBodyEtag(version, body) : recordEtag(version)
  return { ETag: etag, 'Last-Modified': new Date(changed).toUTCString() }
}

export const jsonContent = (
  properties: JsonProperties,
  headers?: Record<string, string>,
): Content => ({
  body: serialiseObject(properties),
  headers: { 'Content-Type': 'application/json', ...headers },
})

/** The properties of a JSON object: JSON texts, or lists of them. */
export type JsonProperties = Record<string, string | readonly string[]>

/** Serialises a JSON object from properties that are already JSON, in their order. */
export function serialiseObject(properties: JsonProperties): string {
  // Adding texts copies nothing until the response is encoded; joining the parts would copy a long list once more.
  let text = ''
  for (const [name, value] of Object.entries(properties)) {
    text += `${text === '' ? '{' : ','}${JSON.stringify(name)}:`
    text += typeof value === 'string' ? value : `[${value.join(',')}]`
  }
  return text === '' ? '{}' : `${text}}`
}
