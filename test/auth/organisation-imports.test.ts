import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { organisationImports } from '../../src/admin/organisation/imports.ts'
import { parseSchema } from '../../src/records/schema/schema.ts'
import { readSchemas } from '../../src/store/settings/schemas.ts'
import { trustedStore } from '../../src/store/trusted-store.ts'
import { listAudit } from '../audit.ts'
import { newOrganisation } from '../organisation.ts'

const ada = { by: 'person', name: 'Ada', through: 'dashboard' } as const

const schemaOf = (...ids: string[]) => {
  const fields = ids.map((id) => ({ id, type: 'text' }))
  return parseSchema('members', { fields }).data ?? { name: '', fields: [] }
}

test('a schema is extended and recorded, unless it is another by then', async () => {
  const { id } = await newOrganisation()
  const imports = organisationImports({ store: trustedStore(env.DB, id, ada) })
  const [first, second, third] = [schemaOf('a'), schemaOf('a', 'b'), schemaOf('a', 'c')]
  await imports.extendSchema('members', first, undefined)
  await imports.extendSchema('members', second, first)
  for (const before of [undefined, first])
    await expect(imports.extendSchema('members', third, before)).rejects.toThrow('Somebody else')
  expect(await readSchemas(env.DB, id)).toEqual({ members: second })
  expect((await listAudit(env.DB, id)).slice(0, -1)).toMatchObject([
    { actor: 'Ada', action: 'added a field for', target: 'members' },
    { actor: 'Ada', action: 'added a field for', target: 'members' },
  ])
})

test('keeps the last 200 mappings of each organisation', async () => {
  const [{ id }, other] = [await newOrganisation(), await newOrganisation()]
  const imports = organisationImports({ store: trustedStore(env.DB, id, ada) })
  await organisationImports({ store: trustedStore(env.DB, other.id, ada) }).saveMapping(
    'kind 0',
    'theirs',
  )
  await env.DB.batch(
    Array.from({ length: 205 }, (_, at) =>
      env.DB.prepare(
        'INSERT INTO import_mappings (organisation_id, headings, mapping, last_used) VALUES (?, ?, ?, ?)',
      ).bind(...[id, `kind ${at}`, 'ours', `2025-01-01T00:00:00.${String(at).padStart(3, '0')}Z`]),
    ),
  )
  await imports.saveMapping('kind 5', 'anew')
  const mappings = ['kind 0', 'kind 5', 'kind 6', 'kind 204'].map((kind) =>
    imports.findMapping(kind),
  )
  expect(await Promise.all(mappings)).toEqual([undefined, 'anew', 'ours', 'ours'])
  const theirs = organisationImports({ store: trustedStore(env.DB, other.id, ada) })
  expect(await theirs.findMapping('kind 0')).toBe('theirs')
})
