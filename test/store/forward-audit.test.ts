import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { forwardAuditEntries } from '../../src/store/forward-audit.ts'
import { listAudit } from '../audit.ts'
import { newPerson } from '../auth/identity.ts'
import { newOrganisation } from '../organisation.ts'

/** The entries in `DB_1` about memberships. Between them and those of the database itself, the ids have no order. */
const listUsersAdded = async (id: string) =>
  (await listAudit(env.DB_1, id)).filter(({ action }) => action.startsWith('added user'))

const failDeletes = (): D1Database =>
  Object.create(env.DB, {
    prepare: {
      value(query: string) {
        if (query.startsWith('DELETE')) throw new Error('D1_ERROR: Network connection lost.')
        return env.DB.prepare(query)
      },
    },
  })

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
  expect(await listUsersAdded(second.id)).toEqual(before)
  expect(await listAudit(env.DB, first.id)).toHaveLength(3)
})

/** Forwards entries, and loses the connection before they are deleted from `DB`. */
async function interruptForwarding() {
  await expect(forwardAuditEntries({ ...env, DB: failDeletes() })).rejects.toThrow(
    'connection lost',
  )
}

test('a repeated run after an interrupted one adds no entry twice, and loses none', async () => {
  const { id, add } = await newOrganisation(null, 'DB_1')
  await add(newPerson().email)
  const before = await listAudit(env.DB, id)
  await interruptForwarding()
  expect(await listAudit(env.DB, id)).toEqual(before)
  await forwardAuditEntries(env)
  expect(await listAudit(env.DB, id)).toEqual([])
  expect(await listUsersAdded(id)).toEqual(before)
})

test('an entry stays while its organisation is on its way to another database', async () => {
  const { id, add } = await newOrganisation(null, 'DB_1')
  await add(newPerson().email)
  await env.DB_1.prepare("UPDATE organisations SET database = 'DB_2' WHERE id = ?").bind(id).run()
  await forwardAuditEntries(env)
  expect(await listAudit(env.DB, id)).toHaveLength(1)
})

test('an entry with the id of another entry there is added once, and replaces none', async () => {
  const [other, { id, add }] = [
    await newOrganisation(null, 'DB_1'),
    await newOrganisation(null, 'DB_1'),
  ]
  await add(newPerson().email)
  const added = await listAudit(env.DB, id)
  const others = await listAudit(env.DB_1, other.id)
  await env.DB_1.prepare(
    'UPDATE audit_log SET id = (SELECT max(id) FROM audit_log) + 1 WHERE organisation_id = ?',
  )
    .bind(other.id)
    .run()
  await env.DB.prepare('UPDATE audit_log SET id = ? WHERE organisation_id = ?')
    .bind(
      await env.DB_1.prepare('SELECT id FROM audit_log WHERE organisation_id = ?')
        .bind(other.id)
        .first('id'),
      id,
    )
    .run()
  await interruptForwarding()
  await expect(forwardAuditEntries({ ...env, DB: failDeletes() })).rejects.toThrow(
    'connection lost',
  )
  await forwardAuditEntries(env)
  expect(await listUsersAdded(id)).toEqual(added)
  expect(await listAudit(env.DB_1, other.id)).toEqual(others)
})
