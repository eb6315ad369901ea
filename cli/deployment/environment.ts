import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import type { Unstable_RawConfig } from 'wrangler'
import { CommandError } from '../terminal/report.ts'

/** The environments of wrangler.toml that can be deployed. */
export const environments = ['staging', 'production'] as const

export type Environment = (typeof environments)[number]

type RawEnvironment = NonNullable<Unstable_RawConfig['env']>[string]

/** The storage in an account: ids of databases and KV namespaces by name, and queues. */
export type AccountStorage = {
  databases: Map<string, string>
  namespaces: Map<string, string>
  queues: Set<string>
}

export const repositoryRoot = resolve(import.meta.dirname, '../..')

const environmentsFolder = join(repositoryRoot, '.wrangler/environments')

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

/** Returns one environment's part of wrangler.toml, with minification and the known ids of its storage. */
export function buildEnvironmentConfig(
  environment: Environment,
  { databases, namespaces }: AccountStorage,
): EnvironmentConfig {
  const { rawConfig } = loadWrangler().experimental_readRawConfig({
    config: join(repositoryRoot, 'wrangler.toml'),
  })
  const { env, main, assets, ...shared } = rawConfig
  const rawEnvironment: RawEnvironment | undefined = env?.[environment]
  if (!rawEnvironment || !main)
    throw new CommandError(`wrangler.toml has no environment ${environment}.`)
  const name = `${rawConfig.name}-${environment}`
  return {
    ...shared,
    ...rawEnvironment,
    name,
    main: join(repositoryRoot, main),
    minify: true,
    vars: { ...rawEnvironment.vars, OWN_HOSTS: listHosts(name, rawEnvironment).join() },
    ...(assets?.directory && {
      assets: { ...assets, directory: join(repositoryRoot, assets.directory) },
    }),
    d1_databases: (rawEnvironment.d1_databases ?? []).map((database) => ({
      ...database,
      database_name: String(database.database_name),
      migrations_dir: join(repositoryRoot, String(database.migrations_dir)),
      ...optionalId('database_id', databases.get(String(database.database_name))),
    })),
    kv_namespaces: (rawEnvironment.kv_namespaces ?? []).map((namespace) => ({
      ...namespace,
      ...optionalId('id', namespaces.get(namespaceTitle(name, namespace.binding))),
    })),
  }
}

/** Lists the hosts of an environment's Worker: its own domains and any workers.dev subdomain. */
const listHosts = (name: string, { route, routes = [] }: RawEnvironment): string[] => [
  ...[...routes, ...(route ? [route] : [])].map(
    (entry) => (typeof entry === 'string' ? entry : entry.pattern).split('/')[0] ?? '',
  ),
  `${name}.*.workers.dev`,
]

/** Lists the queues of an environment with their dead letter queues. */
export const listQueues = ({ queues }: EnvironmentConfig): string[] => [
  ...(queues?.producers ?? []).map(({ queue }) => queue),
  ...(queues?.consumers ?? []).flatMap(({ dead_letter_queue: dead }) => dead ?? []),
]

/** Returns the title of a binding's KV namespace in the account. */
export const namespaceTitle = (worker: string, binding: string) => `${worker}-${binding}`

type Database = { binding: string; database_name: string; migrations_dir: string }

/** The configuration of one environment. Other properties match wrangler.toml. */
type EnvironmentConfig = {
  [key: string]: unknown
  name: string
  d1_databases: Database[]
  kv_namespaces: { binding: string }[]
  queues?: { producers?: { queue: string }[]; consumers?: { dead_letter_queue?: string }[] }
}

/** Writes an environment's configuration for wrangler and returns the file's path. */
export function writeConfig(environment: Environment, storage: AccountStorage): string {
  const path = join(environmentsFolder, `${environment}.json`)
  mkdirSync(environmentsFolder, { recursive: true })
  writeFileSync(path, JSON.stringify(buildEnvironmentConfig(environment, storage), null, 2))
  return path
}

/** Returns the folder for a dry run's bundle: `index.js`, as deployed, and its source map `index.js.map`. */
export const bundleFolder = (environment: Environment) =>
  join(environmentsFolder, `${environment}.bundle`)

const optionalId = (key: string, id: string | undefined) => (id === undefined ? {} : { [key]: id })
