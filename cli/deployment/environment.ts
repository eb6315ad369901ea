import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import type { Unstable_RawConfig } from 'wrangler'
import { CommandError } from '../terminal/refusal.ts'

/** The environments of wrangler.toml that are deployed. */
export const environments = ['staging', 'production'] as const

export type Environment = (typeof environments)[number]

type RawEnvironment = NonNullable<Unstable_RawConfig['env']>[string]

/** What an account has of an environment's storage: the id by the name, for databases and for KV namespaces; and its queues. */
export type AccountStorage = {
  databases: Map<string, string>
  namespaces: Map<string, string>
  queues: Set<string>
}

export const repositoryRoot = resolve(import.meta.dirname, '../..')

const environmentsFolder = join(repositoryRoot, '.wrangler/environments')

/** What wrangler exports, loaded when it is first asked for: that takes a second, which no command waits for that is refused before, and half as long again by `import`. */
export const loadWrangler = (): typeof import('wrangler') =>
  createRequire(import.meta.url)('wrangler')

/** The same of the local runtime. */
export const loadMiniflare = (): typeof import('miniflare') =>
  createRequire(import.meta.url)('miniflare')

/** Nothing is there, as far as is known. */
export const emptyStorage: AccountStorage = {
  databases: new Map(),
  namespaces: new Map(),
  queues: new Set(),
}

/** wrangler.toml as one environment sees it, minified, with the ids of its storage where they are known. */
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

/** Where the Worker of an environment answers: at its own domains, and at whatever subdomain of workers.dev the account has. */
const listHosts = (name: string, { route, routes = [] }: RawEnvironment): string[] => [
  ...[...routes, ...(route ? [route] : [])].map(
    (entry) => (typeof entry === 'string' ? entry : entry.pattern).split('/')[0] ?? '',
  ),
  `${name}.*.workers.dev`,
]

/** The queues of an environment: those it sends to, and those of what could not be dealt with. */
export const listQueues = ({ queues }: EnvironmentConfig): string[] => [
  ...(queues?.producers ?? []).map(({ queue }) => queue),
  ...(queues?.consumers ?? []).flatMap(({ dead_letter_queue: dead }) => dead ?? []),
]

/** What the KV namespace of a binding is called in the account. */
export const namespaceTitle = (worker: string, binding: string) => `${worker}-${binding}`

type Database = { binding: string; database_name: string; migrations_dir: string }

/** A configuration without environments of its own; what is not named here is as wrangler.toml has it. */
export type EnvironmentConfig = {
  [key: string]: unknown
  name: string
  d1_databases: Database[]
  kv_namespaces: { binding: string }[]
  queues?: { producers?: { queue: string }[]; consumers?: { dead_letter_queue?: string }[] }
}

/** Writes an environment's configuration to where wrangler is pointed, and gives the path. */
export function writeConfig(environment: Environment, storage: AccountStorage): string {
  const path = join(environmentsFolder, `${environment}.json`)
  mkdirSync(environmentsFolder, { recursive: true })
  writeFileSync(path, JSON.stringify(buildEnvironmentConfig(environment, storage), null, 2))
  return path
}

/** The folder a dry run builds an environment's Worker into: `index.js` is what a deployment uploads, `index.js.map` its source map. */
export const bundleFolder = (environment: Environment) =>
  join(environmentsFolder, `${environment}.bundle`)

const optionalId = (key: string, id: string | undefined) => (id === undefined ? {} : { [key]: id })
