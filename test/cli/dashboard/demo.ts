import { demoRecords } from '../../../bench/load/demo-records.ts'
import { resources } from '../../../src/resources/resources.ts'
import { putSchemas } from '../../../src/store/settings/schemas.ts'
import { createKey } from '../../keys.ts'
import type { localWorker } from '../local-worker.ts'

const maxRecords = 250

/** Loads the demo's records into the worker's organisation over the API. Returns a key with every permission. */
export async function putDemo({
  env,
  organisationId,
  fetch,
}: Awaited<ReturnType<typeof localWorker>>): Promise<string> {
  const { schemas, records } = await demoRecords(organisationId)
  await putSchemas(env.DB, organisationId, schemas)
  const may = ['read', 'create-members', 'write']
  const { key } = await createKey(env, organisationId, 'Demo', 'a test', undefined, may)
  const headers = { 'x-api-key': key, 'Content-Type': 'application/json' }
  for (const [name, all] of Object.entries(records)) {
    const plural = (await resources[name]?.())?.collection?.plural ?? name
    for (let from = 0; from < all.length; from += maxRecords) {
      const body = JSON.stringify({ [plural]: all.slice(from, from + maxRecords) })
      const answer = await fetch(`/api/v1/${name}`, { method: 'PATCH', headers, body })
      if (answer.status !== 200) throw new Error(`The demo's ${name}: ${await answer.text()}`)
    }
  }
  return key
}
