import { expect } from 'vitest'
import { createTestHarness, unstable_readConfig as readConfig } from 'wrangler'
import { demoRecords } from '../../load/demo-records.ts'
import { local } from '../../src/auth/local.ts'
import { addUser } from '../../src/auth/memberships.ts'
import type { Bindings } from '../../src/platform/bindings.ts'
import { telling, textsIn } from '../logs/told.ts'

/** What `npm start` serves, on storage of its own, with an organisation that the local administrator manages. */
export async function startLocalWorker(jwks: string) {
  const {
    name,
    compatibility_date,
    compatibility_flags,
    assets,
    d1_databases,
    kv_namespaces,
    ratelimits,
    vars,
  } = readConfig({ config: './wrangler.toml' })
  const config = {
    name,
    assets,
    main: './src/local.ts',
    compatibility_date,
    compatibility_flags,
    d1_databases,
    kv_namespaces,
    ratelimits,
    vars: { ...vars, LOCAL_JWKS: jwks },
  }
  return started(createTestHarness({ workers: [{ config }] }))
}

/** What `wrangler deploy --outdir` put into a folder, with variables of our choice. */
export const startDeployedWorker = (folder: string, vars: Record<string, string>) =>
  started(
    createTestHarness({
      workers: [{ configPath: './wrangler.toml', prebuiltWorkerDir: folder, vars }],
    }),
  )

async function started(harness: ReturnType<typeof createTestHarness>) {
  const { url } = await harness.listen()
  const worker = harness.getWorker<Bindings>()
  await worker.applyD1Migrations('DB')
  await worker.applyD1Migrations('GEOGRAPHY')
  const env = await worker.getEnv()
  const organisationId = 'demo'
  await env.DB.prepare('INSERT INTO organisations (id, name, created) VALUES (?, ?, ?)')
    .bind(organisationId, 'Demo Charity', '2025-01-01T00:00:00.000Z')
    .run()
  const by = 'a test'
  await addUser(env.DB, { organisationId, email: local.administrator, role: 'admin', by })
  return {
    url,
    env,
    organisationId,
    fetch: harness.fetch,
    /** Stops it; what it wrote must tell of no record. */
    async close() {
      const lines = harness.getLogs().map(({ message }) => message)
      await harness.close()
      expect(telling(lines, textsIn((await demoRecords('demo')).records))).toEqual([])
    },
  }
}
