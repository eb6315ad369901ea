import { expect, test } from 'vitest'
import { newOrganisation } from '../organisation.ts'

const names = (count: number) => Array.from({ length: count }, (_, index) => `f${index}=x`)

test('a query that cannot be meant is refused, each fault by name', async () => {
  const { get } = await newOrganisation()
  const limit = 'limit: must be a whole number from 1 to 250.'
  const offset = 'offset: must be a whole number of at least 0.'
  for (const [query, message] of Object.entries({
    'limit=0': limit,
    'limit=251': limit,
    [`limit=${'9'.repeat(400)}`]: limit,
    'limit=': limit,
    limit: limit,
    'limit=1.5': limit,
    'limit=1e1': limit,
    'limit=+1': limit,
    'limit=0x10': limit,
    'limit=-1&offset=-1': `${limit} ${offset}`,
    'offset=-1': offset,
    'offset=1.0': offset,
    'offset=9007199254740992': offset,
    'offset=99999999999999999999': offset,
    'limit=5&limit=5': 'limit: may appear only once.',
    'tags=a&tags=b': 'tags: may appear only once.',
    'x=1&y=1&x=1&y=1': 'x: may appear only once. y: may appear only once.',
    '__proto__=1&__proto__=1': '__proto__: may appear only once.',
    '$search=name': '$search: is not a parameter of this route.',
    '$expand=venue': '$expand: is not a parameter of this route.',
    '$postcode=SW1A': '$postcode: is not a parameter of this route.',
    $: '$: is not a parameter of this route.',
    [names(21).join('&')]: 'At most 20 filters are allowed.',
    [[...names(20), 'bookable=true'].join('&')]: 'At most 20 filters are allowed.',
    [`${'n'.repeat(257)}=1`]: `${'n'.repeat(32)}…: must have at most 256 characters.`,
    [`name=${'1'.repeat(4097)}`]: 'name: must be compared with at most 4096 characters.',
    [`parentEventId=${'1'.repeat(4097)}`]:
      'parentEventId: must be compared with at most 4096 characters.',
    'filters[venue.name]=x':
      'filters[venue.name]: must be a parameter with the name of the field, such as venue.name=….',
    'filters[]=x&limit=0': `filters[]: must be a parameter with the name of the field, such as name=…. ${limit}`,
    '=x': 'Every query parameter must have a name.',
    '=': 'Every query parameter must have a name.',
    'limit=5&=x': 'Every query parameter must have a name.',
    [`name=${'x'.repeat(16_384)}`]: 'The URL must have at most 16384 characters.',
    'bookable=1&limit=0': `${limit} bookable: must be true or false.`,
  })) {
    const answer = await get(`/events?${query}`)
    expect([query, answer.status, await answer.json()]).toEqual([
      query,
      400,
      { type: 'BAD_REQUEST', message },
    ])
  }
})

test('a query at the limits is answered', async () => {
  const { get, id } = await newOrganisation()
  for (const query of [
    'limit=250',
    'limit=1',
    'limit=001',
    'offset=0',
    'offset=9007199254740991',
    'offset=9007199254740991&name=x',
    'offset=9007199254740991&name=x&bookable=true',
    names(20).join('&'),
    'filters=x&filters.name=x&filter[name]=x',
    `${'n'.repeat(256)}=${'1'.repeat(4096)}`,
    'name=?=x&limit=1&',
    [...names(20), 'limit=1', 'offset=1', `organisationId=${id}`].join('&'),
  ]) {
    expect([query, (await get(`/events?${query}`)).status]).toEqual([query, 200])
  }
})

test('several filters combine, page by page in the order of arrival', async () => {
  const { put, json } = await newOrganisation()
  const events = Array.from({ length: 60 }, (_, index) => ({
    eventId: `e${index}`,
    bookable: index % 2 === 0,
    tags: ['all', `third-${index % 3}`],
    venue: { name: index < 50 ? 'Hall' : 'Park' },
  }))
  await put(
    'events',
    events.map((document) => ({ id: document.eventId, document })),
  )
  const expected = events.filter(
    ({ bookable, tags, venue }) => bookable && tags.includes('third-0') && venue.name === 'Hall',
  )
  expect(expected).toHaveLength(9)
  for (const offset of [0, 4, 8, 9]) {
    expect(
      await json(`/events?bookable=true&tags=third-0&venue.name=Hall&limit=4&offset=${offset}`),
    ).toEqual({ events: expected.slice(offset, offset + 4), offset, limit: 4, total: 9 })
  }
  const [first] = events
  expect(await json('/events?tags=third-0&limit=1')).toMatchObject({ events: [first], total: 20 })
  expect(await json('/events?tags=third-0&bookable=true&tags.x=y')).toMatchObject({ total: 0 })
})
