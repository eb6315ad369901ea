import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Databases } from '../../src/platform/bindings.ts'
import { joinAlternatives } from '../../src/platform/join-names.ts'
import { CommandError } from '../terminal/report.ts'
import {
  buildEnvironmentConfig,
  emptyStorage,
  environmentsFolder,
  listEnvironments,
  loadWrangler,
  namespaceTitle,
  readWranglerConfig,
} from './environment.ts'
import { readAccountStorage } from './wrangler.ts'
import { hideSecrets } from './wrangler-error.ts'

/** Connects to an environment's deployed databases and KV. The caller must dispose of them. Throws CommandError with the reason if that fails. */
export async function connectRemote(
  environment: string | undefined,
): Promise<{ env: Databases; dispose: () => Promise<void> }> {
  const configPath = await writeRemoteConfig(environment)
  // Wrangler would print its progress between the lines of the command.
  process.env.WRANGLER_LOG ??= 'error'
  try {
    return await loadWrangler().getPlatformProxy<Databases>({ configPath })
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : ''
    throw new CommandError(`Cloudflare refused the connection. ${hideSecrets(reason)}`, { cause })
  }
}

/** Writes a configuration with only an environment's databases and KV in the account, and returns the file's path. */
async function writeRemoteConfig(environment: string | undefined): Promise<string> {
  if (!environment)
    throw new CommandError(`--remote needs --env: ${joinAlternatives(listEnvironments())}.`)
  // An unknown or incomplete environment is refused before the account is read.
  const rawConfig = readWranglerConfig()
  const { name, ...config } = buildEnvironmentConfig(rawConfig, environment, emptyStorage)
  const account = await readAccountStorage()
  const missing = [
    ...config.d1_databases
      .map(({ database_name }) => database_name)
      .filter((database) => !account.databases.has(database)),
    ...config.kv_namespaces
      .map(({ binding }) => namespaceTitle(name, binding))
      .filter((title) => !account.namespaces.has(title)),
  ]
  if (missing.length > 0) {
    throw new CommandError(
      `The account has no ${missing.join(', ')}. Deploy first: npm run deploy -- --env ${environment}`,
    )
  }
  const { d1_databases, kv_namespaces } = buildEnvironmentConfig(rawConfig, environment, account)
  const remote = <Binding extends object>(binding: Binding) => ({ ...binding, remote: true })
  const path = join(environmentsFolder, `${environment}.remote.json`)
  mkdirSync(environmentsFolder, { recursive: true })
  writeFileSync(
    path,
    JSON.stringify({
      name,
      compatibility_date: config.compatibility_date,
      d1_databases: d1_databases.map(remote),
      kv_namespaces: kv_namespaces.map(remote),
    }),
  )
  return path
}
