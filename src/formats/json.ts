import type { HonoRequest } from 'hono'
import * as z from 'zod'
import { addition } from '../http/contract.ts'
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
export const timeProperties = {
  $created: timeProperty('RecordCreated', 'created'),
  $updated: timeProperty('RecordUpdated', 'last changed'),
  $version: z
    .int()
    .meta({
      id: 'RecordVersion',
      description:
        'A number that grows with every change in the organisation. Only in lists with `$include=times`.',
      ...addition,
      examples: [4711],
    })
    .optional(),
}

function timeProperty(id: string, event: string) {
  return z.iso
    .datetime({ precision: 3 })
    .meta({
      id,
      description: `The time when the record was ${event} here, in UTC. Only in lists with \`$include=times\`.`,
      ...addition,
      examples: ['2026-03-14T09:30:00.000Z'],
    })
    .optional()
}

/** The type of a list's records, which have times on request. */
export const addTimes = (record: z.ZodObject, id = record.meta()?.id) =>
  record.extend(timeProperties).meta({ id })

// Without a type of further properties, `'name' in record` tells complete records from these in TypeScript.
const SelectedRecord = z.unknown().meta({
  id: 'SelectedRecord',
  type: 'object',
  description: 'A record of a list with `$select`: its id and the selected properties.',
  examples: [{ eventId: 'event-open-day-1', name: 'Open Day' }],
  ...addition,
})

export const listResponseType = (
  plural: string,
  item: z.ZodType,
  { schemaInfo, counted = true }: { schemaInfo?: z.ZodType; counted?: boolean } = {},
) =>
  z.strictObject({
    [plural]: z
      .array(z.union([item, SelectedRecord]))
      .meta({ description: 'The records of this page, in order of arrival.' }),
    ...(schemaInfo && { schemaInfo }),
    offset: pageNumber('PageOffset', 'The number of records that were skipped.', 0),
    limit: pageNumber('PageLimit', 'The maximum number of records in a page.', 100),
    total: counted ? pageTotal : requestedTotal,
    next: nextAddress,
  })

const pageNumber = (id: string, description: string, example: number) =>
  z.int().meta({ id, description, examples: [example] })

const pageTotal = pageNumber(
  'PageTotal',
  'The number of records that match the filters. Absent after the first page of a list with `$skiptoken`.',
  412,
).optional()

const requestedTotal = z
  .int()
  .meta({
    id: 'RequestedTotal',
    description:
      'The number of records that match the filters. Only with `$count=true`, on the first page.',
    ...addition,
    examples: [412],
  })
  .optional()

const nextAddress = z
  .string()
  .meta({
    id: 'NextAddress',
    description:
      'The address of the following page, as path and query. Only with `$filter`, `$orderby`, `$count` or `$skiptoken`, and absent on the last page.',
    ...addition,
    examples: ['/api/v1/events?$filter=bookable%20eq%20true&$skiptoken=k3Jd0hQm9sYxVw2c'],
  })
  .optional()

export const createdResponseType = (singular: string) =>
  z.strictObject({
    [singular]: CreatedRecord,
  })

const CreatedRecord = z
  .strictObject({
    id: z.string().meta({
      description: 'The id from the request, or a new one.',
      examples: ['3f1c2b7e-58a4-4a0e-9d53-0c6b1f1f7a11'],
    }),
  })
  .meta({ id: 'CreatedRecord', description: 'The new record.' })

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
  // Join once: another copy of a long list costs about 5 % of the request.
  const pieces = ['{']
  for (const [name, value] of Object.entries(properties)) {
    pieces.push(pieces.length > 1 ? ',' : '', JSON.stringify(name), ':')
    if (typeof value === 'string') pieces.push(value)
    else {
      pieces.push('[')
      for (const [index, text] of value.entries()) pieces.push(index > 0 ? ',' : '', text)
      pieces.push(']')
    }
  }
  pieces.push('}')
  return pieces.join('')
}
