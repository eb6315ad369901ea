import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { countContents, deleteOrganisation } from '../../src/admin/remove-organisation.ts'
import { everything } from '../examples/everything.ts'
import { findText } from '../store/find-text.ts'
import { expectOrganisationIndex, rows } from '../store/whole-index.ts'
import { newFilledOrganisation } from './filled-organisation.ts'

const nothing = () => {}

const findAll = async (...texts: string[]) =>
  (await Promise.all(texts.map((text) => findText(env, text)))).flat()

test('of an organisation that is removed nothing is left, and another keeps all it has', async () => {
  const [secret, keptSecret] = [crypto.randomUUID(), crypto.randomUUID()]
  const [gone, other] = [
    await newFilledOrganisation(secret),
    await newFilledOrganisation(keptSecret),
  ]
  const storedResponses = await rows('SELECT id FROM idempotency_keys')
  expect(await countContents(env, gone.id)).toMatchObject({
    collections: expect.arrayContaining([{ collection: 'members', records: 1201 }]),
    keys: 2,
    users: 1,
    webhooks: 1,
  })
  const before = await other.json('/members?limit=250&offset=900')
  await deleteOrganisation(env, gone.id, nothing)
  expect(await findAll(gone.id, secret)).toEqual([])
  expect(await countContents(env, gone.id)).toBeUndefined()
  expect((await gone.get('/members')).status).toBe(401)
  expect(await rows('SELECT id FROM idempotency_keys')).toHaveLength(storedResponses.length - 1)
  expect(await rows('SELECT 1 FROM bitmaps WHERE term_id NOT IN (SELECT id FROM terms)')).toEqual(
    [],
  )
  expect(await other.json('/members?limit=250&offset=900')).toEqual(before)
  await expectOrganisationIndex(other.id)
  expect(Object.keys(everything).length).toBeGreaterThan(10)
})

test('a removal that was broken off leaves nobody in, and is finished by the next', async () => {
  const secret = crypto.randomUUID()
  const organisation = await newFilledOrganisation(secret)
  const broken = deleteOrganisation(env, organisation.id, (done) => {
    if (done > 0) throw new Error('broken off')
  })
  await expect(broken).rejects.toThrow('broken off')
  await expectOrganisationIndex(organisation.id)
  expect((await organisation.get('/members')).status).toBe(401)
  expect((await findAll(secret)).length).toBeGreaterThan(0)
  const done: number[] = []
  await deleteOrganisation(env, organisation.id, (number) => done.push(number))
  expect(done).toEqual([500, 711])
  expect(await findAll(organisation.id, secret)).toEqual([])
})
