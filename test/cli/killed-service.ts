import { startMigrated } from '../../bench/load/under-load.ts'
import { createOrganisation } from '../../src/admin/organisations.ts'
import { putSchemas } from '../../src/store/settings/schemas.ts'
import { createKey } from '../keys.ts'
import { bundledScript } from './bundled-worker.ts'

// node killed-service.ts <folder> <organisation>: serves the deployed Worker with its databases in a folder,
// and prints its address and a key, until it is killed.

const [folder = '', organisationId = ''] = process.argv.slice(2)
const { url, bindings } = await startMigrated(folder, bundledScript('src/index.ts'))
await createOrganisation(bindings.DB, organisationId, organisationId)
const field = { id: 'Name', name: 'Name', label: 'Name', type: 'text' as const, order: 0 }
await putSchemas(bindings.DB, organisationId, { members: { name: 'Members', fields: [field] } })
const may = ['read', 'write']
const { key } = await createKey(bindings, organisationId, 'writer', 'a test', undefined, may)
console.log(JSON.stringify({ url, key }))
