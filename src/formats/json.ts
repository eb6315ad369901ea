import type { HonoRequest } from 'hono'
import * as z from 'zod'
import { sha256 } from '../platform/sha256.ts'
import type { StoredRecord } from '../store/read/single.ts'

/** A page of a list as a handler gives it: its items as JSON texts, and what is told beside them. */
export type ListBody = {
  /** The key of the list. */
  plural: string
  items: readonly string[]
  /** JSON text; only lists of volunteers and partners have it. */
  schemaInfo?: string
  offset: number
  limit: number
  /** Left out where the list tells none (contract 4.2: members). */
  total?: number | undefined
  headers?: Record<string, string>
}

/** The answer with a page of a list (contract 4.1). */
export function listResponse({
  plural,
  items,
  schemaInfo,
  offset,
  limit,
  total,
  headers,
}: ListBody) {
  const properties = {
    [plural]: items,
    ...(schemaInfo !== undefined && { schemaInfo }),
    offset: `${offset}`,
    limit: `${limit}`,
    ...(total !== undefined && { total: `${total}` }),
  }
  return jsonResponse(properties, headers)
}

/** What each record of a list has, after everything else, where its times are asked for (additions 2). */
export const timeProperties = {
  $created: timeProperty('created'),
  $updated: timeProperty('last changed'),
  $version: z
    .int()
    .optional()
    .meta({
      description:
        'An addition to the contract: a number that grows with every change of anything in the organisation; only with `$show=times`.',
      examples: [4711],
    }),
}

function timeProperty(event: string) {
  return z.iso
    .datetime({ precision: 3 })
    .optional()
    .meta({
      description: `An addition to the contract: when the record was ${event} here, in UTC; only with \`$show=times\`.`,
      examples: ['2026-03-14T09:30:00.000Z'],
    })
}

/** What `listAnswer` gives of items of a type. */
export const listResponseType = (
  plural: string,
  item: z.ZodType,
  { schemaInfo, counted = true }: { schemaInfo?: z.ZodType; counted?: boolean } = {},
) =>
  z.strictObject({
    [plural]: z
      .array(item)
      .meta({ description: 'The records of this page, in the order in which they arrived.' }),
    ...(schemaInfo && { schemaInfo }),
    offset: z
      .int()
      .meta({ description: 'How many records were passed over, as asked for.', examples: [0] }),
    limit: z.int().meta({
      description: 'How many records the page has at most, as asked for.',
      examples: [100],
    }),
    ...(counted && {
      total: z
        .int()
        .meta({ description: 'How many records pass the filters in all.', examples: [412] }),
    }),
  })

/** The answer to what created a record, under the name of one. */
export const createdResponseType = (singular: string) =>
  z.strictObject({
    [singular]: z
      .strictObject({
        id: z.string().meta({
          description: 'Its id: the one that was given, or a new one.',
          examples: ['3f1c2b7e-58a4-4a0e-9d53-0c6b1f1f7a11'],
        }),
      })
      .meta({ description: 'The record that was created.' }),
  })

/** One record to answer with: when it was last changed, the members of the answer as JSON texts, and whether these also show another record. */
type SingleBody = {
  kept: Pick<StoredRecord, 'version' | 'changed'>
  properties: Record<string, string>
  showsOther: boolean
}

/** Returns the answer with one record and its ETag; 304 where the request has that ETag (additions 1). */
export async function singleResponse(req: HonoRequest, single: SingleBody): Promise<Response> {
  const body = serialiseObject(single.properties)
  const headers = await validatorHeaders(single, body)
  if (matchesEtag(req.header('If-None-Match') ?? '', headers.ETag)) {
    return new Response(null, { status: 304, headers })
  }
  return new Response(body, { headers: { 'Content-Type': 'application/json', ...headers } })
}

/** Returns the answer with a record that was just written, and its ETag (additions 1). */
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

/** Returns the headers that change with an answer: its ETag is the record's version, with a hash where another record can change the answer too. */
async function validatorHeaders(
  { kept: { version, changed }, showsOther }: SingleBody,
  body: string,
) {
  const hash = showsOther ? `-${(await sha256(body)).slice(0, 16)}` : ''
  return { ETag: `"${version}${hash}"`, 'Last-Modified': new Date(changed).toUTCString() }
}

/** Returns whether an If-None-Match header names an ETag: `*` names any. */
const matchesEtag = (header: string, etag: string) =>
  header.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()))

/** The answer 200 with a JSON object whose values are JSON texts already, in the order given. */
export const jsonResponse = (properties: JsonProperties, headers?: Record<string, string>) =>
  new Response(serialiseObject(properties), {
    headers: { 'Content-Type': 'application/json', ...headers },
  })

/** What a JSON object has, by name: JSON texts already, or lists of them. */
type JsonProperties = Record<string, string | readonly string[]>

/** The text of a JSON object, in the order given. */
export function serialiseObject(properties: JsonProperties): string {
  // Joined once: each further copy of a long list costs some 5 % of its request.
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
