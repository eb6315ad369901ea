import { rmSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect } from 'vitest'
import {
  createTestHarness,
  unstable_readConfig as readConfig,
  type TestHarnessOptions,
} from 'wrangler'
import { demoRecords } from '../../bench/load/demo-records.ts'
import { migrateDatabases } from '../../cli/state/bindings.ts'
import { createStateWorker } from '../../cli/state/database.ts'
import { readLocalJwks } from '../../cli/state/local-tokens.ts'
import { createOrganisation } from '../../src/admin/organisations.ts'
import { addUser } from '../../src/admin/users.ts'
import { localClaims } from '../../src/auth/local.ts'
import type { Bindings } from '../../src/platform/bindings.ts'
import { once } from '../../src/platform/once.ts'
import { generateWebhookKey } from '../../src/webhooks/secret.ts'
import { findLeaks, textsIn } from '../logs/leaks.ts'
import { bundledFolder } from './bundled-worker.ts'

let shared: Promise<Awaited<ReturnType<typeof serveLocally>> & { folder: string }> | undefined
let count = 0

/** The service that `npm start` starts, with a new organisation. All test files of a process share it and the `folder` of its signing key. */
export async function localWorker() {
  shared ??= startShared()
  const worker = await shared
  afterAll(worker.expectDiscretion)
  return withOrganisation(worker, `served-${++count}`)
}

async function startShared() {
  const folder = await mkdtemp(join(tmpdir(), 'cli-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return { ...(await serveLocally(await readLocalJwks(folder))), folder }
}

function serveLocally(jwks: string) {
  const read = readConfig({ config: './wrangler.toml' })
  const { name, compatibility_date, compatibility_flags, assets, vars } = read
  const { d1_databases, kv_namespaces, ratelimits, queues, triggers } = read
  const folder = bundledFolder('src/local.ts')
  const config = {
    name,
    assets,
    main: join(folder, 'local.js'),
    base_dir: folder,
    no_bundle: true,
    compatibility_date,
    compatibility_flags,
    d1_databases,
    kv_namespaces,
    ratelimits,
    queues,
    triggers,
    vars: { ...vars, LOCAL_JWKS: jwks, LOCAL_WEBHOOKS: 'true', WEBHOOK_KEY: generateWebhookKey() },
  }
  return startHarness({ config })
}

/** Starts the Worker that `wrangler deploy --outdir` built, with these variables. */
export const startDeployedWorker = async (folder: string, vars: Record<string, string>) =>
  withOrganisation(
    await startHarness({ configPath: './wrangler.toml', prebuiltWorkerDir: folder, vars }),
    'demo',
  )

/** Adds an organisation of the local administrator. */
async function withOrganisation<Worker extends { env: Bindings }>(
  worker: Worker,
  organisationId: string,
) {
  const { DB } = worker.env
  await createOrganisation(DB, organisationId, 'Demo Charity')
  const by = 'a test'
  await addUser(DB, { organisationId, email: localClaims.administrator, role: 'admin', by })
  return { ...worker, organisationId }
}

const readDemoTexts = once(async () => [...new Set(textsIn((await demoRecords('demo')).records))])

type Served = NonNullable<TestHarnessOptions['workers']>[number]

async function startHarness(served: Served) {
  const { compatibility_date, d1_databases } = readConfig({ config: './wrangler.toml' })
  const { script, openDatabase } = createStateWorker()
  const folder = await mkdtemp(join(tmpdir(), 'cli-'))
  const main = join(folder, 'state.js')
  await writeFile(main, script)
  const beside = { name: 'state', main, compatibility_date, d1_databases }
  const harness = createTestHarness({ workers: [served, { config: beside }] })
  const { url } = await harness.listen()
  await rm(folder, { recursive: true })
  const state = harness.getWorker('state')
  const open = (name: string) => openDatabase((url, init) => state.fetch(url, init), name)
  const env = {
    ...(await harness.getWorker<Bindings>().getEnv()),
    DB: open('DB'),
    GEOGRAPHY: open('GEOGRAPHY'),
  }
  await migrateDatabases(env)
  const logLines = () => harness.getLogs().map(({ message }) => message)
  let checkedLines = 0
  /** Expects no values of records in the log since the last call. */
  const expectDiscretion = async () => {
    const lines = logLines().slice(checkedLines)
    checkedLines += lines.length
    const requestLines = lines.filter((line) => !isMail(line))
    expect(findLeaks(requestLines, await readDemoTexts())).toEqual([])
  }
  return {
    url,
    env,
    fetch: harness.fetch,
    /** The messages that were printed instead of being sent. */
    printedMail: () => logLines().filter(isMail),
    expectDiscretion,
    async close() {
      await harness.close()
      await expectDiscretion()
    },
  }
}

const isMail = (line: string) => /^\s*To: .*\nSubject: /.test(line)
