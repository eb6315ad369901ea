import { env } from 'cloudflare:workers'
import { beforeAll, expect, test } from 'vitest'
import { everything, putEverything } from '../examples/everything.ts'
import { fields } from '../examples/people.ts'
import { createKey } from '../keys.ts'
import { newOrganisation } from '../organisation.ts'

let organisation: Awaited<ReturnType<typeof newOrganisation>>

beforeAll(async () => {
  organisation = await newOrganisation()
  await putEverything(organisation)
})

const send = (path: string, headers: Record<string, string> = {}, key = organisation.key) =>
  organisation.get(path, { headers: { 'x-api-key': key, ...headers } })

const strict = { Prefer: 'handling=strict' }

test.each(Object.keys(everything))('strict: %s refuse an unknown filter', async (name) => {
  for (const format of ['json', 'csv', 'ndjson']) {
    const path = `/${name}?$format=${format}`
    const known = await send(path, strict)
    expect([known.status, known.headers.get('Preference-Applied')]).toEqual([
      200,
      'handling=strict',
    ])
    const lenient = await send(`${path}&sort=-start`)
    expect([lenient.status, lenient.headers.get('Preference-Applied')]).toEqual([200, null])
    expect(lenient.headers.get('Warning')).toContain('Unknown filter \\"sort\\"')
    const refused = await send(`${path}&sort=-start`, strict)
    const { type, message } = await refused.json<{ type: string; message: string }>()
    expect([refused.status, type]).toEqual([400, 'BAD_REQUEST'])
    expect(message).toMatch(/^sort: is not a field of these records\. Did you mean [^"]+\?$/)
  }
})

test('strict: the error names every unknown parameter with the nearest field', async () => {
  const problem = { ...strict, Accept: 'application/problem+json' }
  const response = await send('/bookings?event=1&usrStatus=x&memberId=2', problem)
  const { status, errors } = await response.json<{ status: number; errors: object[] }>()
  expect(status).toBe(400)
  expect(errors).toEqual(
    [
      ['event', 'eventId'],
      ['usrStatus', 'userStatus'],
    ].map(([field, nearest]) => ({
      field,
      message: `is not a field of these records. Did you mean ${nearest}?`,
      code: 'unknown_field',
    })),
  )
})

test('strict: a hidden field is refused like an unknown one', async () => {
  const bare = await newOrganisation(fields.filter(({ id }) => id !== 'Phone'))
  const { key } = await createKey(env, organisation.id, 'a', 'a test', undefined, ['read'], {
    hideFields: ['Phone', 'creator', 'userEmail'],
  })
  for (const path of ['/members?Phone=07700900123', '/volunteers?Phone=1&$format=csv']) {
    const absent = await bare.get(path, { headers: { 'x-api-key': bare.key, ...strict } })
    const hidden = await send(path, strict, key)
    expect([path, hidden.status, await hidden.json()]).toEqual([path, 400, await absent.json()])
    expect((await send(path, strict)).status).toBe(200)
  }
  for (const [path, name] of [
    ['/case-notes?Creator=user-1', 'Creator'],
    ['/bookings?userEmail=ada@example.org', 'userEmail'],
  ] as const) {
    const hidden = await send(path, strict, key)
    expect(hidden.status).toBe(400)
    expect(await hidden.text()).toContain(`"${name}: is not a field of these records. Did you`)
    expect((await send(path, strict)).status).toBe(200)
  }
})

test('the page memory and ETags tell strict and lenient handling apart', async () => {
  const path = '/events?bookble=true'
  const etag = (await send(path)).headers.get('ETag') ?? ''
  for (const tags of [etag, '*', '']) {
    const headers = { ...strict, 'If-None-Match': tags }
    expect([tags, (await send(path, headers)).status]).toEqual([tags, 400])
  }
  expect((await send(path, { 'If-None-Match': etag })).status).toBe(304)
  const known = '/events?bookable=true'
  const [lenient, handled] = [await send(known), await send(known, strict)]
  expect(handled.headers.get('ETag')).not.toBe(lenient.headers.get('ETag'))
  expect(await handled.text()).toBe(await lenient.text())
  const repeated = await send(known, strict)
  expect(repeated.headers.get('Preference-Applied')).toBe('handling=strict')
  expect((await send(known)).headers.has('Preference-Applied')).toBe(false)
})

test('the first handling of a Prefer header counts', async () => {
  for (const [header, status] of [
    ['handling=strict', 400],
    ['respond-async, HANDLING = "Strict"; x=1, wait=5', 400],
    ['handling=strict, handling=lenient', 400],
    ['handling=lenient, handling=strict', 200],
    ['handling=stricter', 200],
    ['mishandling=strict', 200],
    ['handling', 200],
    ['', 200],
  ] as const) {
    const response = await send('/events?sort=start', { Prefer: header })
    expect([header, response.status]).toEqual([header, status])
  }
})

test('a Warning names three unknown parameters and counts the others', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `${'é'.repeat(90)}${index}`)
  const query = new URLSearchParams(names.map((name) => [name, '1']))
  const warning = (await send(`/members?${query}`)).headers.get('Warning') ?? ''
  expect(warning.length).toBeLessThan(4000)
  const warnings = warning.split(', ')
  expect(warnings).toHaveLength(4)
  for (const text of warnings.slice(0, 3))
    expect(text).toMatch(/^299 - "Unknown filter \\"(%C3%A9){64}\\"\. Did you mean \\"[^"]+\\"\?"$/)
  expect(warnings[3]).toBe('299 - "Unknown filters besides these: 17."')
  const two = await send('/events?bookble=true&nme=x&tags=y')
  expect(two.headers.get('Warning')).toBe(
    '299 - "Unknown filter \\"bookble\\". Did you mean \\"bookable\\"?", 299 - "Unknown filter \\"nme\\". Did you mean \\"name\\"?"',
  )
})
