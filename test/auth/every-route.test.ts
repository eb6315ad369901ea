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

const { id, key, add, put, schema } = await newOrganisation()
for (const kind of ['members', 'volunteers', 'partners'] as const) await schema(kind, [])

/** Headers with the token of somebody new, who is let into an organisation with a role. */
async function bearing(role: 'admin' | 'reader', into: typeof add) {
  const person = newPerson()
  await into(person.email, role)
  return { Authorization: `Bearer ${await person.token()}` }
}

const [admin, member] = [await bearing('admin', add), await bearing('reader', add)]
const stranger = await bearing('admin', (await newOrganisation()).add)

test.each(reads)(
  '%s is open to keys and to users of both roles, and shut to others',
  async (path) => {
    const record = crypto.randomUUID()
    await put(path.split('/')[1] ?? '', [{ id: record, document: {} }])
    const at = path.replace(':organisationId', id).replace(/:\w+/, record)
    const ask = async (headers: Record<string, string>, query = `?organisationId=${id}`) =>
      (await request(at + query, { headers })).status

    expect(await ask({ 'x-api-key': key })).toBe(200)
    expect(await ask({ 'x-api-key': key }, '')).toBe(200)
    for (const person of [admin, member]) {
      expect(await ask(person)).toBe(200)
      expect(await ask(person, '')).toBe(tellsOrganisation(path) ? 200 : 400)
      expect(await ask({ 'x-api-key': key, ...person })).toBe(400)
    }
    expect(await ask(stranger)).toBe(401)
    expect(await ask({ Authorization: 'Bearer rubbish' })).toBe(401)
    expect(await ask({})).toBe(401)
  },
)

test('every route is walked', () => {
  expect(reads.length).toBeGreaterThan(15)
})
