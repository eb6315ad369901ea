import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import type { Unstable_RawConfig } from 'wrangler'
import { CommandError } from '../terminal/report.ts'
import { checkEnvironment } from './check-environment.ts'
import { type RawEnvironment, readSection, workerName } from './section.ts'

/** The secret that encrypts webhook secrets. */
export const generatedSecret = 'WEBHOOK_KEY'

/** A database in an account. Its jurisdiction is null if it has none. */
type AccountDatabase = { id: string; jurisdiction?: string | null }

/** The storage in an account: databases and ids of KV namespaces by name, and queues. */
export type AccountStorage = {
  databases: Map<string, AccountDatabase>
  namespaces: Map<string, string>
  queues: Set<string>
}

export const repositoryRoot = resolve(import.meta.dirname, '../..')

/** The folder for generated configurations and bundles. */
export const environmentsFolder = join(repositoryRoot, '.wrangler/environments')

/** Loads wrangler on first use, because loading takes a second. With `import` it takes half as long again. */
export const loadWrangler = (): typeof import('wrangler') =>
  createRequire(import.meta.url)('wrangler')

/** Loads the local runtime. */
export const loadMiniflare = (): typeof import('miniflare') =>
  createRequire(import.meta.url)('miniflare')

/** The storage of an unknown account. */
export const emptyStorage: AccountStorage = {
  databases: new Map(),
  namespaces: new Map(),
  queues: new Set(),
}

export const readWranglerConfig = (): Unstable_RawConfig =>
  loadWrangler().experimental_readRawConfig({ config: join(repositoryRoot, 'wrangler.toml') })
    .rawConfig

export const listEnvironments = (): string[] => Object.keys(readWranglerConfig().env ?? {})

/** One environment's part of a configuration, with minification and the known ids of its storage. Throws CommandError if the part is missing or incomplete. */
export function buildEnvironmentConfig(
  rawConfig: Unstable_RawConfig,
  environment: string,
  { databases, namespaces }: AccountStorage,
): EnvironmentConfig {
  const { env, main, assets, ...shared } = rawConfig
  const section = readSection(rawConfig, environment)
  if (!section || !main) {
    throw new CommandError(
      `wrangler.toml has no environment ${environment}. It has: ${Object.keys(env ?? {}).join(', ')}.`,
    )
  }
  const problems = checkEnvironment(rawConfig, environment)
  if (problems.length > 0) {
    throw new CommandError(
      [`wrangler.toml: the environment ${environment} cannot be deployed.`, ...problems].join(
        '\n  ',
      ),
    )
  }
  const name = workerName(rawConfig, environment)
  return {
    ...shared,
    ...section,
    name,
    main: join(repositoryRoot, main),
    minify: true,
    // Not in wrangler.toml: there, wrangler would ignore the other secrets of `.dev.vars`.
    secrets: { required: [generatedSecret] },
    vars: { ...section.vars, OWN_HOSTS: listHosts(name, section).join() },
    ...(assets?.directory && {
      assets: { ...assets, directory: join(repositoryRoot, assets.directory) },
    }),
    d1_databases: (section.d1_databases ?? []).map(
      ({ preview_database_id, database_id, ...database }) => ({
        ...database,
        database_name: String(database.database_name),
        migrations_dir: join(repositoryRoot, String(database.migrations_dir)),
        ...optionalId(
          'database_id',
          ownId(database_id) ?? databases.get(String(database.database_name))?.id,
        ),
      }),
    ),
    kv_namespaces: (section.kv_namespaces ?? []).map(({ preview_id, id, ...namespace }) => ({
      ...namespace,
      ...optionalId('id', ownId(id) ?? namespaces.get(namespaceTitle(name, namespace.binding))),
    })),
  }
}

/** An id from wrangler.toml. Zeros are a placeholder, which the deploy button replaces. */
const ownId = (id: string | undefined) => (id === undefined || /^[0-]+$/.test(id) ? undefined : id)

/** Lists the hosts of an environment's Worker: its own domains and any workers.dev subdomain. */
const listHosts = (name: string, { route, routes = [] }: RawEnvironment): string[] => [
  ...[...routes, ...(route ? [route] : [])].map(
    (entry) => (typeof entry === 'string' ? entry : entry.pattern).split('/')[0] ?? '',
  ),
  `${name}.*.workers.dev`,
]

/** Lists the queues of an environment with their dead letter queues. */
export const listQueues = ({ queues }: EnvironmentConfig): string[] =>
  (queues?.consumers ?? []).flatMap(({ queue, dead_letter_queue: dead }) =>
    [queue, dead ?? []].flat(),
  )

/** The title of a binding's KV namespace in the account. */
export const namespaceTitle = (worker: string, binding: string) => `${worker}-${binding}`

type Database = {
  binding: string
  database_name: string
  migrations_dir: string
  database_id?: string
}

/** The configuration of one environment. Other properties match wrangler.toml. */
export type EnvironmentConfig = {
  [key: string]: unknown
  name: string
  d1_databases: Database[]
  kv_namespaces: { binding: string; id?: string }[]
  queues?: { consumers?: { queue: string; dead_letter_queue?: string }[] }
}

/** Writes an environment's configuration for wrangler and returns the file's path. */
export function writeConfig(environment: string, storage: AccountStorage): string {
  const path = join(environmentsFolder, `${environment}.json`)
  mkdirSync(environmentsFolder, { recursive: true })
  const config = buildEnvironmentConfig(readWranglerConfig(), environment, storage)
  writeFileSync(path, JSON.stringify(config, null, 2))
  return path
}

/** The folder for a dry run's bundle: `index.js`, as deployed, and its source map `index.js.map`. */
export const bundleFolder = (environment: string) =>
  join(environmentsFolder, `${environment}.bundle`)

const optionalId = (key: string, id: string | undefined) => (id === undefined ? {} : { [key]: id })
