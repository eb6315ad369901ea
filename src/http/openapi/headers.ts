import type { ResponseHeader } from '../contract.ts'

const header = (description: string, example: string) => ({
  description,
  schema: { type: 'string', examples: [example] },
})

/** A header outside the contract. */
const addedHeader = (description: string, example: string) => ({
  ...header(description, example),
  'x-addition': true,
})

/** The headers of responses that clients use, as components. */
export const headers = {
  'RateLimit-Policy': header(
    'How many requests are allowed (`q`) in how many seconds (`w`).',
    '"credential";q=600;w=60',
  ),
  RateLimit: addedHeader(
    'What remains (`r`), and in at most how many seconds it is full again (`t`).',
    '"credential";r=598;t=42, "rows";r=499897;t=1',
  ),
  'X-Request-Id': header(
    'The id of the request, which the log of the service has too.',
    '0b5a2d4e-6c1f-4a83-9f0e-2d7c5b1a8e64',
  ),
  ETag: addedHeader('Identifies the response, for `If-None-Match` and `If-Match`.', '"4711"'),
  'Last-Modified': addedHeader(
    'The time of the last change of the record.',
    'Sat, 14 Mar 2026 09:30:00 GMT',
  ),
  Link: addedHeader(
    'The address of the next page (RFC 8288), for lists as JSON; absent on the last page.',
    '<https://api.example.org/api/v1/events?limit=100&offset=100>; rel="next"',
  ),
  Location: header('The path of the new record.', '/api/v1/members/member-1'),
  Warning: addedHeader(
    'Names the filters on unknown fields, each with the nearest field.',
    '299 - "Unknown filter \\"nmae\\". Did you mean \\"name\\"?"',
  ),
  'Preference-Applied': addedHeader(
    'The preference of the request that the response follows.',
    'handling=strict',
  ),
  'Content-Disposition': addedHeader(
    'The name of the file, for formats besides JSON.',
    'attachment; filename="x.csv"',
  ),
  'Retry-After': header('Seconds to wait before the next request.', '1'),
} satisfies Record<ResponseHeader, object>

export const referToHeaders = (names: readonly ResponseHeader[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
