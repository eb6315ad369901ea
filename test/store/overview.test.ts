import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { recordImport } from '../../src/store/imports.ts'
import { overview } from '../../src/store/overview.ts'
import { newOrganisation } from '../organisation.ts'

test('the overview counts the records and imports of one organisation', async () => {
  const [own, other] = [await newOrganisation(), await newOrganisation()]
  const collections = ['members', 'grant-applications', 'funds']
  const application = (id: string, status: string) => ({ id, document: { status } })
  const given = [application('a', 'approved'), application('b', 'approved')]
  for (const { id: organisationId, put } of [own, other]) {
    await put('members', [{ id: 'm', document: {} }])
    await put('grant-applications', given)
    await recordImport(env.DB, { organisationId, collection: 'members', records: 1 })
  }
  await other.put('members', [{ id: 'n', document: {} }])
  await other.put('grant-applications', [application('c', 'rejected')])
  await recordImport(env.DB, { organisationId: other.id, collection: 'members', records: 1 })
  const month = expect.stringMatching(/^\d{4}-\d\d$/)
  expect(await overview(env.DB, own.id, collections)).toEqual({
    collections: [
      { collection: 'members', total: 1 },
      { collection: 'grant-applications', total: 2 },
      { collection: 'funds', total: 0 },
    ],
    members: [{ month, total: 1 }],
    grants: [{ status: 'approved', count: 2 }],
    imports: [{ at: expect.any(String), collection: 'members', records: 1 }],
  })
})
