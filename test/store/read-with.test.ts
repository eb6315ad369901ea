import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm/sql'
import { expect, test, vi } from 'vitest'
import { readVisibleSchema } from '../../src/store/read/single.ts'
import { Store } from '../../src/store/store.ts'
import { newOrganisation } from '../organisation.ts'

const columns = { two: sql`1 + 1` }

/** The store of a caller with some permissions. */
async function storeWith(permissions: string) {
  const { id: organisationId } = await newOrganisation()
  return new Store(env, {
    organisationId,
    database: 'DB',
    principal: 'test',
    author: { by: 'command line' },
    restrictions: null,
    access: sql`SELECT ${permissions} AS permissions, NULL AS restrictions`,
  })
}

test('the first statement of a read also reads the columns, and no later one does', async () => {
  const store = await storeWith('read')
  const prepare = vi.spyOn(env.DB, 'prepare')
  const { result, head } = await store.readWith(columns, async () => [
    await store.read({ three: sql`3` }),
    await store.read({ four: sql`4` }),
  ])
  expect(head).toMatchObject({ two: 2, three: 3 })
  expect(result[1]?.head).not.toHaveProperty('two')
  expect(prepare).toHaveBeenCalledTimes(2)
  prepare.mockRestore()
})

test('a read without a statement still reads the columns', async () => {
  const store = await storeWith('read')
  expect(await store.readWith(columns, async () => 'no statement')).toMatchObject({
    result: 'no statement',
    head: { two: 2 },
  })
})

test('the columns need the permission to read, even if the first statement does not', async () => {
  const store = await storeWith('create-members')
  const read = () => readVisibleSchema(store, 'members')
  expect(await read()).toBeUndefined()
  await expect(store.readWith(columns, read)).rejects.toThrow('`read` permission')
  // A failed read leaves no columns behind.
  expect(await read()).toBeUndefined()
})
