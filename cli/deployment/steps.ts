import {
  type AccountStorage,
  type EnvironmentConfig,
  emptyStorage,
  generatedSecret,
  listQueues,
  namespaceTitle,
} from './environment.ts'
import { databaseArgs, describeRegion, jurisdictionArgs, type Region } from './region.ts'

/** A step of a deployment, with wrangler's arguments. */
export type Step = { description: string; args: string[] }

/** The steps that create missing storage in a region. What wrangler.toml names by its id exists. */
export function provisioningSteps(
  config: EnvironmentConfig,
  storage: AccountStorage,
  region: Region,
): Step[] {
  const { name, d1_databases, kv_namespaces } = config
  const jurisdiction = jurisdictionArgs(region)
  const databases = d1_databases
    .filter(({ database_id }) => database_id === undefined)
    .map(({ database_name }) => database_name)
    .filter((database) => !storage.databases.has(database))
    .map((database) => ({
      description: `Create the database ${database} ${describeRegion(region)}`,
      args: ['d1', 'create', database, ...databaseArgs(region), '--update-config=false'],
    }))
  const namespaces = kv_namespaces
    .filter(({ id }) => id === undefined)
    .map(({ binding }) => namespaceTitle(name, binding))
    .filter((title) => !storage.namespaces.has(title))
    .map((title) => ({
      description: `Create the KV namespace ${title}`,
      args: ['kv', 'namespace', 'create', title, ...jurisdiction, '--update-config=false'],
    }))
  const queues = listQueues(config)
    .filter((queue) => !storage.queues.has(queue))
    .map((queue) => ({
      description: `Create the queue ${queue}`,
      args: ['queues', 'create', queue, ...jurisdiction],
    }))
  return [...databases, ...namespaces, ...queues]
}

/** The step that reads a database's Time Travel bookmark. */
export const bookmarkStep = (database: string): Step => ({
  description: `Note the Time Travel bookmark of ${database}`,
  args: ['d1', 'time-travel', 'info', database, '--json'],
})

/** The steps of a release with a configuration file. Migrations come first: they only add, so the old code still works. */
export function releaseSteps(
  { name, d1_databases }: EnvironmentConfig,
  configFile: string,
  secrets?: string,
): Step[] {
  return [
    ...d1_databases.map(({ binding, database_name }) => ({
      description: `Migrate ${database_name}`,
      args: ['d1', 'migrations', 'apply', binding, '--remote', '--config', configFile],
    })),
    {
      description: `Deploy ${name}`,
      args: ['deploy', '--config', configFile, ...(secrets ? ['--secrets-file', secrets] : [])],
    },
  ]
}

/** Every step of a deployment to an unknown account. */
export function allSteps(config: EnvironmentConfig, configFile: string, region: Region): Step[] {
  const onlyIf = (condition: string) => (step: Step) => ({
    ...step,
    description: `${step.description}, ${condition}`,
  })
  return [
    { description: 'List the databases', args: ['d1', 'list', '--json'] },
    { description: 'List the KV namespaces', args: ['kv', 'namespace', 'list'] },
    ...listQueues(config).map((queue) => ({
      description: `Find the queue ${queue}`,
      args: ['queues', 'info', queue],
    })),
    ...provisioningSteps(config, emptyStorage, region).map(onlyIf('if it is missing')),
    {
      description: `Look for ${generatedSecret}, and create it if it is missing`,
      args: ['secret', 'list', '--name', config.name],
    },
    ...config.d1_databases
      .map(({ database_name }) => bookmarkStep(database_name))
      .map(onlyIf('unless this run creates it')),
    ...releaseSteps(config, configFile, '<file>'),
  ]
}
