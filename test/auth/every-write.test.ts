import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { createKey, rotateKey } from '../../src/admin/keys.ts'
import { listKeys } from '../../src/admin/list-keys.ts'
import { apiRoutes } from '../../src/app.ts'
import { contractOf } from '../../src/http/contract.ts'
import { base, newOrganisation, request } from '../organisation.ts'
import { collections, newWriter, putExamples } from '../resources/writing.ts'
import { newPerson } from './identity.ts'

const root = new URL(base).pathname

const writes = (await apiRoutes())
  .filter(({ method, handler }) => method !== 'GET' && contractOf(handler))
  .map(({ method, path }) => [method, path.slice(root.length)] as const)
  .filter(([method, path]) => `${method} ${path}` !== 'POST /members')

/** An organisation with a record of everything, and headers with the tokens of an administrator, of a reader, and of another organisation's administrator. */
async function newFilled() {
  const writer = await newWriter()
  await putExamples(writer)
  const bearing = async (role: 'admin' | 'reader', { add }: Pick<typeof writer, 'add'>) => {
    const person = newPerson()
    await add(person.email, role)
    return { Authorization: `Bearer ${await person.token()}` }
  }
  return {
    writer,
    admin: await bearing('admin', writer),
    member: await bearing('reader', writer),
    stranger: await bearing('admin', await newOrganisation()),
  }
}

const filled = await newFilled()

test.each(writes)(
  '%s %s is open to keys with the right and to administrators, and shut to others',
  async (method, path) => {
    // What is deleted, the next may need.
    const { writer, admin, member, stranger } = method === 'DELETE' ? await newFilled() : filled
    const { id, key, readingKey, json } = writer
    const isImport = path === '/imports'
    const collection = isImport ? 'events' : (path.split('/')[1] ?? '')
    const { [Object.keys(await json(`/${collection}`))[0] ?? '']: all } = await json(
      `/${collection}`,
    )
    const [, , idName = ''] = collections.find(([name]) => name === collection) ?? []
    const [record] = all as [Record<string, unknown>]
    const shown = await json<Record<string, Record<string, unknown>>>(
      `/${collection}/${record[idName]}`,
    )
    const [plural] = Object.keys(await json(`/${collection}`))
    const [single = {}] = Object.values(shown)
    const { [idName]: own, ...others } = single
    const bodies: Record<string, unknown> = {
      PUT: single,
      POST: isImport ? [single] : others,
      PATCH: path.includes(':') ? {} : { [String(plural)]: [single] },
    }
    const at = path.replace(/:\w+/, String(own))
    const ask = async (headers: Record<string, string>, query = `?organisationId=${id}`) => {
      const named = `${query}${query ? '&' : '?'}collection=events`
      const { status } = await request(at + (isImport ? named : query), {
        method,
        headers: { ...headers, 'Content-Type': 'application/json' },
        ...(method !== 'DELETE' && { body: JSON.stringify(bodies[method]) }),
      })
      return status
    }
    expect(await ask({})).toBe(401)
    expect(await ask({ Authorization: 'Bearer rubbish' })).toBe(401)
    expect(await ask(stranger)).toBe(401)
    expect(await ask({ 'x-api-key': key, ...admin })).toBe(400)
    expect(await ask({ 'x-api-key': readingKey })).toBe(403)
    expect(await ask(member)).toBe(403)
    expect(await ask(admin, '')).toBe(400)
    // A record that others name stays; one that is gone is gone for the next.
    const done = { POST: isImport ? [200, 200] : [201, 201], DELETE: [204, 404] }[method] ?? [
      200, 200,
    ]
    const statuses = [await ask(admin), await ask({ 'x-api-key': key }, '')]
    expect([done, [409, 409]]).toContainEqual(statuses)
  },
)

test('every route that writes is walked', () => {
  expect(writes).toHaveLength(11 * 5 - 1 + 1)
})

test('a key that takes the place of another has its rights', async () => {
  const { act } = await newOrganisation()
  const { organisationId, by } = act
  const may = ['read', 'create-members', 'write']
  const { id } = await createKey(env, organisationId, 'nightly', by, undefined, may)
  const made = await rotateKey(env, { organisationId, id, by }, 60)
  const rights = new Map(
    (await listKeys(env.DB, organisationId)).map((key) => [key.id, key.rights]),
  )
  expect([rights.get(id), rights.get(String(made?.id)), rights.get(act.id)]).toEqual([
    'read,create-members,write',
    'read,create-members,write',
    'read,create-members',
  ])
})
