import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { moveOrganisation } from '../../src/admin/move/move-organisation.ts'
import { createOrganisationIn } from '../../src/admin/organisations.ts'
import { countContents, deleteOrganisation } from '../../src/admin/remove-organisation.ts'
import { listOrganisations } from '../../src/store/organisations.ts'
import { errorOfD1 } from '../faults/d1-error.ts'
import { wrapDatabase } from '../faults/failing-database.ts'
import { findText } from '../store/find-text.ts'
import { newFilledOrganisation } from './filled-organisation.ts'

const listed = async (id: string) =>
  (await listOrganisations(env)).filter((organisation) => organisation.id === id)

test('an organisation is created in a database, also after an interruption, and only once', async () => {
  const id = `org-${crypto.randomUUID()}`
  const DB = wrapDatabase(env.DB, async (make) => {
    if ((await listed(id)).length > 0) throw errorOfD1('Network connection lost.')
    return make()
  })
  const interrupted = createOrganisationIn({ DB, DB_1: env.DB_1 }, 'DB_1', id, 'Oak')
  await expect(interrupted).rejects.toThrow('Network connection lost')
  expect(await createOrganisationIn(env, 'DB_1', id, 'The Oak')).toBe(true)
  for (const database of ['DB', 'DB_1', 'DB_2'])
    expect(await createOrganisationIn(env, database, id, 'Other')).toBe(false)
  expect(await listed(id)).toEqual([
    {
      id,
      name: 'The Oak',
      created: expect.any(String),
      database: 'DB_1',
      movingTo: null,
      records: 0,
      documentBytes: 0,
      measured: '',
    },
  ])
  await expect(createOrganisationIn(env, 'DB_9', 'elm', 'Elm')).rejects.toThrow(
    'There is no database DB_9. The databases are: DB, DB_1, DB_2.',
  )
})

test('an organisation that has moved is removed from every database', async () => {
  const secret = crypto.randomUUID()
  const { id } = await newFilledOrganisation(secret, 20)
  await moveOrganisation(env, id, 'DB_1', () => {})
  await moveOrganisation(env, id, 'DB_2', () => {})
  expect(await listed(id)).toMatchObject([{ database: 'DB_2', records: 31 }])
  expect(await countContents(env, id)).toMatchObject({ keys: 2, users: 1, webhooks: 1 })
  await deleteOrganisation(env, id, () => {})
  expect(await countContents(env, id)).toBeUndefined()
  for (const name of ['DB', 'DB_1', 'DB_2'] as const)
    for (const text of [id, secret])
      expect(await findText({ DB: env[name], KEYS: env.KEYS }, text)).toEqual([])
})
