import { expect, test } from 'vitest'
import { apiRoutes } from '../../src/app.ts'
import { contractOf } from '../../src/http/contract.ts'
import { base, newOrganisation, request } from '../organisation.ts'
import { newPerson } from './identity.ts'

const root = new URL(base).pathname

const reads = [
  ...new Set(
    (await apiRoutes())
      .filter(({ method, handler }) => method === 'GET' && contractOf(handler))
      .map(({ path }) => path.slice(root.length)),
  ),
]

/** Whether the path tells the organisation, so that a token need not. */
const tellsOrganisation = (path: string) => /^\/(schemas|members)\/:/.test(path)

test.each(reads)(
  '%s is open to keys and to users of both roles, and shut to others',
  async (path) => {
    const { id, key, add, put, schema } = await newOrganisation()
    const [admin, member, stranger] = [newPerson(), newPerson(), newPerson()]
    await add(admin.email, 'admin')
    await add(member.email, 'reader')
    await (await newOrganisation()).add(stranger.email, 'admin')
    const record = crypto.randomUUID()
    const collection = path.split('/')[1] ?? ''
    await put(collection, [{ id: record, document: {} }])
    for (const kind of ['members', 'volunteers', 'partners'] as const) await schema(kind, [])
    const at = path.replace(':organisationId', id).replace(/:\w+/, record)
    const ask = async (headers: Record<string, string>, query = `?organisationId=${id}`) =>
      (await request(at + query, { headers })).status
    const bearer = async (person: typeof admin) => ({
      Authorization: `Bearer ${await person.token()}`,
    })

    expect(await ask({ 'x-api-key': key })).toBe(200)
    expect(await ask({ 'x-api-key': key }, '')).toBe(200)
    for (const person of [admin, member]) {
      expect(await ask(await bearer(person))).toBe(200)
      expect(await ask(await bearer(person), '')).toBe(tellsOrganisation(path) ? 200 : 400)
      expect(await ask({ 'x-api-key': key, ...(await bearer(person)) })).toBe(400)
    }
    expect(await ask(await bearer(stranger))).toBe(401)
    expect(await ask({ Authorization: 'Bearer rubbish' })).toBe(401)
    expect(await ask({})).toBe(401)
  },
)

test('every route is walked', () => {
  expect(reads.length).toBeGreaterThan(15)
})
