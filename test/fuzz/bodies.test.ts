import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { newPerson } from '../auth/identity.ts'
import { newOrganisation, request } from '../organisation.ts'
import { bodiesOf, schemas } from '../resources/bodies.ts'
import { runs } from '../runs.ts'

const person = newPerson()
let bearing: { Authorization: string }

beforeAll(async () => {
  bearing = { Authorization: `Bearer ${await person.token()}` }
})

/** An organisation of the person's. */
async function newTenant(fields: object[]) {
  const organisation = await newOrganisation()
  await organisation.schema('members', fields)
  await organisation.add(person.email)
  const count = async () =>
    (await organisation.json<{ members: object[] }>('/members')).members.length
  return { ...organisation, count }
}

const post = (query: string, body: BodyInit, headers: Record<string, string>) =>
  request(`/members${query}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body,
  })

// A schema of dividers alone has no body that fits.
const storing = schemas.filter(({ fields }) => fields.some(({ type }) => type !== 'divider'))
const good = storing.chain((schema) =>
  fc.record({
    schema: fc.constant(schema),
    body: bodiesOf(schema)
      .filter(({ shown }) => shown !== undefined)
      .map(({ body }) => body),
  }),
)

test('a valid body creates a member with every credential and way to name the organisation', async () => {
  const idempotencyKey = fc.option(
    fc.string({ unit: fc.constantFrom(...'aZ09 _~"%'), minLength: 20, maxLength: 253 }),
    { nil: undefined },
  )
  const source = fc.constantFrom('by the key', 'in the query', 'in the body')
  await fc.assert(
    fc.asyncProperty(good, idempotencyKey, source, async ({ schema, body }, key, source) => {
      const tenant = await newTenant(schema.fields)
      const headers = {
        ...(source === 'by the key' ? { 'x-api-key': tenant.key } : bearing),
        ...(key !== undefined && { 'Idempotency-Key': `<${key}>` }),
      }
      const query = source === 'in the query' ? `?organisationId=${tenant.id}` : ''
      const sent =
        source === 'in the body' ? body.replace('{', `{"organisationId":"${tenant.id}",`) : body
      const answer = await post(query, sent, headers)
      expect(answer.status).toBe(201)
      const location = answer.headers.get('Location')?.replace('/api/v1', '') ?? ''
      expect((await tenant.get(location)).status).toBe(200)
      if (key === undefined) return
      const again = await post(query, sent, headers)
      expect([again.status, await again.text()]).toEqual([201, await answer.text()])
      expect(await tenant.count()).toBe(1)
    }),
    runs(20),
  )
})

test('a body that ends anywhere before its end is refused and makes nothing', async () => {
  const { key, count } = await newTenant([
    { id: 'Full Name', name: 'Full Name', label: 'Name', type: 'text', order: 0 },
    { id: 'tags', name: 'tags', label: 'Tags', type: 'tags', order: 1 },
  ])
  const complete = new TextEncoder().encode('{"Full Name":"Zoë 🙂 \\"O\\"","tags":["a","b"]}')
  const statuses = new Set<number>()
  for (let length = 0; length < complete.length; length++) {
    statuses.add((await post('', complete.slice(0, length), { 'x-api-key': key })).status)
  }
  expect(statuses).toEqual(new Set([400]))
  expect(await count()).toBe(0)
  expect((await post('', complete, { 'x-api-key': key })).status).toBe(201)
})

test('a body that names an organisation twice is refused', async () => {
  const fields = [{ id: 'name', name: 'name', label: 'name', type: 'text', order: 0 }]
  const own = await newTenant(fields)
  const other = await newOrganisation()
  await other.schema('members', fields)
  const naming = (first: string, last: string) =>
    `{"organisationId":"${first}","name":"A","organisationId":"${last}"}`
  expect((await post('', naming(other.id, own.id), bearing)).status).toBe(400)
  expect((await post('', naming(own.id, other.id), bearing)).status).toBe(400)
  expect(await own.count()).toBe(0)
  expect(await other.json('/members')).toMatchObject({ members: [] })
})
