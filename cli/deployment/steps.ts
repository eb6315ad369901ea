import {
  type AccountStorage,
  buildEnvironmentConfig,
  type Environment,
  listQueues,
  namespaceTitle,
} from './environment.ts'

/** A step of a deployment, with wrangler's arguments. */
export type Step = { description: string; args: string[] }

/** The jurisdiction of new storage. It cannot change later. */
const jurisdiction = 'eu'

/** Returns the steps that create missing storage. */
export function provisioningSteps(environment: Environment, storage: AccountStorage): Step[] {
  const config = buildEnvironmentConfig(environment, storage)
  const { name, d1_databases, kv_namespaces } = config
  const databases = d1_databases
    .map(({ database_name }) => database_name)
    .filter((database) => !storage.databases.has(database))
    .map((database) => ({
      description: `Create the database ${database}`,
      args: ['d1', 'create', database, '--jurisdiction', jurisdiction, '--update-config=false'],
    }))
  const namespaces = kv_namespaces
    .map(({ binding }) => namespaceTitle(name, binding))
    .filter((title) => !storage.namespaces.has(title))
    .map((title) => ({
      description: `Create the KV namespace ${title}`,
      args: [
        'kv',
        'namespace',
        'create',
        title,
        '--jurisdiction',
        jurisdiction,
        '--update-config=false',
      ],
    }))
  const queues = listQueues(config)
    .filter((queue) => !storage.queues.has(queue))
    .map((queue) => ({
      description: `Create the queue ${queue}`,
      args: ['queues', 'create', queue, '--jurisdiction', jurisdiction],
    }))
  return [...databases, ...namespaces, ...queues]
}

/** Returns the steps of a release. Migrations come first: they only add, so the old code still works. */
export function releaseSteps(
  environment: Environment,
  storage: AccountStorage,
  config: string,
  secrets?: string,
): Step[] {
  const { name, d1_databases } = buildEnvironmentConfig(environment, storage)
  return [
    ...d1_databases.map(({ binding, database_name }) => ({
      description: `Migrate ${database_name}`,
      args: ['d1', 'migrations', 'apply', binding, '--remote', '--config', config],
    })),
    {
      description: `Deploy ${name}`,
      args: ['deploy', '--config', config, ...(secrets ? ['--secrets-file', secrets] : [])],
    },
  ]
}
