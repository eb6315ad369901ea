import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import type { Unstable_RawConfig } from 'wrangler'
import { CommandError } from '../terminal/report.ts'

/** The deployable environments of wrangler.toml. */
export const environments = ['staging', 'production'] as const

export type Environment = (typeof environments)[number]

type RawEnvironment = NonNullable<Unstable_RawConfig['env']>[string]

/** An environment's storage in an account: ids by name for databases and KV namespaces, and its queues. */
export type AccountStorage = {
  databases: Map<string, string>
  namespaces: Map<string, string>
  queues: Set<string>
}

export const repositoryRoot = resolve(import.meta.dirname, '../..')

const environmentsFolder = join(repositoryRoot, '.wrangler/environments')

/** Loads wrangler when it is first needed: loading takes a second, and half as long again with `import`. */
export const loadWrangler = (): typeof import('wrangler') =>
  createRequire(import.meta.url)('wrangler')

/** Loads the local runtime. */
export const loadMiniflare = (): typeof import('miniflare') =>
  createRequire(import.meta.url)('miniflare')

/** Used when the account is unknown. */
export const emptyStorage: AccountStorage = {
  databases: new Map(),
  namespaces: new Map(),
  queues: new Set(),
}

/** Returns the minified wrangler.toml of one environment, with the known ids of its storage. */
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

/** The hosts of an environment's Worker: its own domains, and any workers.dev subdomain of the account. */
const listHosts = (name: string, { route, routes = [] }: RawEnvironment): string[] => [
  ...[...routes, ...(route ? [route] : [])].map(
    (entry) => (typeof entry === 'string' ? entry : entry.pattern).split('/')[0] ?? '',
  ),
  `${name}.*.workers.dev`,
]

/** The queues of an environment and their dead letter queues. */
export const listQueues = ({ queues }: EnvironmentConfig): string[] => [
  ...(queues?.producers ?? []).map(({ queue }) => queue),
  ...(queues?.consumers ?? []).flatMap(({ dead_letter_queue: dead }) => dead ?? []),
]

/** The account's name for the KV namespace of a binding. */
export const namespaceTitle = (worker: string, binding: string) => `${worker}-${binding}`

type Database = { binding: string; database_name: string; migrations_dir: string }

/** The configuration of a single environment; other properties are as in wrangler.toml. */
export type EnvironmentConfig = {
  [key: string]: unknown
  name: string
  d1_databases: Database[]
  kv_namespaces: { binding: string }[]
  queues?: { producers?: { queue: string }[]; consumers?: { dead_letter_queue?: string }[] }
}

/** Writes an environment's configuration for wrangler and returns its path. */
export function writeConfig(environment: Environment, storage: AccountStorage): string {
  const path = join(environmentsFolder, `${environment}.json`)
  mkdirSync(environmentsFolder, { recursive: true })
  writeFileSync(path, JSON.stringify(buildEnvironmentConfig(environment, storage), null, 2))
  return path
}

/** The folder for a dry run's Worker: `index.js` is the deployed bundle, `index.js.map` its source map. */
export const bundleFolder = (environment: Environment) =>
  join(environmentsFolder, `${environment}.bundle`)

const optionalId = (key: string, id: string | undefined) => (id === undefined ? {} : { [key]: id })
