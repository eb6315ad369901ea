import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { forwardAuditEntries } from '../../src/store/forward-audit.ts'
import { listAudit } from '../audit.ts'
import { newPerson } from '../auth/identity.ts'
import { newOrganisation } from '../organisation.ts'

test("the entries about memberships reach their organisation's database, once and in order", async () => {
  const [first, second] = [await newOrganisation(), await newOrganisation(null, 'DB_1')]
  const [ana, ben] = [newPerson().email, newPerson().email]
  for (const { add } of [first, second]) {
    await add(ana, 'reader')
    await add(ben, 'admin')
  }
  const before = await listAudit(env.DB, second.id)
  expect(before).toHaveLength(2)
  await forwardAuditEntries(env)
  await forwardAuditEntries(env)
  expect(await listAudit(env.DB, second.id)).toEqual([])
  expect((await listAudit(env.DB_1, second.id)).slice(0, 2)).toEqual(before)
  expect(await listAudit(env.DB, first.id)).toHaveLength(3)
})

test('a repeated run after an interrupted one adds no entry twice, and loses none', async () => {
  const { id, add } = await newOrganisation(null, 'DB_1')
  await add(newPerson().email)
  const before = await listAudit(env.DB, id)
  const DB: D1Database = Object.create(env.DB, {
    prepare: {
      value(query: string) {
        if (query.startsWith('DELETE')) throw new Error('D1_ERROR: Network connection lost.')
        return env.DB.prepare(query)
      },
    },
  })
  await expect(forwardAuditEntries({ ...env, DB })).rejects.toThrow('connection lost')
  expect(await listAudit(env.DB, id)).toEqual(before)
  await forwardAuditEntries(env)
  expect(await listAudit(env.DB, id)).toEqual([])
  expect((await listAudit(env.DB_1, id)).slice(0, 1)).toEqual(before)
})

test('an entry stays while its organisation is on its way to another database', async () => {
  const { id, add } = await newOrganisation(null, 'DB_1')
  await add(newPerson().email)
  await env.DB_1.prepare("UPDATE organisations SET database = 'DB_2' WHERE id = ?").bind(id).run()
  await forwardAuditEntries(env)
  expect(await listAudit(env.DB, id)).toHaveLength(1)
})
