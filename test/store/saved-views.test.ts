import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { operatorStore } from '../../src/admin/operator-store.ts'
import { buildPersonCredential } from '../../src/auth/person-credential.ts'
import {
  changeSavedView,
  createSavedView,
  deleteSavedView,
  listSavedViews,
  requireSavedView,
} from '../../src/store/settings/saved-views.ts'
import { Store } from '../../src/store/store.ts'
import { newOrganisation } from '../organisation.ts'

const page = 'records/members'

const newStore = async () => operatorStore(env.DB, (await newOrganisation()).id)

/** The store of a new person with a role in an organisation. */
async function storeOf(
  organisation: Awaited<ReturnType<typeof newOrganisation>>,
  role: 'reader' | 'steward' | 'editor',
) {
  const subject = crypto.randomUUID()
  const email = `${subject}@people.test`
  await organisation.add(email, role)
  const person = { issuer: 'https://issuer.test', subject, email }
  const author = { by: 'person', name: 'Ada', through: 'dashboard' } as const
  return new Store(env, buildPersonCredential(env, person, organisation.id, author))
}

test('a view is created, changed and deleted, on its page only', async () => {
  const store = await newStore()
  const id = await createSavedView(store, {
    page,
    name: ' Carers ',
    query: 'tag=Carer&$skiptoken=x&$offset=50&note="<b>',
  })
  const query = 'tag=Carer&note=%22%3Cb%3E'
  const view = { id, page, name: 'Carers', query, createdBy: 'command line' }
  expect(await listSavedViews(store, page)).toMatchObject([view])
  expect(await listSavedViews(store, 'records/volunteers')).toEqual([])
  await expect(requireSavedView(store, 'other')).rejects.toThrow('no saved view')
  await changeSavedView(store, id, { name: 'All carers' })
  await changeSavedView(store, id, { query: 'tag=Carers' })
  expect(await requireSavedView(store, id)).toMatchObject({
    name: 'All carers',
    query: 'tag=Carers',
  })
  await deleteSavedView(store, id)
  expect(await listSavedViews(store, page)).toEqual([])
})

test('an organisation cannot see or change the views of another', async () => {
  const [store, other] = [await newStore(), await newStore()]
  const id = await createSavedView(other, { page, name: 'Theirs', query: '' })
  expect(await listSavedViews(store, page)).toEqual([])
  await expect(requireSavedView(store, id)).rejects.toThrow('no saved view')
  await expect(changeSavedView(store, id, { name: 'Ours' })).rejects.toThrow('no saved view')
  await deleteSavedView(store, id)
  expect(await listSavedViews(other, page)).toMatchObject([{ id, name: 'Theirs' }])
})

test('names, queries and the number of views have limits', async () => {
  const store = await newStore()
  const create = (name: string, query = '') => createSavedView(store, { page, name, query })
  await expect(create(' ')).rejects.toThrow('name: must not be empty.')
  await expect(create('é'.repeat(81))).rejects.toThrow('name: must have at most 80 characters.')
  await expect(create('Long', `a=${'b'.repeat(3999)}`)).rejects.toThrow(
    'query: must have at most 4000',
  )
  const id = await create('é'.repeat(80), `a=${'b'.repeat(3998)}`)
  await create('Carers')
  await expect(create('Carers')).rejects.toThrow('is the name of another view')
  await expect(changeSavedView(store, id, { name: 'Carers' })).rejects.toThrow(
    'is the name of another view',
  )
  await env.DB.prepare(
    `INSERT INTO saved_views (organisation_id, id, page, name, query, created, created_by)
      SELECT ?, value, 'reports', value, '', '', '' FROM json_each(?)`,
  )
    .bind(store.organisationId, JSON.stringify(Array.from({ length: 198 }, (_, n) => `v${n}`)))
    .run()
  await expect(create('One too many')).rejects.toThrow('can save 200 views')
})

test('readers see views, people who may write change them, and stewards see none', async () => {
  const organisation = await newOrganisation()
  const [reader, editor, steward] = [
    await storeOf(organisation, 'reader'),
    await storeOf(organisation, 'editor'),
    await storeOf(organisation, 'steward'),
  ]
  const id = await createSavedView(editor, { page, name: 'Carers', query: '' })
  expect(await listSavedViews(reader, page)).toMatchObject([{ id, createdBy: 'Ada' }])
  await expect(listSavedViews(steward, page)).rejects.toThrow('`read` permission')
  const writes = (store: Store) => [
    () => createSavedView(store, { page, name: 'More', query: '' }),
    () => changeSavedView(store, id, { name: 'Fewer' }),
    () => deleteSavedView(store, id),
  ]
  for (const write of [...writes(reader), ...writes(steward)])
    await expect(write()).rejects.toThrow('`write` permission')
  expect(await listSavedViews(reader, page)).toMatchObject([{ id, name: 'Carers' }])
})
