import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm/sql'
import { expect, test } from 'vitest'
import { operatorStore } from '../../src/admin/operator-store.ts'
import { readTermCounts } from '../../src/store/read/term-counts.ts'
import { Store } from '../../src/store/store.ts'
import { newOrganisation } from '../organisation.ts'

test('counts include hidden records, so a caller who may not see everything gets none', async () => {
  const { id, put } = await newOrganisation()
  await put('case-notes', [
    { id: 'private', document: { noteId: 'private', isPrivate: true, caseId: 'secret' } },
    { id: 'open', document: { noteId: 'open', isPrivate: false, caseId: '' } },
  ])
  const read = async (restrictions: object | null) => {
    const access = sql`SELECT 'read' AS permissions, ${restrictions && JSON.stringify(restrictions)} AS restrictions
      FROM organisations WHERE id = ${id}`
    const { credential } = operatorStore(env.DB, id)
    return readTermCounts(new Store({ DB: env.DB }, { ...credential, access }), 'case-notes', [
      'caseId',
    ])
  }
  const counts = [
    { field: 'caseId', value: '', count: 1 },
    { field: 'caseId', value: 'secret', count: 1 },
  ]
  expect(await read(null)).toEqual({ total: 2, fields: new Map([['caseId', counts]]) })
  expect(await read({ privateNotes: false })).toBeUndefined()
  expect(await read({ hideFields: ['caseId'] })).toBeUndefined()
  await expect(read({ collections: ['events'] })).rejects.toMatchObject({ type: 'FORBIDDEN' })
})
